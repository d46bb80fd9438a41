"""The result of Encode below its stage: the tokens with their offsets, and the ids to copy."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

import streamlit as st

from bpe.encoding.encode_steps import pre_token_starts, token_spans
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted
from bpe.text.normalizing import Span, through
from film.labels import chip_label
from ui.page_parts.encode.encoded_text import Encoded, origins, segmentations
from ui.view.chip_table import Chips, Column, chip_table
from ui.view.downloads import csv_button
from ui.view.tables import MOST_ROWS, bytes_text

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
        "The first character, counted from 0. If the token is part of a character, that character",
    ),
    Column("end", "number", "The character after the last one"),
)
_MOST_TABLE_HEIGHT = 236  # pixels
# So many letters of ids need no more room than a menu of so many pixels.
_FEW_IDS = 120
_IDS_HEIGHT = 96


def draw_ids(encoded: Encoded) -> None:
    """Draw a button that opens the ids to copy, and says that they decode to the text, if they do."""
    ids = ", ".join(map(str, encoded.ids[:_MOST_IDS]))
    with st.popover(f"Copy {counted(len(encoded.ids), 'id')}", key="encode_ids_menu"):
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
    st.header("Tokens and offsets", anchor=False)
    rows = _first_rows(encoded.cache_key, tokenizer, encoded)
    chips = Chips(partial(chip_label, tokenizer.variant))
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
        f"Download {'all ' if len(encoded.tokens) > 1 else ''}{counted(len(encoded.tokens), 'token')} (CSV)",
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
