"""The tab “Encode under each”: the words of the test text and of the corpus under every lane."""

from collections.abc import Sequence

import streamlit as st

from bpe.analysis.word_comparison import WordUnderTraces
from ui.compare import tables
from ui.compare.comparison import Comparison
from ui.compare.held_out_text import held_out_text, text_field
from ui.compare.result_table import result_table
from ui.components import compare_parts


def words_tab(comparison: Comparison) -> None:
    """Draw the field for the test text, its words, and a table of words for the text and for the corpus."""
    text_field()
    if held_out_text() != comparison.test_text:
        st.rerun()  # rerun the whole page: the verdict counts the text's words
    st.caption(
        "The test text after the last merge, one row per lane. Words that are split differently are framed."
    )
    words = comparison.test_words
    compare_parts.words_under_lanes(comparison, words)
    if len(words) > compare_parts.MOST_WORDS:
        st.caption(
            f"The picture shows the first {compare_parts.MOST_WORDS:,} of {len(words):,} distinct words."
        )
    _word_table(comparison, "test", words)
    _word_table(comparison, "corpus", comparison.corpus_words)


def _word_table(comparison: Comparison, source: str, words: Sequence[WordUnderTraces]) -> None:
    text = {"test": "test text", "corpus": "corpus"}[source]
    differ = sum(word.differs for word in words)
    st.markdown(f"**Words of the {text}: {differ:,} of {len(words):,} are split differently.**")
    result_table(
        f"{source} words",
        tables.word_columns(comparison),
        tables.word_rows(comparison, tables.differing_first(words)),
        "word",
        "distinct words, those split differently first",
    )
