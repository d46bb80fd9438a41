"""Charts of a growing vocabulary in tabs, each with a sentence on what to see. Only the open tab is computed."""

import hashlib
from collections.abc import Callable, Sequence

import streamlit as st

from bpe import Trace
from bpe.analysis.compression import tokens_needed
from bpe.analysis.vocabulary import Entry
from bpe.text.display import counted
from ui.sidebar.sidebar import Choice
from ui.step_slider import cache_key
from ui.vocabulary import figures
from ui.vocabulary.held_out_text import choose_held_out_text

QUIET = {"displayModeBar": False}


def chart_tabs(trace: Trace, choice: Choice, vocabulary: Sequence[Entry], step: int) -> None:
    """Draw the tabs."""
    st.header("While the vocabulary grows")
    dark = st.context.theme.type == "dark"
    tabs: dict[str, Callable[[], None]] = {
        "Vocabulary and tokens": lambda: _growth(trace, step, dark),
        "Compression": lambda: _compression(trace, choice, step, dark),
        "Lengths": lambda: _lengths(trace, vocabulary, dark),
        "Rank and frequency": lambda: _frequencies(vocabulary, dark),
    }
    for tab, draw_tab in zip(
        st.tabs(list(tabs), key="vocabulary_charts", on_change="rerun"), tabs.values(), strict=True
    ):
        if tab.open:
            with tab:
                draw_tab()


def _growth(trace: Trace, step: int, dark: bool) -> None:
    more, same, fewer = figures.change_counts(trace)
    caption = (
        "The vocabulary rises by one a merge and never shrinks. The tokens in use change by +1 when both parts live "
        "on, by 0 when one of them is used up, by −1 when both are: "
        f"of these merges {more:,} added one, {same:,} changed nothing, {fewer:,} took one away."
    )
    peak = figures.peak_step(trace.in_use_by_step()) if trace.steps else None
    if peak is not None:
        caption += f" They are never more than after {counted(peak, 'merge')}: "
        caption += "then words become tokens, and their parts go."
    st.caption(caption)
    st.plotly_chart(figures.growth(trace, step, dark=dark), theme=None, config=QUIET, key="growth")


def _lengths(trace: Trace, vocabulary: Sequence[Entry], dark: bool) -> None:
    st.caption("How long tokens are. Hatched: tokens that the corpus does not hold now.")
    figure = figures.lengths(vocabulary, trace.variant.unit, dark=dark)
    st.plotly_chart(figure, theme=None, config=QUIET, key="lengths")


def _frequencies(vocabulary: Sequence[Entry], dark: bool) -> None:
    st.caption(
        "Tokens in use, the most frequent first, on logarithmic axes. Words alone would fall along a line (Zipf's "
        "law); "
        "merging takes from the most frequent pairs, so the curve grows flatter at its head."
    )
    st.plotly_chart(figures.frequencies(vocabulary, dark=dark), theme=None, config=QUIET, key="frequencies")


def _compression(trace: Trace, choice: Choice, step: int, dark: bool) -> None:
    title, text = choose_held_out_text(choice)
    marker = trace.variant.marker or b""
    size = sum(count * len(symbol.replace(marker, b"")) for symbol, count in trace.token_counts(0).items())
    ratios_of = {"the corpus": figures.ratios(size, trace.tokens_by_step())}
    if text.strip():
        symbols = trace.segment(text, 0)
        own = sum(len(symbol.replace(marker, b"")) for symbol in symbols)
        ratios_of[f"held out: {title}"] = figures.ratios(own, _needed(trace, choice, text))
    st.caption(
        "UTF-8 bytes per token, markers not counted. Every merge helps the corpus it was learned on; a text that was "
        "held out gains as long as what is learned is general, and no more."
    )
    start = len(trace.special_tokens) + len(trace.alphabet)
    st.plotly_chart(
        figures.compression(ratios_of, start, step, dark=dark), theme=None, config=QUIET, key="compression"
    )


def _needed(trace: Trace, choice: Choice, text: str) -> list[int]:
    """Return the number of tokens of the text after each merge."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return held_out_tokens((cache_key(trace, choice, len(trace.steps)), digest), trace, text)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def held_out_tokens(key: object, _trace: Trace, _text: str) -> list[int]:
    """Return the number of tokens of a text after each merge. `key` identifies trace and text."""
    return tokens_needed(_trace, _text)
