"""Menus of slugs that are shown by their titles, as pages draw them. The session holds what is chosen."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st


def menu(label: str, titles: Mapping[str, str], key: str, first: str = "", **options: Any) -> str:
    """Draw a drop-down menu and return the chosen slug. It starts at `first`, or at the first slug."""
    return _choose(st.selectbox, label, titles, key, first, **options)


def segments(label: str, titles: Mapping[str, str], key: str, first: str = "", **options: Any) -> str:
    """Draw a row with all titles and return the chosen slug, as `menu` does."""
    return _choose(st.segmented_control, label, titles, key, first, required=True, **options)


def _choose(
    draw: Callable[..., Any], label: str, titles: Mapping[str, str], key: str, first: str, **options: Any
) -> str:
    """Draw a choice among slugs with a function of Streamlit's, and return the chosen one.

    Makes the session's value one of them, since the browser may send any value.
    """
    if st.session_state.get(key) not in titles:
        st.session_state[key] = first or next(iter(titles))
    drawn = draw(
        label, tuple(titles), key=key, format_func=titles.__getitem__, persist_state="session", **options
    )
    return str(drawn)
