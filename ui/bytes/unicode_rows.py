"""The rows of Bytes: one text as graphemes, code points, bytes, remapped characters and tokens, one below the other."""

from collections.abc import Callable, Sequence

import streamlit as st

from bpe.analysis.text_rows.alignment import Row
from bpe.analysis.text_rows.alignment import aligned_rows as rows_of
from bpe.analysis.text_rows.spectrum import tokens_in, unknown_in
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted
from bpe.text.normalizing import NORMALIZATIONS
from ui.components.aligned_rows import aligned_rows


def unicode_rows(text: str, tokenizer: Tokenizer, draw_switch: Callable[[int], None]) -> None:
    """Draw the rows, and below them the count of each row.

    draw_switch: called above the rows with the number of unknown characters.
    """
    rows = rows_of(text, tokenizer)
    unknown = unknown_in(rows[-1])
    with st.container(horizontal=True, vertical_alignment="center", key="bytes_unknown"):
        if unknown:
            are, them = ("is", "it") if unknown == 1 else ("are", "them")
            st.caption(
                f"{counted(unknown, 'character')} {are} unknown because the training text never contained {them}. "
                "A byte-level tokenizer can spell anything.",
                width="content",
            )
        draw_switch(unknown)
    aligned_rows(rows, tokenizer.ids, key="bytes_rows", label="One text in five rows")
    st.markdown(f"**{counts_sentence(rows)}** with these merges.")
    if tokenizer.normalization and tokenizer.normalise(text) != text:
        name = NORMALIZATIONS[tokenizer.normalization].name
        st.caption(f"These settings begin with {name}, and the rows show the result.")


def counts_sentence(rows: Sequence[Row]) -> str:
    """Return how many graphemes, code points, bytes and tokens the rows hold."""
    sizes = {row.slug: len(row.cells) for row in rows}
    counts = [
        counted(sizes["graphemes"], "grapheme"),
        counted(sizes["code-points"], "code point"),
        counted(sizes["bytes"], "byte"),
        counted(tokens_in(rows[-1]), "token"),
    ]
    return f"{', '.join(counts[:-1])} and {counts[-1]}"
