"""The result of Encode in numbers: measures, the ids to copy, tokens with their offsets, and the round trip."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe import Symbol
from bpe.analysis.compression import Measure
from bpe.encoding.encode_steps import EncodeStep, pre_token_starts, token_spans
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import merge_name
from bpe.text.normalizing import Span, through
from bpe.text.sentence_label import sentence_label
from film.encoding_feed import EncodingWindow, encoding_feed, encoding_window, staged_rail
from film.feed import EncodingFeed
from film.labels import chip_label
from film.textbook_code import encoder_lines
from ui.choices.choices import Choice
from ui.components.chip_table import Chips, Column, chip_table
from ui.components.listing import listing as code_listing
from ui.components.token_grid import token_grid, window_start
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded, losses, origins, plain_measures, segmentations
from ui.show.tables import MOST_ROWS, bytes_text, csv_button
from ui.show.text import in_markdown
from ui.token_count import TokenCount, draw_token_count
from ui.work.memory_budget import fragment

MOST_IDS = 1_500  # to copy; the file has all
TOKEN_COLUMNS = ("position", "id", "token", "bytes", "start", "end")
TABLE_COLUMNS = (
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
MOST_TABLE_HEIGHT = 236  # pixels
# Letters of ids that need no more room than the text beside them, and its pixels.
FEW_IDS, IDS_HEIGHT = (
    120,
    96,
)
# Label of a tile -> (its value, what it means).
MEASURES: dict[str, tuple[Callable[[Measure], str], str]] = {
    "Tokens": (lambda measure: f"{measure.tokens:,}", "Tokens of the whole text."),
    "Characters per token": (
        lambda measure: f"{measure.characters_per_token:.2f}",
        "The characters of the text, white space included, divided by its tokens. A marker, or a byte of a longer "
        "character, can be a token of its own, so this can be below 1.",
    ),
    "Bytes per token": (
        lambda measure: f"{measure.bytes_per_token:.2f}",
        "UTF-8 bytes of the text divided by its tokens. To compare languages, compare tokens for the same content.",
    ),
    "Tokens per word": (
        lambda measure: f"{measure.fertility:.2f}",
        "Also called fertility: tokens divided by words, where white space separates words.",
    ),
}


def measure_tiles(encoded: Encoded) -> None:
    """Draw the measures, each compared with its value for tokens of one character or one word.

    Bytes per token are left out where they are characters per token: the text is ASCII then.
    """
    characters, words = plain_measures(encoded)
    measures = dict(MEASURES)
    if encoded.measure.bytes_per_token == encoded.measure.characters_per_token:
        del measures["Bytes per token"]
    with st.container(key="tiles"):
        for label, (value_of, meaning) in measures.items():
            with st.container(border=True, height="stretch"):
                st.metric(label, value_of(encoded.measure), help=meaning)
                st.caption(f"{value_of(words)} with whole words, {value_of(characters)} with characters.")


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


def draw_ids(tokenizer: Tokenizer, encoded: Encoded) -> None:
    """Draw the ids to copy, and whether they decode to the text."""
    ids = ", ".join(map(str, encoded.ids[:MOST_IDS]))
    st.code(
        f"[{ids}]" if len(encoded.ids) <= MOST_IDS else f"{ids}, …",
        language=None,
        wrap_lines=True,
        height=IDS_HEIGHT if len(ids) > FEW_IDS else "content",
    )
    _round_trip_caption(tokenizer, encoded)


def token_table(tokenizer: Tokenizer, encoded: Encoded) -> None:
    """Draw the tokens with their ids, bytes and offsets."""
    st.header("Tokens and offsets")
    rows = _first_rows(encoded.cache_key, tokenizer, encoded)
    chips = Chips(partial(chip_label, tokenizer.variant), tokenizer.ids.get)
    chip_table(
        TABLE_COLUMNS,
        [
            (at, number, chips(token), *rest)
            for token, (at, number, _, *rest) in zip(encoded.tokens, rows, strict=False)
        ],
        chips,
        key="encode_tokens_table",
        label="Tokens of the text, one per row",
        height=MOST_TABLE_HEIGHT,
        pale=[token not in tokenizer.ids for token in encoded.tokens[: len(rows)]],
    )
    csv_button(
        f"Download all {len(encoded.tokens):,} tokens (CSV)",
        TOKEN_COLUMNS,
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
    """Yield one row of TOKEN_COLUMNS for each token, at most `most`. Offsets count characters of the typed text."""
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


def _round_trip_caption(tokenizer: Tokenizer, encoded: Encoded) -> None:
    if encoded.returns:
        st.caption(":material/check: These ids decode to exactly the same text.")
        return
    lost = losses(tokenizer, encoded)
    st.caption(
        in_markdown(f"These ids do not decode to the same text. Lost: {lost}. “Decode” shows where.", 600)
    )


NO_CODE = "There is no code here: the textbook’s code does not encode as this tokenizer does."
MOST_LISTED = 60  # steps
MOST_LISTED_SYMBOLS = 400


@fragment
def encoding_grid(setting: Setting, below: DeltaGenerator, *, ends: bool = False) -> None:
    """Draw the grid, and its steps as text into an empty place below, collapsed at first.

    ends: whether it begins at its end, with the tokens of the text.
    """
    window = encoding_window(setting.text, setting.tokenizer, window_start("encode"))
    feed, steps, rail = _feed(
        (setting.cache_key, window.digest, window.window.start, window.window.end), setting, window
    )
    with st.container(key="encode_stage"):  # stages.css puts the open code beside the grid
        token_grid(feed, key="encode", step=feed["last"] if ends else 0, options={"view": "text"}, rail=rail)
        code_listing(
            encoder_lines(setting.tokenizer.textbook(setting.encoder)),
            key="encode_code",
            group="encode",
            none=NO_CODE,
        )
    if steps:
        with below.expander("The same steps as text"):
            st.code("\n".join(listing(setting.tokenizer, steps)), language=None, wrap_lines=True)
    else:
        below.empty()


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _feed(
    key: object, _setting: Setting, _window: EncodingWindow
) -> tuple[EncodingFeed, list[EncodeStep], Mapping[str, Any] | None]:
    """Return the feed, its steps, and for the presenter view what has been learned, if there is room for it."""
    feed, steps = encoding_feed(_setting.tokenizer, _window, _setting.encoder)
    return feed, steps, staged_rail(_setting.tokenizer, steps)


def listing(tokenizer: Tokenizer, steps: Sequence[EncodeStep]) -> Iterator[str]:
    r"""Yield a line for each step with the words after it, as textbooks print it.

    A long text is listed without its words, and a long encoding without its last steps.

    >>> import bpe
    >>> tokenizer = bpe.train("low low lower", merges=2).tokenizer()
    >>> print(*listing(tokenizer, list(tokenizer.encode_steps("low"))), sep="\n")
    start             l o w </w>
    merge 1: l + o    lo w </w>
    merge 2: lo + w   low </w>
    """
    label = sentence_label(tokenizer.variant)
    timeline = steps[0].timeline
    few_symbols = sum(map(len, timeline.words)) <= MOST_LISTED_SYMBOLS
    heads = ["start", *(_head(step, label) for step in steps[:MOST_LISTED])]
    width = max(map(len, heads)) + 2
    for number, head in enumerate(heads):
        if few_symbols:
            words = timeline.words_at(steps[number - 1].number + 1 if number else 0)
            yield f"{head:{width}} " + _words([[label(symbol) for symbol in word] for word in words])
        else:
            yield head if not number else f"{head:{width}} {len(steps[number - 1].places):,} times"
    if len(steps) > MOST_LISTED:
        yield f"… {len(steps) - MOST_LISTED:,} more steps"


def _words(words: Sequence[Sequence[str]]) -> str:
    """Return the words with their tokens apart, and farther from each other than tokens are."""
    gap = "  " if any(" " in token for word in words for token in word) else " "
    return (2 * gap).join(gap.join(word) for word in words)


def _head(step: EncodeStep, label: Callable[[Symbol], str]) -> str:
    if step.pair is None or step.rank is None:
        return f"split off {label(step.token)}"
    return f"{merge_name(step.rank)}: {' + '.join(map(label, step.pair))}"
