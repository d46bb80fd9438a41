"""Charts of a growing vocabulary in tabs, each with a sentence on what to see. Only the open tab is computed."""

import hashlib
from collections.abc import Callable, Sequence

import streamlit as st

from bpe import Trace
from bpe.analysis.compression import tokens_needed
from bpe.analysis.vocabulary import Entry
from bpe.text.display import counted
from ui.choices.choices import Choice
from ui.show.charts import draw_chart
from ui.step_slider import cache_key
from ui.vocabulary import figures
from ui.vocabulary.held_out_text import choose_held_out_text


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


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _held_out_tokens(key: object, _trace: Trace, _text: str) -> list[int]:
    """Return the number of tokens of a text after each merge. `key` identifies trace and text."""
    return tokens_needed(_trace, _text)


def _growth(trace: Trace, step: int, dark: bool) -> None:
    more, same, fewer = figures.change_counts(trace)
    work = "replay" if trace.replayed else "training"
    about = (
        f"{_grows(trace)} The number actually in use rises by 1 if both parts are still "
        "in use, stays if one is used up, and falls by 1 if both are."
    )
    peak = figures.peak_step(trace.in_use_by_step()) if trace.steps else None
    if peak is not None:
        about += (
            f" It is highest after {counted(peak, 'merge')}: from there to the end, merges use up more tokens than "
            "they add."
        )
    rose = f"In this {work}, the number of tokens in use rose in {counted(more, 'merge')}"
    st.caption(f"{rose}, stayed in {same:,} and fell in {fewer:,}.", help=about)
    draw_chart(figures.growth(trace, step, dark=dark), "growth")


def _grows(trace: Trace) -> str:
    if trace.replayed:
        text = "The vocabulary is the tokenizer's: each step adds the tokens of its merges up to this one."
        return f"{text} A merge learned from this text adds one token." if trace.replayed.learned else text
    return "Every merge adds one token to the vocabulary."


def _lengths(trace: Trace, vocabulary: Sequence[Entry], dark: bool) -> None:
    st.caption("How long the tokens are. Hatched: tokens that do not occur in the text now.")
    figure = figures.lengths(vocabulary, trace.variant.unit, dark=dark)
    draw_chart(figure, "lengths")


def _frequencies(vocabulary: Sequence[Entry], dark: bool) -> None:
    st.caption(
        "Tokens in use, the most frequent first, on logarithmic axes.",
        help="The words of a natural text fall roughly along a line (Zipf's law). Move the slider to see how merges "
        "bend the left end of the curve.",
    )
    draw_chart(figures.frequencies(vocabulary, dark=dark), "frequencies")


def _compression(trace: Trace, choice: Choice, step: int, dark: bool) -> None:
    _, text = choose_held_out_text(choice)
    marker = trace.variant.marker or b""
    size = sum(count * len(symbol.replace(marker, b"")) for symbol, count in trace.token_counts(0).items())
    ratios_of = {"training text": figures.ratios(size, trace.tokens_by_step())}
    if text.strip():
        symbols = trace.segment(text, 0)
        own = sum(len(symbol.replace(marker, b"")) for symbol in symbols)
        ratios_of["held-out text"] = figures.ratios(own, _needed(trace, choice, text))
    st.caption(
        "UTF-8 bytes per token, without markers.",
        help="Every merge shortens the text it was learned from. A held-out text, which was not used in training, "
        "gains only from merges of pairs that it contains too.",
    )
    sizes = [trace.vocabulary_size(k) for k in range(len(trace.steps) + 1)]
    draw_chart(figures.compression(ratios_of, sizes, step, dark=dark), "compression")


def _needed(trace: Trace, choice: Choice, text: str) -> list[int]:
    """Return the number of tokens of the text after each merge."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return _held_out_tokens((cache_key(trace, choice, len(trace.steps)), digest), trace, text)
