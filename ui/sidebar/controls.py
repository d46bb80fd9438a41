"""The two kinds of shared control: a menu of slugs shown by their titles, and a bounded number."""

from typing import Any

import streamlit as st

import bpe
from ui.sidebar import recipe as recipes
from ui.sidebar.corpus import samples
from ui.sidebar.recipe import FREE

TITLES = {
    "corpus_source": recipes.SOURCES,
    "corpus_sample": {slug: sample.title for slug, sample in samples().items()},
    "preset": {slug: row.title for slug, row in bpe.PRESETS.items()} | {FREE: "None: choose freely"},
    "variant": {slug: row.title for slug, row in bpe.VARIANTS.items()},
    "tie_break": {slug: row.title for slug, row in bpe.TIE_BREAKS.items()},
    "unit": {"bytes": "Bytes", "characters": "Characters"},
}


def choose(key: str, label: str, *, disabled: bool = False) -> str:
    """A menu of the key's slugs; a disabled one shows whatever the session holds, in no menu or not."""
    slugs = _ready(key, disabled=disabled)
    return str(
        st.selectbox(
            label,
            slugs,
            key=key,
            format_func=TITLES[key].__getitem__,
            disabled=disabled,
            help=f"The preset decides this. To decide it yourself, set Preset to “{TITLES['preset'][FREE]}”."
            if disabled
            else None,
            persist_state="session",
        )
    )


def choose_beside(key: str, label: str) -> str:
    """The same with all choices in sight."""
    return str(
        st.segmented_control(
            label,
            _ready(key),
            key=key,
            format_func=TITLES[key].__getitem__,
            required=True,
            persist_state="session",
            width="stretch",
        )
    )


def _ready(key: str, *, disabled: bool = False) -> tuple[str, ...]:
    """The slugs to offer, the session's value made one of them: what arrives over the wire need not be."""
    slugs = recipes.choices(key)
    if disabled:
        return tuple(dict.fromkeys((*slugs, st.session_state[key])))
    if st.session_state.get(key) not in slugs:
        st.session_state[key] = slugs[0]
    return slugs


def number(key: str, label: str, **how: Any) -> int | None:
    """A whole number within the key's bounds; None where `value=None` is passed and none was entered."""
    low, high = recipes.BOUNDS[key]
    entered = st.number_input(label, low, high, key=key, step=1, persist_state="session", **how)
    return None if entered is None else min(high, max(low, int(entered)))
