"""The tokenization spectrum: one text as words, subwords, characters and bytes, and what happens to unseen words."""

import streamlit as st

from bpe import Trace
from bpe.analysis.text_rows.spectrum import Level, corpus_words, spectrum, tokens_in, unknown_in
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted
from ui.components.aligned_rows import aligned_rows
from ui.show.text import in_markdown
from ui.visit import page_link

KEY = "spectrum_text"
MOST_CHARACTERS = 200
LINK = {"words": (KEY, page_link.short_text)}


def spectrum_section(trace: Trace, tokenizer: Tokenizer) -> None:
    """Draw the field for the text, a row for each level, and a tile for each level."""
    st.header("The tokenization spectrum")
    st.session_state.setdefault(KEY, suggested(trace))
    text = st.text_input(
        "Some words, one of them new",
        key=KEY,
        max_chars=MOST_CHARACTERS,
        persist_state="session",
    )
    text = tokenizer.normalise(text or "")
    if not text:
        st.caption("Type some words: one from the training text and one that is new.")
        return
    levels = spectrum(trace, tokenizer)
    rows = [level.row(text) for level in levels]
    aligned_rows(rows, tokenizer.ids, key="spectrum_rows", label="The same text at four levels")
    with st.container(key="tiles"):
        for level, row in zip(levels, rows, strict=True):
            _level_tile(level, tokens_in(row), unknown_in(row))
    st.subheader("What each level is good at, and what it costs")
    st.table(
        {
            "Level": [level.title for level in levels],
            "Good": [level.good for level in levels],
            "The price": [level.price for level in levels],
        },
        hide_index=True,
    )


def _level_tile(level: Level, tokens: int, unknown: int) -> None:
    with st.container(border=True, height="stretch"):
        st.metric(
            level.title,
            counted(tokens, "token"),
            f"{unknown:,} unknown" if unknown else "none unknown",
            delta_color="off",
            delta_arrow="off",
        )
        st.caption(in_markdown(f"{level.about} Vocabulary: {level.vocabulary:,}.", 400))


def suggested(trace: Trace) -> str:
    """Return two short words of the corpus, and one that no sample corpus contains.

    >>> import bpe
    >>> suggested(bpe.train("low lower lowest"))
    'low lower unbelievable'
    """
    words = [word for word in corpus_words(trace) if len(word) <= 20][:2]
    return " ".join([*words, "unbelievable"])
