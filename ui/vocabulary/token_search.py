"""The search of Vocabulary, its sort order, and the selected token. The link holds all of them."""

from typing import NamedTuple

import streamlit as st

from bpe.analysis.vocabulary import ORDERS, SEARCHES
from ui import visit
from ui.sidebar.recipes.settings import MOST_VOCABULARY
from ui.visit import Slot, nothing

# The token last suggested
SUGGESTED_TOKEN: Slot[int | None] = Slot("_vocabulary_token_suggested", nothing)


TOKEN, TEXT, KIND, ORDER, UNUSED = (
    "vocabulary_token",
    "vocabulary_find",
    "vocabulary_how",
    "vocabulary_order",
    "vocabulary_unused",
)
MOST_CHARACTERS = 200
LINK = {
    "token": (TOKEN, visit.whole_number(0, MOST_VOCABULARY)),
    "find": (TEXT, visit.short_text),
    "how": (KIND, visit.slug(*SEARCHES)),
    "order": (ORDER, visit.slug(*ORDERS)),
    "unused": (UNUSED, lambda text: True if text == "yes" else None),
}


class TokenSearch(NamedTuple):
    """A search, and the order of its results."""

    kind: str  # slug of SEARCHES
    text: str
    unused: bool  # only tokens that are not in use
    order: str  # slug of ORDERS


def search_controls() -> TokenSearch:
    """Draw the controls and return the search."""
    for key, rows in ((KIND, SEARCHES), (ORDER, ORDERS)):
        if st.session_state.get(key) not in rows:
            st.session_state[key] = next(iter(rows))
    columns = st.columns([2, 3, 2, 2], gap="medium", vertical_alignment="bottom")
    kind = str(
        columns[0].selectbox(
            "Find tokens that …",
            tuple(SEARCHES),
            key=KIND,
            format_func=lambda slug: SEARCHES[slug].title.lower(),
            persist_state="session",
        )
    )
    text = columns[1].text_input(
        "Text, pattern or length",
        key=TEXT,
        max_chars=MOST_CHARACTERS,
        placeholder=f"for example {SEARCHES[kind].example}",
        persist_state="session",
    )
    order = str(
        columns[2].selectbox(
            "Order",
            tuple(ORDERS),
            key=ORDER,
            format_func=lambda slug: ORDERS[slug][0],
            persist_state="session",
        )
    )
    unused = columns[3].toggle("Only unused", key=UNUSED, persist_state="session")
    return TokenSearch(kind, text or "", unused, order)


def look_at(number: int) -> None:
    """Show the details of the token with this id. A callback, so that the field for the id is drawn afterwards."""
    st.session_state[TOKEN] = number


def suggest_token(offered: int, last: int) -> None:
    """Show the details of this token until the viewer chooses another one of ids 0 to `last`."""
    token = st.session_state.get(TOKEN)
    if not isinstance(token, int) or token == SUGGESTED_TOKEN.read() or not 0 <= token <= last:
        st.session_state[TOKEN] = offered
    SUGGESTED_TOKEN.write(offered)


def linked() -> dict[str, str | int | None]:
    """Return the link parameters of search and token; empty for the suggested ones."""
    token = st.session_state.get(TOKEN)
    kind, order = st.session_state.get(KIND), st.session_state.get(ORDER)
    return {
        "token": token if token != SUGGESTED_TOKEN.read() else None,
        "find": st.session_state.get(TEXT) or None,
        "how": None if kind == next(iter(SEARCHES)) else kind,
        "order": None if order == next(iter(ORDERS)) else order,
        "unused": "yes" if st.session_state.get(UNUSED) else None,
    }
