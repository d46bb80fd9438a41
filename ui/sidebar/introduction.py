"""The introduction that a page shows while there is no text."""

import streamlit as st

from ui.show.text import in_markdown
from ui.sidebar.texts.corpus import REQUESTS

ONE_SENTENCE = "Byte pair encoding glues together the most frequent pair of neighbours, again and again."


def title(*, plays: bool) -> str:
    """Return the title of Watch. With a text it also says what to press."""
    return f"{ONE_SENTENCE} :gray[Press Play, or] [start with lesson 1](/lessons)." if plays else ONE_SENTENCE


def draw(problem: str) -> None:
    """Draw what is missing or wrong, the algorithm in three sentences, and a button that chooses a sample."""
    sentence = in_markdown(problem, most=500)
    if problem in REQUESTS:
        st.info(sentence, icon=":material/edit_note:")
    else:
        st.error(sentence, icon=":material/error:")
    st.markdown(
        "1. Spell every word in its smallest pieces: characters or bytes.\n"
        "2. Count all pairs of neighbours, and join the most frequent pair into one token, everywhere.\n"
        "3. Repeat until you reach the limit. If several pairs share the highest count, that is a tie, and a rule has "
        "to decide."
    )
    st.button("Use a sample instead", on_click=lambda: st.session_state.update(corpus_source="sample"))
