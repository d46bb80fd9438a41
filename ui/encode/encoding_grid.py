"""The grid of Encode: a window of the text, encoded step by step, and the same steps as a listing."""

from collections.abc import Callable, Iterator, Sequence

import streamlit as st

from bpe import Symbol
from bpe.encoding.encode_steps import EncodeStep
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import merge_name
from bpe.text.sentence_label import sentence_label
from film.encoding_feed import EncodingWindow, encoding_feed, encoding_window
from film.feed import EncodingFeed
from ui.components.token_grid import token_grid, window_start
from ui.encode.controls import Setting
from ui.work.full_memory import fragment

MOST_LISTED = 60  # steps
MOST_LISTED_SYMBOLS = 400


@fragment
def encoding_grid(setting: Setting) -> None:
    """Draw the grid, and below it the listing, collapsed at first."""
    window = encoding_window(setting.text, setting.tokenizer, window_start("encode"))
    feed, steps = _feed(
        (setting.cache_key, window.digest, window.window.start, window.window.end), setting, window
    )
    token_grid(feed, key="encode", options={"view": "text"})
    if steps:
        with st.expander("The same steps as text"):
            st.code("\n".join(listing(setting.tokenizer, steps)), language=None, wrap_lines=True)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _feed(key: object, _setting: Setting, _window: EncodingWindow) -> tuple[EncodingFeed, list[EncodeStep]]:
    return encoding_feed(_setting.tokenizer, _window, _setting.encoder)


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
