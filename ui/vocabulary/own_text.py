"""A field for a text of the viewer's own, which survives a reload."""

import streamlit as st

from ui.streamlit_gaps.kept_text import kept_text


def own_text(label: str, key: str, most: int) -> str:
    """Draw the field of this widget key and return its text, of at most so many characters."""
    text = st.text_area(label, key=key, height=96, max_chars=most, persist_state="session")
    kept_text({key: key}, (key,), key=f"_kept_{key}", restore=st.session_state.update)
    return text or ""
