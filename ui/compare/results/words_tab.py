"""The tab “Encode under each”: the words of the test text and of the corpus under every lane."""

from collections.abc import Sequence

import streamlit as st

from bpe.comparison.words import WordUnderTraces
from ui.compare.grids import parts
from ui.compare.measures import tables, verdict
from ui.compare.measures.comparison import Comparison
from ui.compare.measures.held_out_text import draw_controls, split_corpus
from ui.compare.results import token_tables
from ui.components.chip_result_table import chip_result_table
from ui.sidebar.texts.corpus import Corpus


def words_tab(comparison: Comparison, corpus: Corpus) -> None:
    """Draw the controls of the held-out text, its words, and a table of words for it and for the text trained on.

    `corpus` is the sidebar's text; a part of it may be set aside.
    """
    draw_controls(corpus, comparison.held_out)
    if split_corpus(corpus, comparison.lanes)[1] != comparison.held_out:
        st.rerun()  # rerun the whole page: the verdict counts the text's words
    st.caption(
        "The held-out text after the last merge, one row per lane. Words that are split differently are framed."
    )
    words = comparison.test_words
    parts.words_under_lanes(comparison, words)
    if len(words) > parts.MOST_WORDS:
        st.caption(f"The picture shows the first {parts.MOST_WORDS:,} of {len(words):,} distinct words.")
    _word_table(comparison, "test", words)
    _word_table(comparison, "corpus", comparison.corpus_words)


def _word_table(comparison: Comparison, source: str, words: Sequence[WordUnderTraces]) -> None:
    text = {"test": "held-out text", "corpus": "training text"}[source]
    differing = verdict.frequency(word for word in words if word.differs)
    of = f"{differing:,} of {verdict.frequency(words):,}"
    st.markdown(f"**Words of the {text}: {of} {'is' if differing == 1 else 'are'} split differently.**")
    ordered = tables.differing_first(words)
    chip_result_table(
        f"{source} words",
        token_tables.words(comparison, ordered),
        tables.word_columns(comparison),
        tables.word_rows(comparison, ordered),
        "word",
        "distinct words, those split differently first",
    )
