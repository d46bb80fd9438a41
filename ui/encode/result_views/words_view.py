"""The view “Known words”: each pre-token as segmented by the training, and by the encoder."""

from functools import cache

import streamlit as st

from bpe import Trace
from bpe.text.display import counted
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded, segmentations
from ui.show import tables
from ui.show.csv_table import csv_button
from ui.show.text import in_markdown, shortened
from ui.sidebar.sidebar import Choice

MOST_WORDS = 300
MOST_IN_CELL = 400  # characters; the file has all
COLUMNS = (
    "pre-token",
    "in the text",
    "known: as split in training",
    "treated as new: as the encoder splits it",
    "differs",
)
Row = tuple[str, int, str, str, str]


def words_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw a row for each different pre-token of the text."""
    if setting.typed:
        st.info("A typed vocabulary was not trained, so there are no known words to compare with.")
        return
    rows = _rows(encoded.cache_key, trace, setting, encoded)
    known = sum(bool(row[1]) for row in rows)
    differ = sum(bool(row[4]) for row in rows)
    caption = (
        f"This text has {counted(len(rows), 'different pre-token')}. {known:,} of them are known from training. The "
        f"encoder splits {differ:,} of these differently."
    )
    if setting.encoder.repeats_training:
        caption += " This encoder repeats the training, so known words never differ."
    st.caption(in_markdown(caption, 400))
    st.dataframe(
        tables.frame(COLUMNS, [_in_cells(row) for row in rows[:MOST_WORDS]]),
        hide_index=True,
        key="known_words",
    )
    csv_button("Download (CSV)", COLUMNS, lambda: rows, name="known-words", key="download_known")


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _rows(key: object, _trace: Trace, _setting: Setting, _encoded: Encoded) -> list[Row]:
    return word_rows(_trace, _setting, _encoded)


def _in_cells(row: Row) -> Row:
    pre_token, frequency, learned, new, differs = row
    return (
        shortened(pre_token, MOST_IN_CELL),
        frequency,
        shortened(learned, MOST_IN_CELL),
        shortened(new, MOST_IN_CELL),
        differs,
    )


def word_rows(trace: Trace, setting: Setting, encoded: Encoded) -> list[Row]:
    """Return one row of COLUMNS for each different pre-token; the training's segmentation is "" for an unknown one."""
    variant = setting.tokenizer.variant
    frequencies = dict(zip(trace.pre_tokens, trace.frequencies, strict=True))
    label = cache(variant.label)
    pre_tokens = variant.split(encoded.text)
    by_encoder = dict(zip(pre_tokens, segmentations(pre_tokens, encoded, variant), strict=True))
    by_training = {
        pre_token: word
        for pre_token, (word, _) in zip(trace.pre_tokens, trace.words_at(setting.step), strict=True)
        if pre_token in by_encoder
    }
    rows = []
    for pre_token, tokens in by_encoder.items():
        new = " ".join(map(label, tokens))
        learned = " ".join(map(label, by_training.get(pre_token, ())))
        differs = "≠" if learned and learned != new else ""
        rows.append((label(pre_token.encode()), frequencies.get(pre_token, 0), learned, new, differs))
    return rows
