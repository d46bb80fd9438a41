"""The preset that is switched off when the viewer chooses another variant or rule, and the way back to it."""

import streamlit as st

import bpe
from ui.show.text import in_markdown
from ui.sidebar.recipes.settings import FREE
from ui.visit import Slot

# The preset that was switched off; "" for none
PRESET_BEFORE: Slot[str] = Slot("_preset_before", str)


def switch_off() -> None:
    """Set the preset to FREE, since the viewer has changed what it decides. A callback of those controls."""
    preset = st.session_state["preset"]
    if preset != FREE:
        PRESET_BEFORE.write(preset)
        st.session_state["preset"] = FREE


def draw_note(preset: str) -> None:
    """Say that the preset is off, with a button that switches it on again, until the viewer chooses a preset."""
    if preset != FREE:
        PRESET_BEFORE.forget()
    before = bpe.PRESETS.get(PRESET_BEFORE.read())
    if before is None:
        return
    st.caption("You changed what the preset sets, so it is off.")
    st.button(
        in_markdown(f"Back to {before.title}"),
        key="preset_back",
        type="tertiary",
        icon=":material/undo:",
        on_click=_switch_on,
        args=(before.slug,),
    )


def _switch_on(preset: str) -> None:
    st.session_state["preset"] = preset
