"""What a session made last: kept, so that a rerun which changes something else does not make it again."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

Made = TypeVar("Made")


def last_made(slot: str, name: object, make: Callable[[], Made]) -> Made:
    """What `make` gives, or gave for the same name the last time; a slot holds one thing at a time."""
    kept = st.session_state.get(slot)
    if kept is None or kept[0] != name:
        kept = (name, make())
        st.session_state[slot] = kept
    made: Made = kept[1]
    return made
