"""The text to test the lanes with. No lane was trained on it."""

import streamlit as st

KEY = "test_text"
EXAMPLE = "the newest towers are lower than the widest and highest hills, and the lowest is the oldest"
MOST_CHARACTERS = 20_000


def text_field() -> None:
    """Draw the field for the text. The text survives changes of tab and page."""
    st.text_area(
        "Your test text",
        key=KEY,
        height=90,
        max_chars=MOST_CHARACTERS,
        placeholder=EXAMPLE,
        persist_state="session",
    )
    st.caption(
        "New text, not used in training. Press Ctrl+Enter to apply it; leave it empty to use the example. It stays "
        "in this browser tab and on the computer that runs the app."
    )


def held_out_text() -> str:
    """Return the typed text, or the example if nothing is typed."""
    typed = st.session_state.get(KEY) or ""
    return typed if typed.strip() else EXAMPLE
