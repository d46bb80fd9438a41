"""What the vocabulary does as it grows: the charts, with the sentence that says what to see in each."""

import hashlib
from collections.abc import Callable, Sequence

import streamlit as st

from bpe import Trace
from bpe.analysis.compression import tokens_needed
from bpe.analysis.vocabulary import Entry
from ui import page_link
from ui.components.kept_text import kept_text
from ui.show.text import counted
from ui.sidebar import corpus as corpora
from ui.sidebar.corpus import samples
from ui.sidebar.sidebar import Choice
from ui.step_slider import cache_key
from ui.vocabulary import figures

HELD_OUT, OWN_TEXT = "vocabulary_held_out", "vocabulary_own_text"
OWN = "own"
PREFERRED = ("story", "ties")  # long enough, and in plain English
MOST_HELD_OUT = 100_000  # characters
QUIET = {"displayModeBar": False}
LINK = {"held_out": (HELD_OUT, page_link.slug(*samples(), OWN))}


def draw(trace: Trace, choice: Choice, found: Sequence[Entry], step: int) -> None:
    """The charts behind tabs; only the open one is worked out."""
    st.header("While the vocabulary grows")
    dark = st.context.theme.type == "dark"
    parts: dict[str, Callable[[], None]] = {
        "Vocabulary and tokens": lambda: _growth(trace, step, dark),
        "Compression": lambda: _compression(trace, choice, step, dark),
        "Lengths": lambda: _lengths(trace, found, dark),
        "Rank and frequency": lambda: _frequencies(found, dark),
    }
    for tab, show in zip(
        st.tabs(list(parts), key="vocabulary_charts", on_change="rerun"), parts.values(), strict=True
    ):
        if tab.open:
            with tab:
                show()


def _growth(trace: Trace, step: int, dark: bool) -> None:
    more, same, fewer = figures.change_counts(trace)
    said = (
        "The vocabulary rises by one a merge and never shrinks. The tokens in use change by +1 when both parts live "
        "on, by 0 when one of them is used up, by −1 when both are: "
        f"of these merges {more:,} added one, {same:,} changed nothing, {fewer:,} took one away."
    )
    peak = figures.peak_step(trace.in_use_by_step()) if trace.steps else None
    if peak is not None:
        said += f" They are never more than after {counted(peak, 'merge')}: "
        said += "then words become tokens, and their parts go."
    st.caption(said)
    st.plotly_chart(figures.growth(trace, step, dark=dark), theme=None, config=QUIET, key="growth")


def _lengths(trace: Trace, found: Sequence[Entry], dark: bool) -> None:
    st.caption("How long tokens are. Hatched: tokens that the corpus does not hold now.")
    figure = figures.lengths(found, trace.variant.unit, dark=dark)
    st.plotly_chart(figure, theme=None, config=QUIET, key="lengths")


def _frequencies(found: Sequence[Entry], dark: bool) -> None:
    st.caption(
        "Tokens in use, the most frequent first, on logarithmic axes. Words alone would fall along a line (Zipf's "
        "law); "
        "merging takes from the most frequent pairs, so the curve grows flatter at its head."
    )
    st.plotly_chart(figures.frequencies(found, dark=dark), theme=None, config=QUIET, key="frequencies")


def _compression(trace: Trace, choice: Choice, step: int, dark: bool) -> None:
    name, text = _held_out(choice)
    marker = trace.variant.marker or b""
    size = sum(count * len(symbol.replace(marker, b"")) for symbol, count in trace.token_counts(0).items())
    curves = {"the corpus": figures.ratios(size, trace.tokens_by_step())}
    if text.strip():
        held = trace.segment(text, 0)
        own = sum(len(symbol.replace(marker, b"")) for symbol in held)
        curves[f"held out: {name}"] = figures.ratios(own, _needed(trace, choice, text))
    st.caption(
        "UTF-8 bytes per token, markers not counted. Every merge helps the corpus it was learned on; a text that was "
        "held out gains as long as what is learned is general, and no more."
    )
    start = len(trace.special_tokens) + len(trace.alphabet)
    st.plotly_chart(
        figures.compression(curves, start, step, dark=dark), theme=None, config=QUIET, key="compression"
    )


def _held_out(choice: Choice) -> tuple[str, str]:
    """(title, text) of the text to compress that was not trained on: a sample, or one's own."""
    trained = st.session_state.get("corpus_sample") if choice.source == "sample" else None
    slugs = [slug for slug, sample in samples().items() if sample.kind == "text" and slug != trained]
    offered = [*slugs, OWN]
    if st.session_state.get(HELD_OUT) not in offered:
        st.session_state[HELD_OUT] = next((slug for slug in PREFERRED if slug in offered), offered[0])
    titles = {slug: samples()[slug].title for slug in slugs} | {OWN: "A text of my own"}
    slug = str(
        st.selectbox(
            "Held-out text", offered, key=HELD_OUT, format_func=titles.__getitem__, persist_state="session"
        )
    )
    if slug != OWN:
        return titles[slug], "\n".join(corpora.from_sample(slug).documents)[:MOST_HELD_OUT]
    text = st.text_area(
        "Text that was not trained on",
        key=OWN_TEXT,
        height=96,
        max_chars=MOST_HELD_OUT,
        persist_state="session",
    )
    kept_text({OWN_TEXT: OWN_TEXT}, (OWN_TEXT,), key="_kept_held_out", restore=st.session_state.update)
    return "my text", text or ""


def _needed(trace: Trace, choice: Choice, text: str) -> list[int]:
    """Tokens the text takes after each merge; of the last text asked for they are kept."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return held_out_tokens((cache_key(trace, choice, len(trace.steps)), digest), trace, text)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def held_out_tokens(key: object, _trace: Trace, _text: str) -> list[int]:
    """Return the number of tokens of a text after each merge. `key` names trace and text; the last is kept."""
    return tokens_needed(_trace, _text)


def linked(choice: Choice) -> dict[str, str | int | None]:
    """What the link says of the held-out text."""
    slug = st.session_state.get(HELD_OUT)
    return {"held_out": None if slug in (None, PREFERRED[0]) else str(slug)}
