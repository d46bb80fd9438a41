"""The result: the film in the grid, its measures, the ids to copy, tokens with offsets, and the round trip."""

from collections.abc import Callable, Iterator, Sequence

import streamlit as st

from bpe import Symbol
from bpe.encoding.encode_steps import EncodeStep
from bpe.encoding.offsets import pre_token_starts, token_spans
from bpe.encoding.tokenizer import Tokenizer
from film.encoding_feed import EncodingWindow, encoding_feed, encoding_window
from film.feed import EncodingFeed
from ui.components.token_grid import token_grid, window_start
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded, cuts, losses, plain_measures
from ui.show import tables
from ui.show.tables import bytes_text
from ui.show.text import csv_file, in_markdown

MOST_IDS = 1_500  # shown to copy; the file has all
MOST_ROWS = 500
MOST_LISTED = 60  # steps of the listing
MOST_LISTED_SYMBOLS = 400
TOKEN_COLUMNS = ("position", "id", "token", "bytes", "start", "end")


@st.fragment
def play(setting: Setting) -> None:
    """The window's encoding, step by step, in the grid; below it the same as a listing."""
    window = encoding_window(setting.text, setting.tokenizer, window_start("encode"))
    feed, steps = _feed((setting.name, window.digest, window.part.start, window.part.end), setting, window)
    first = feed["last"] // 2 if setting.example else 0
    token_grid(feed, key="encode", step=first, options={"view": "text"})
    if steps:
        with st.expander("The same as a listing"):
            st.code("\n".join(listing(setting.tokenizer, steps)), language=None, wrap_lines=True)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _feed(key: object, _setting: Setting, _window: EncodingWindow) -> tuple[EncodingFeed, list[EncodeStep]]:
    return encoding_feed(_setting.tokenizer, _window, _setting.encoder)


def listing(tokenizer: Tokenizer, steps: Sequence[EncodeStep]) -> Iterator[str]:
    r"""Every state on the way, as printed sources show it; long texts and films are cut, and say so.

    >>> import bpe
    >>> made = bpe.train("low low lower", merges=2).tokenizer()
    >>> print(*listing(made, list(made.encode_steps("low"))), sep="\n")
    start            l o w </w>
    rank 0: l + o    lo w </w>
    rank 1: lo + w   low </w>
    """
    label = tokenizer.variant.label
    film = steps[0].timeline
    few = sum(map(len, film.words)) <= MOST_LISTED_SYMBOLS
    heads = ["start", *(_head(step, label) for step in steps[:MOST_LISTED])]
    width = max(map(len, heads)) + 2
    for number, head in enumerate(heads):
        if few:
            words = film.words_at(steps[number - 1].number + 1 if number else 0)
            yield f"{head:{width}} " + "  ".join(" ".join(map(label, word)) for word in words)
        else:
            yield head if not number else f"{head:{width}} {len(steps[number - 1].places):,} times"
    if len(steps) > MOST_LISTED:
        yield f"… {len(steps) - MOST_LISTED:,} steps more"


def _head(step: EncodeStep, label: Callable[[Symbol], str]) -> str:
    if step.pair is None:
        return f"take {label(step.token)}"
    return f"rank {step.rank}: {' + '.join(map(label, step.pair))}"


def tiles(made: Encoded) -> None:
    """Four measures, each beside characters-only and words-only tokenization of the same text."""
    characters, words = plain_measures(made)
    now = made.measure
    shown = (
        (
            "Tokens",
            f"{now.tokens:,}",
            f"{characters.tokens:,}",
            f"{words.tokens:,}",
            "Tokens of the whole text.",
        ),
        (
            "Characters per token",
            f"{now.characters_per_token:.2f}",
            f"{characters.characters_per_token:.2f}",
            f"{words.characters_per_token:.2f}",
            "Characters of the text, white space too, divided by its tokens.",
        ),
        (
            "Bytes per token",
            f"{now.bytes_per_token:.2f}",
            f"{characters.bytes_per_token:.2f}",
            f"{words.bytes_per_token:.2f}",
            "UTF-8 bytes of the text divided by its tokens: the compression, fair between scripts.",
        ),
        (
            "Tokens per word",
            f"{now.fertility:.2f}",
            f"{characters.fertility:.2f}",
            f"{words.fertility:.2f}",
            "Fertility: tokens divided by words between white space.",
        ),
    )
    with st.container(key="tiles"):
        for label, value, as_characters, as_words, explained in shown:
            with st.container(border=True, height="stretch"):
                st.metric(label, value, help=explained)
                st.caption(f"{as_characters} as characters only, {as_words} as words only")


def ids(setting: Setting, made: Encoded) -> None:
    """The ids, to copy; and whether they give the text back."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.header("Ids")
        shown = ", ".join(map(str, made.ids[:MOST_IDS]))
        st.code(f"[{shown}]" if len(made.ids) <= MOST_IDS else f"{shown}, …", language=None, wrap_lines=True)
        _say_round_trip(setting, made)
    with right:
        st.header("Tokens and offsets")
        rows = _first_rows(made.name, setting.tokenizer, made)
        st.dataframe(
            tables.frame(TOKEN_COLUMNS, rows),
            hide_index=True,
            height=min(320, 38 + 35 * max(1, len(rows))),
            key="encode_tokens_table",
            column_config={
                "start": st.column_config.NumberColumn(
                    help="First character, from 0; of a part, the whole character"
                ),
                "end": st.column_config.NumberColumn(help="Character behind the last one"),
            },
        )
        st.download_button(
            f"Download all {len(made.tokens):,} tokens (CSV)",
            data=lambda: csv_file(TOKEN_COLUMNS, token_rows(setting.tokenizer, made)),
            file_name="tokens.csv",
            mime="text/csv",
            on_click="ignore",
            key="download_encoded",
        )


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _first_rows(name: object, _tokenizer: Tokenizer, _made: Encoded) -> list[tuple[object, ...]]:
    return list(token_rows(_tokenizer, _made, MOST_ROWS))


def token_rows(
    tokenizer: Tokenizer, made: Encoded, most: int | None = None
) -> Iterator[tuple[int, int, str, str, int, int]]:
    """One row of TOKEN_COLUMNS for each token, or the first so many. Offsets count characters."""
    spans = _spans(tokenizer, made)
    for position, (token, number) in enumerate(zip(made.tokens, made.ids, strict=True)):
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


def _spans(tokenizer: Tokenizer, made: Encoded) -> Iterator[tuple[int, int]]:
    """The offsets of the tokens, one after the other: the first rows cost no more than they show."""
    variant = tokenizer.variant
    pre_tokens = variant.split(made.text)
    starts = pre_token_starts(made.text, pre_tokens, variant)
    for tokens, start in zip(cuts(pre_tokens, made, variant), starts, strict=True):
        yield from token_spans(tokens, start, variant)


def _say_round_trip(setting: Setting, made: Encoded) -> None:
    """Whether the ids give the typed text back, and what is lost where they do not."""
    if made.returns:
        st.caption("✓ Decoded again, these ids give the text back, character for character.")
        return
    lost = losses(setting, made)
    st.caption(
        in_markdown(
            f"✗ Decoded again, these ids do not give the text back. Lost: {lost}. “Decode” marks it in place.",
            600,
        )
    )
