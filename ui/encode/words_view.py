"""Known words: how training cut a word of the corpus, beside what the encoder makes of it as if unseen."""

from functools import cache

import streamlit as st

from bpe import ENCODERS, Trace
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded, cuts
from ui.show import tables
from ui.show.text import csv_file, in_markdown, shortened
from ui.sidebar.sidebar import Choice

MOST_WORDS = 300
MOST_IN_CELL = 400  # characters; the file has all
COLUMNS = (
    "pre-token",
    "in the corpus",
    "known: as training cut it",
    "treated as unknown: as the encoder cuts it",
    "differs",
)


def draw(trace: Trace, choice: Choice, setting: Setting, made: Encoded) -> None:
    """A row for each different pre-token of the text."""
    if setting.typed:
        st.info(
            "A vocabulary typed by hand has no training: there is no segmentation of known words to compare with."
        )
        return
    rows = _rows(made.name, trace, setting, made)
    known = sum(bool(row[1]) for row in rows)
    differ = sum(bool(row[4]) for row in rows)
    said = (
        f"{len(rows):,} different pre-tokens of this text: {known:,} known from the corpus, "
        f"{differ:,} of them cut otherwise by the encoder."
    )
    if ENCODERS[setting.encoder].repeats_training:
        said += " Lowest rank first repeats the training, so a known word is always cut alike."
    st.caption(in_markdown(said, 400))
    st.dataframe(
        tables.frame(COLUMNS, [_in_cells(row) for row in rows[:MOST_WORDS]]),
        hide_index=True,
        key="known_words",
    )
    st.download_button(
        "Download (CSV)",
        data=lambda: csv_file(COLUMNS, rows),
        file_name="known-words.csv",
        mime="text/csv",
        on_click="ignore",
        key="download_known",
    )


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _rows(
    name: object, _trace: Trace, _setting: Setting, _made: Encoded
) -> list[tuple[str, int, str, str, str]]:
    return word_rows(_trace, _setting, _made)


def _in_cells(row: tuple[str, int, str, str, str]) -> tuple[str, int, str, str, str]:
    pre_token, frequency, learned, new, differs = row
    return (
        shortened(pre_token, MOST_IN_CELL),
        frequency,
        shortened(learned, MOST_IN_CELL),
        shortened(new, MOST_IN_CELL),
        differs,
    )


def word_rows(trace: Trace, setting: Setting, made: Encoded) -> list[tuple[str, int, str, str, str]]:
    """(pre-token, frequency in the corpus, training's segmentation or "", the encoder's, "≠" where they differ)."""
    variant = setting.tokenizer.variant
    frequencies = dict(zip(trace.pre_tokens, trace.frequencies, strict=True))
    label = cache(variant.label)
    pre_tokens = variant.split(made.text)
    different = dict(zip(pre_tokens, cuts(pre_tokens, made, variant), strict=True))
    cut = {
        pre_token: word
        for pre_token, (word, _) in zip(trace.pre_tokens, trace.words_at(setting.step), strict=True)
        if pre_token in different
    }
    rows = []
    for pre_token, tokens in different.items():
        new = " ".join(map(label, tokens))
        learned = " ".join(map(label, cut.get(pre_token, ())))
        differs = "≠" if learned and learned != new else ""
        rows.append((label(pre_token.encode()), frequencies.get(pre_token, 0), learned, new, differs))
    return rows
