"""The result of Encode: the answer, the grid, the tokens with their offsets, and the ids to copy."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

import streamlit as st

from bpe.analysis.languages import ON_TOP
from bpe.encoding.encode_steps import pre_token_starts, token_spans
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.normalizing import Span, through
from film.encoding_feed import EncodingWindow, encoding_feed, encoding_window, staged_rail
from film.feed import EncodingFeed
from film.labels import chip_label
from film.textbook_code import encoder_lines
from ui.choices.choices import Choice
from ui.components.chip_table import Chips, Column, chip_table
from ui.components.listing import listing
from ui.components.token_grid import token_grid, window_start
from ui.downloads import csv_button
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded, losses, origins, segmentations
from ui.show.tables import MOST_ROWS, bytes_text
from ui.show.text import in_markdown
from ui.token_count import TokenCount, draw_token_count
from ui.work.memory_budget import fragment

_MOST_IDS = 1_500  # to copy; the file has all
_TOKEN_COLUMNS = ("position", "id", "token", "bytes", "start", "end")
_TABLE_COLUMNS = (
    Column("position", "number"),
    Column("id", "number"),
    Column("token", "tokens"),
    Column("bytes"),
    Column(
        "start",
        "number",
        "The first character, counted from 0. For a part of a character, the whole character",
    ),
    Column("end", "number", "The character after the last one"),
)
_MOST_TABLE_HEIGHT = 236  # pixels
# Letters of ids that need no more room than the text beside them, and its pixels.
_FEW_IDS, _IDS_HEIGHT = (
    120,
    96,
)


def draw_answer(choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw how many tokens the text has. Nothing if the encoding was stopped before its end."""
    if encoded.typed != setting.text:
        return
    file = None if setting.typed else choice.finished
    name = "your tokens" if setting.typed else file.short_name if file else choice.recipe.title
    texts = (setting.text,)
    count = TokenCount(
        name, len(encoded.tokens), len(setting.text), texts, encoded.unknown, file.published if file else ""
    )
    draw_token_count(count, "encode")
    if file:
        st.caption(ON_TOP)


def draw_loss(tokenizer: Tokenizer, encoded: Encoded) -> None:
    """Draw what the ids lose of the text; nothing if they decode to it."""
    if encoded.returns:
        return
    lost = losses(tokenizer, encoded)
    st.caption(
        in_markdown(f"These ids do not decode to the same text. Lost: {lost}. “Decode” shows where.", 600)
    )


def draw_ids(encoded: Encoded) -> None:
    """Draw the ids to copy, and that they decode to the text, if they do."""
    ids = ", ".join(map(str, encoded.ids[:_MOST_IDS]))
    st.code(
        f"[{ids}]" if len(encoded.ids) <= _MOST_IDS else f"{ids}, …",
        language=None,
        wrap_lines=True,
        height=_IDS_HEIGHT if len(ids) > _FEW_IDS else "content",
    )
    if encoded.returns:
        st.caption(":material/check: These ids decode to exactly the same text.")


def token_table(tokenizer: Tokenizer, encoded: Encoded) -> None:
    """Draw the tokens with their ids, bytes and offsets."""
    st.header("Tokens and offsets")
    rows = _first_rows(encoded.cache_key, tokenizer, encoded)
    chips = Chips(partial(chip_label, tokenizer.variant), tokenizer.ids.get)
    chip_table(
        _TABLE_COLUMNS,
        [
            (at, number, chips(token), *rest)
            for token, (at, number, _, *rest) in zip(encoded.tokens, rows, strict=False)
        ],
        chips,
        key="encode_tokens_table",
        label="Tokens of the text, one per row",
        height=_MOST_TABLE_HEIGHT,
        pale=[token not in tokenizer.ids for token in encoded.tokens[: len(rows)]],
    )
    csv_button(
        f"Download all {len(encoded.tokens):,} tokens (CSV)",
        _TOKEN_COLUMNS,
        lambda: _token_rows(tokenizer, encoded),
        name="tokens",
        key="download_encoded",
    )


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _first_rows(key: object, _tokenizer: Tokenizer, _encoded: Encoded) -> list[tuple[object, ...]]:
    return list(_token_rows(_tokenizer, _encoded, MOST_ROWS))


def _token_rows(
    tokenizer: Tokenizer, encoded: Encoded, most: int | None = None
) -> Iterator[tuple[int, int, str, str, int, int]]:
    """Yield one row of _TOKEN_COLUMNS for each token, at most `most`. Offsets count characters of the typed text."""
    spans = _spans(tokenizer, encoded, most)
    for position, (token, number) in enumerate(zip(encoded.tokens, encoded.ids, strict=True)):
        if position == most:
            return
        start, end = next(spans)
        yield (
            position,
            number,
            tokenizer.variant.label(token),
            bytes_text(tokenizer.variant, token),
            start,
            end,
        )


def _spans(tokenizer: Tokenizer, encoded: Encoded, most: int | None) -> Iterator[Span]:
    """Yield (start, end) of the tokens lazily, as `Tokenizer.offsets`: the first rows need only the first spans."""
    text, variant = encoded.normalised.text, tokenizer.variant
    pre_tokens = variant.split(text)
    starts = pre_token_starts(text, pre_tokens, variant)
    split = zip(segmentations(pre_tokens, encoded, variant), starts, strict=True)
    all_spans = (span for tokens, start in split for span in token_spans(tokens, start, variant))
    spans = list(islice(all_spans, most))
    end = max((end for _, end in spans), default=0)
    come_from = origins(tokenizer, encoded.typed, encoded.normalised, end)
    yield from spans if come_from is None else (through(come_from, span) for span in spans)


_NO_CODE = "There is no code here: the textbook’s code does not encode as this tokenizer does."


@fragment
def encoding_grid(setting: Setting, *, ends: bool = False) -> None:
    """Draw the grid, and the code of the encoder.

    ends: whether it begins at its end, with the tokens of the text.
    """
    window = encoding_window(setting.text, setting.tokenizer, window_start("encode"))
    feed, rail = _feed(
        (setting.cache_key, window.digest, window.window.start, window.window.end), setting, window
    )
    with st.container(key="encode_stage"):  # stages.css puts the open code beside the grid
        token_grid(feed, key="encode", step=feed["last"] if ends else 0, options={"view": "text"}, rail=rail)
        listing(
            encoder_lines(setting.tokenizer.textbook(setting.encoder)),
            key="encode_code",
            group="encode",
            none=_NO_CODE,
        )


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _feed(
    key: object, _setting: Setting, _window: EncodingWindow
) -> tuple[EncodingFeed, Mapping[str, Any] | None]:
    """Return the feed, and for the presenter view what has been learned, if there is room for it."""
    feed, steps = encoding_feed(_setting.tokenizer, _window, _setting.encoder)
    return feed, staged_rail(_setting.tokenizer, steps)
