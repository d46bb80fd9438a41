"""The text to test the lanes with. No lane was trained on it."""

import streamlit as st

from ui.components.kept_text import kept_text

KEY = "test_text"
EXAMPLE = "the newest towers are lower than the widest and highest hills, and the lowest is the oldest"
MOST_CHARACTERS = 20_000


def text_field() -> None:
    """Draw the field for the text. The text survives changes of tab and page, and reloads."""
    st.text_area(
        "Your test text",
        key=KEY,
        height=90,
        max_chars=MOST_CHARACTERS,
        placeholder=EXAMPLE,
        persist_state="session",
    )
    kept_text({KEY: KEY}, (KEY,), key="_kept_test_text", restore=_restore)
    st.caption(
        "New text, not used in training. Press Ctrl+Enter to apply it; leave it empty to use the example. It stays "
        "in this browser tab and on the computer that runs the app."
    )


def _restore(texts: dict[str, str]) -> None:
    if not st.session_state.get(KEY):
        st.session_state.update(texts)


def held_out_text() -> str:
    """Return the typed text, or the example if nothing is typed."""
    typed = st.session_state.get(KEY) or ""
    return typed if typed.strip() else EXAMPLE
