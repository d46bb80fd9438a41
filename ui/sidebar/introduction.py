"""The introduction that a page shows while there is no text."""

import streamlit as st

from ui.show.text import in_markdown

ONE_SENTENCE = (
    "Byte pair encoding glues together the most frequent pair of neighbours, again and again. "
    ":gray[Press Space (or Play).]"
)


def draw(problem: str) -> None:
    """Draw what is missing, the algorithm in three sentences, and a button that chooses a sample."""
    st.info(in_markdown(problem, most=500), icon="✍️")
    st.markdown(
        "1. Every word is spelled in its smallest pieces: characters or bytes.\n"
        "2. All pairs of neighbours are counted, and the most frequent pair becomes one token, everywhere.\n"
        "3. Again, until a stop rule holds. When several pairs share the highest count, a rule decides: a tie."
    )
    st.button("Show me a sample instead", on_click=lambda: st.session_state.update(corpus_source="sample"))
