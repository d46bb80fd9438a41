"""The switch to a recipe on bytes, under which no character is unknown, and back to the viewer's own recipe."""

import streamlit as st

import bpe
from ui.show.text import in_markdown
from ui.sidebar.recipes.recipe import Recipe
from ui.sidebar.widgets import recipe_controls
from ui.visit.slot import Slot, nothing

# The recipe from which the viewer switched to bytes
RECIPE_BEFORE_BYTES: Slot[Recipe | None] = Slot("_recipe_before_bytes", nothing)

# The first preset that works on bytes.
PRESET = next(
    slug for slug, preset in bpe.PRESETS.items() if bpe.VARIANTS[preset.settings["variant"]].unit == "bytes"
)


def switch(recipe: Recipe, unknown: int) -> None:
    """Draw the button to the byte-level preset if characters are unknown, else the way back if it was pressed."""
    if recipe.file or recipe.preset != PRESET:
        RECIPE_BEFORE_BYTES.forget()  # the viewer has chosen another recipe since
        if unknown:
            label = in_markdown(f"Train on bytes: {bpe.PRESETS[PRESET].title}")
            about = "This sets the preset in the sidebar, for all pages. A button here leads back."
            st.button(label, key="use_bytes", help=about, on_click=_use_bytes, args=(recipe,))
    elif before := RECIPE_BEFORE_BYTES.read():
        label = in_markdown(f"Back to {before.title}")
        st.button(label, key="bytes_back", icon=":material/undo:", on_click=_go_back, args=(before,))


def _use_bytes(recipe: Recipe) -> None:
    """Put the byte-level preset into the sidebar. A callback, since the controls are drawn before the page."""
    RECIPE_BEFORE_BYTES.write(recipe)
    byte_recipe = recipe.with_preset(PRESET).changed(vocab_size=None)  # it may be less than the 256 bytes
    recipe_controls.put(byte_recipe.values)


def _go_back(recipe: Recipe) -> None:
    """Put the viewer's recipe into the sidebar again. A callback."""
    RECIPE_BEFORE_BYTES.forget()
    recipe_controls.put(recipe.values)
