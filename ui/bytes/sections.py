"""What the page Bytes shows: the aligned rows, what each normal form changes, and the spectrum."""

import streamlit as st

from bpe import Trace
from bpe.analysis.alignment import aligned_rows as rows_of
from bpe.analysis.alignment import graphemes
from bpe.analysis.spectrum import Level, corpus_words, spectrum, tokens_in, unknown_in
from bpe.encoding.tokenizer import Tokenizer
from ui import page_link
from ui.bytes.inspected_text import FORMS, in_form
from ui.components.aligned_rows import aligned_rows
from ui.show import tables
from ui.show.text import counted, in_markdown

WORDS = "spectrum_text"
MOST_SPECTRUM = 200  # characters
FORM_COLUMNS = ("form", "graphemes", "code points", "bytes", "tokens")
LINK = {"words": (WORDS, page_link.short_text)}


def rows(text: str, tokenizer: Tokenizer) -> None:
    """Graphemes, code points, bytes, remapped characters and tokens, one over the other."""
    drawn = rows_of(text, tokenizer)
    aligned_rows(drawn, tokenizer.ids, key="bytes_rows", label="One text in five rows")
    counts = {row.slug: len(row.cells) for row in drawn}
    said = [
        counted(counts["graphemes"], "grapheme"),
        counted(counts["code-points"], "code point"),
        counted(counts["bytes"], "byte"),
        counted(tokens_in(drawn[-1]), "token"),
    ]
    st.markdown(f"**{', '.join(said[:-1])} and {said[-1]}** under these merges.")
    if unknown := unknown_in(drawn[-1]):
        them = "it" if unknown == 1 else "them"
        st.caption(
            f"{counted(unknown, 'character')} without a token: the corpus never held {them}. "
            "Under a variant in bytes nothing is ever unknown."
        )
    if tokenizer.normalization and tokenizer.normalise(text) != text:
        st.caption(
            f"The preset normalises to {tokenizer.normalization} first: the rows show the text after it."
        )


def forms(typed: str, tokenizer: Tokenizer) -> None:
    """What each normal form makes of the text, in numbers."""
    with st.expander("What each normal form makes of this text"):
        lines = []
        for form, title in FORMS.items():
            text = in_form(typed, form)
            lines.append(
                (title, len(graphemes(text)), len(text), len(text.encode()), len(tokenizer.tokens(text)))
            )
        st.dataframe(tables.frame(FORM_COLUMNS, lines), hide_index=True, key="bytes_forms")
        if len({line[2:] for line in lines}) == 1:
            st.caption("All forms of this text are alike.")
        else:
            st.caption(
                "The forms look alike and differ in bytes, so a tokenizer cuts them differently. Training and encoding "
                "must use the same form."
            )


def spectrum_part(trace: Trace, tokenizer: Tokenizer) -> None:
    """The same text in words, subwords, characters and bytes, and what an unseen word becomes."""
    st.header("The tokenization spectrum")
    st.session_state.setdefault(WORDS, suggested(trace))
    text = st.text_input(
        "Text with a word the corpus never saw",
        key=WORDS,
        max_chars=MOST_SPECTRUM,
        persist_state="session",
    )
    text = tokenizer.normalise(text or "")
    if not text:
        st.caption("Type some words: one of the corpus, and one it never saw.")
        return
    levels = spectrum(trace, tokenizer)
    drawn = [level.row(text) for level in levels]
    aligned_rows(drawn, tokenizer.ids, key="spectrum_rows", label="The same text at four levels")
    with st.container(key="tiles"):
        for level, row in zip(levels, drawn, strict=True):
            _tile(level, tokens_in(row), unknown_in(row))


def _tile(level: Level, tokens: int, unknown: int) -> None:
    with st.container(border=True, height="stretch"):
        st.metric(
            level.title,
            counted(tokens, "token"),
            f"{unknown:,} unknown" if unknown else "none unknown",
            delta_color="off",
            delta_arrow="off",
        )
        st.caption(in_markdown(f"{level.about} It must know {level.vocabulary:,} tokens.", 400))


def suggested(trace: Trace) -> str:
    """Two words of the corpus, and one that is in no corpus of ours."""
    words = [word for word in corpus_words(trace) if len(word) <= 20][:2]
    return " ".join([*words, "unbelievable"])
