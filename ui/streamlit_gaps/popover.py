"""A popover whose contents are drawn only while it is open: a closed one costs nothing when the page is drawn again."""

from contextlib import AbstractContextManager

import streamlit as st

__all__ = ["open_popover"]


def open_popover(label: str, icon: str, key: str) -> AbstractContextManager[object] | None:
    """Draw the popover's button. Return the container of its contents if it is open, else None."""
    popover = st.popover(label, icon=f":material/{icon}:", key=key, on_change="rerun")
    return popover if popover.open else None
