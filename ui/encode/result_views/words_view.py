"""The view “Known words”: each pre-token as segmented by the training, and by the encoder."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial

import streamlit as st

from bpe import Symbol, Trace
from bpe.symbols import Word
from bpe.text.display import counted
from film.labels import chip_label
from ui.components.chip_table import Chips, Column, Kind, chip_table
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded, segmentations
from ui.show.csv_table import csv_button
from ui.show.text import in_markdown, shortened
from ui.sidebar.sidebar import Choice

MOST_WORDS = 300
MOST_IN_CELL = 400  # characters of a pre-token; the file has all
MOST_TOKENS = 100  # in a cell; the file has all
COLUMNS = (
    "pre-token",
    "in the text",
    "known: as split in training",
    "treated as new: as the encoder splits it",
    "differs",
)
KINDS: tuple[Kind, ...] = ("text", "number", "tokens", "tokens", "text")
Row = tuple[str, int, str, str, str]


@dataclass(frozen=True, slots=True)
class KnownWord:
    """A pre-token of the encoded text, as the training and as the encoder splits it."""

    text: str
    frequency: int  # in the training text
    by_training: Word | None  # None if it is not in the training text
    by_encoder: tuple[Symbol, ...]

    @property
    def differs(self) -> bool:
        """Whether the encoder splits a known pre-token differently."""
        return self.by_training is not None and tuple(self.by_training) != self.by_encoder


def words_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw a row for each different pre-token of the text."""
    if setting.typed:
        st.info("A typed vocabulary was not trained, so there are no known words to compare with.")
        return
    words = _words(encoded.cache_key, trace, setting, encoded)
    known = sum(bool(word.frequency) for word in words)
    differ = sum(word.differs for word in words)
    caption = (
        f"This text has {counted(len(words), 'different pre-token')}. {known:,} of them are known from training. The "
        f"encoder splits {differ:,} of these differently."
    )
    if setting.encoder.repeats_training:
        caption += " This encoder repeats the training, so known words never differ."
    st.caption(in_markdown(caption, 400))
    label, ids = setting.tokenizer.variant.label, setting.tokenizer.ids
    chips = Chips(partial(chip_label, setting.tokenizer.variant), ids.get)
    chip_table(
        [Column(title, kind) for title, kind in zip(COLUMNS, KINDS, strict=True)],
        [table_row(word, label, chips) for word in words[:MOST_WORDS]],
        chips,
        key="known_words",
        label="Different pre-tokens, one per row",
    )
    csv_button(
        "Download (CSV)",
        COLUMNS,
        lambda: word_rows(words, label),
        name="known-words",
        key="download_known",
    )


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _words(key: object, _trace: Trace, _setting: Setting, _encoded: Encoded) -> list[KnownWord]:
    return known_words(_trace, _setting, _encoded)


def table_row(word: KnownWord, label: Callable[[Symbol], str], chips: Chips) -> tuple[object, ...]:
    """Return the cells of a word, in the order of COLUMNS."""
    return (
        shortened(label(word.text.encode()), MOST_IN_CELL),
        word.frequency,
        chips(*(word.by_training or ())[:MOST_TOKENS]),
        chips(*word.by_encoder[:MOST_TOKENS]),
        "≠" if word.differs else "",
    )


def known_words(trace: Trace, setting: Setting, encoded: Encoded) -> list[KnownWord]:
    """Return each different pre-token of the text once, in order of first appearance."""
    variant = setting.tokenizer.variant
    frequencies = dict(zip(trace.pre_tokens, trace.frequencies, strict=True))
    pre_tokens = variant.split(encoded.text)
    by_encoder = dict(zip(pre_tokens, segmentations(pre_tokens, encoded, variant), strict=True))
    by_training = {
        pre_token: word
        for pre_token, (word, _) in zip(trace.pre_tokens, trace.words_at(setting.step), strict=True)
        if pre_token in by_encoder
    }
    return [
        KnownWord(text, frequencies.get(text, 0), by_training.get(text), tuple(tokens))
        for text, tokens in by_encoder.items()
    ]


def word_rows(words: Iterable[KnownWord], label: Callable[[Symbol], str]) -> list[Row]:
    """Return one row of COLUMNS for each word; the training's segmentation is "" for an unknown one."""
    spelled = cache(label)

    def joined(tokens: Iterable[Symbol]) -> str:
        return " ".join(map(spelled, tokens))

    return [
        (
            label(word.text.encode()),
            word.frequency,
            joined(word.by_training or ()),
            joined(word.by_encoder),
            "≠" if word.differs else "",
        )
        for word in words
    ]
