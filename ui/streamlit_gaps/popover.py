"""A popover whose contents are drawn only while it is open: a closed one costs nothing when the page is drawn again.

Streamlit lacks a popover that does so by itself. Since https://github.com/streamlit/streamlit/issues/8265 it says
whether a popover is open, which is enough for these lines. It can go when `with st.popover(…)` skips a closed one.
"""

from contextlib import AbstractContextManager

import streamlit as st

__all__ = ["open_popover"]


def open_popover(label: str, icon: str, key: str) -> AbstractContextManager[object] | None:
    """Draw the popover's button. Return the container of its contents if it is open, else None."""
    popover = st.popover(label, icon=f":material/{icon}:", key=key, on_change="rerun")
    return popover if popover.open else None
