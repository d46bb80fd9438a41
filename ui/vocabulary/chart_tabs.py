"""Charts of a growing vocabulary in tabs, each with a sentence on what to see. Only the open tab is computed."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import streamlit as st

from bpe import Symbol, Trace
from bpe.analysis.audit import Trimming, trimming, unreachable_tokens
from bpe.analysis.compression import tokens_needed
from bpe.analysis.vocabulary import LONGEST_SHOWN, Entry, in_short
from bpe.encoding.encoders import ENCODERS
from bpe.text.display import counted
from bpe.text.sentence_label import sentence_label
from film.labels import short_chip_label
from ui import navigation, visit
from ui.choices.choices import Choice
from ui.components.chip_result_table import Drawn, chip_result_table
from ui.components.chip_table import Chips, Column
from ui.encode import controls
from ui.encode import controls as encoder_settings
from ui.show.charts import draw_chart
from ui.show.tables import MOST_ROWS
from ui.show.text import tokens_in_markdown
from ui.step_slider import cache_key
from ui.vocabulary import figures
from ui.vocabulary.audit import audit_tab
from ui.vocabulary.held_out_text import choose_held_out_text

KEY = "vocabulary_trim"
ENCODER = next(row for row in ENCODERS.values() if row.needs_counts and row.settings)
(SETTING,) = ENCODER.settings
LINK = {"trim": (KEY, visit.whole_number(1, int(SETTING.most)))}
NAMED = 8  # unreachable tokens in the sentence
COLUMNS = ("token", "count", "split into", "more tokens")
DRAWN = (
    Column("token", "tokens"),
    Column("count", "number"),
    Column("split into", "tokens"),
    Column("more tokens", "number"),
)


def chart_tabs(trace: Trace, choice: Choice, vocabulary: Sequence[Entry], step: int) -> None:
    """Draw the tabs."""
    st.header("While the vocabulary grows")
    dark = st.context.theme.type == "dark"
    tabs: dict[str, Callable[[], None]] = {
        "Vocabulary and tokens": lambda: _growth(trace, step, dark),
        "Compression": lambda: _compression(trace, choice, step, dark),
        "Lengths": lambda: _lengths(trace, vocabulary, dark),
        "Rank and frequency": lambda: _frequencies(vocabulary, dark),
        "Trimming": lambda: _trimming_tab(trace, choice, step, dark),
        "Audit": lambda: audit_tab(trace, choice, step),
    }
    for tab, draw_tab in zip(
        st.tabs(list(tabs), key="vocabulary_charts", on_change="rerun"), tabs.values(), strict=True
    ):
        if tab.open:
            with tab:
                draw_tab()


def linked() -> dict[str, str | int | None]:
    """Return the link parameter of the threshold; empty for the default."""
    threshold = st.session_state.get(KEY)
    return {"trim": None if threshold in (None, SETTING.default) else int(threshold)}


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _held_out_tokens(key: object, _trace: Trace, _text: str) -> list[int]:
    """Return the number of tokens of a text after each merge. `key` identifies trace and text."""
    return tokens_needed(_trace, _text)


def _trimming_tab(trace: Trace, choice: Choice, step: int, dark: bool) -> None:
    """Draw the tab."""
    st.caption(
        "Trimming removes rare merged tokens and splits them into their parts.",
        help="A rare token needs a row in the model’s table but hardly shortens the text. A token that is rarer than "
        "you choose is split into the tokens it was merged from.",
    )
    key = cache_key(trace, choice, step)
    choices = _choices(key, trace)
    if not choices:
        st.info("There is no merged token to remove yet. Move the slider above to a later merge.")
        return
    thresholds = [offered.threshold for offered in choices]
    asked = st.session_state.get(KEY, SETTING.default)
    st.session_state[KEY] = min(thresholds, key=lambda threshold: abs(threshold - asked))
    threshold = int(
        st.select_slider(
            "Keep a token that occurs at least … times",
            thresholds,
            key=KEY,
            persist_state="session",
            help="With 1, only tokens that never occur by themselves are removed: they occur nowhere in the text, "
            "or only inside longer tokens.",
        )
    )
    chosen = choices[thresholds.index(threshold)]
    _tiles(chosen)
    draw_chart(figures.trimming_price(choices, thresholds.index(threshold), dark=dark), "trimming")
    st.caption(_reachable(trace, _unreachable(key, trace)))
    if st.button(
        "Encode a text without these tokens",
        key="trim_encode",
        disabled=not chosen.removed,
        on_click=_to_encode,
        args=(threshold,),
        help="Opens Encode with the encoder “" + ENCODER.title + "” and this number.",
    ):
        st.switch_page(navigation.file_of("encode"))
    _table(trace, chosen)


def _to_encode(threshold: int) -> None:
    """Choose the encoder on Encode. A callback, so that the page's controls are drawn afterwards."""
    controls.choose_encoder(ENCODER.slug)
    encoder_settings.put(ENCODER, threshold=threshold)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _choices(key: tuple[str, int, int], _trace: Trace) -> list[Trimming]:
    """Return the trimmed vocabulary for each threshold that is offered."""
    return _priced(_trace, key[-1])


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _unreachable(key: tuple[str, int, int], _trace: Trace) -> list[Symbol]:
    """Return the tokens that no text gives. A training in one stage learns none: a test shows it."""
    if not _trace.replayed and _trace.second_stage is None:
        return []
    return unreachable_tokens(_trace, key[-1])


def _priced(trace: Trace, step: int) -> list[Trimming]:
    """Return the trimmed vocabulary for 1, 2, 5, 10, 20, 50, … up to the first threshold that removes every merge.

    >>> from merge_by_merge import bpe
    >>> [trimmed.threshold for trimmed in _priced(bpe.train("low low low lower", merges=4), 4)]
    [1, 2, 5]
    """
    merged = {left + right for left, right in trace.tokenizer(step).merges}
    most = max((count for token, count in trace.token_counts(step).items() if token in merged), default=0)
    choices: list[Trimming] = []
    threshold, factors = 1, (2, 2.5, 2)
    while merged and (not choices or choices[-1].threshold <= most) and threshold <= SETTING.most:
        choices.append(trimming(trace, step, threshold))
        threshold = int(threshold * factors[(len(choices) - 1) % 3])
    return choices


def _tiles(chosen: Trimming) -> None:
    tiles = st.columns(3)
    tiles[0].metric(
        "Vocabulary",
        f"{chosen.vocabulary_after:,}",
        f"{-len(chosen.removed):,} tokens" if chosen.removed else "nothing removed",
        delta_color="off",
        delta_arrow="off",
    )
    more = chosen.tokens_after - chosen.tokens_before
    tiles[1].metric(
        "Tokens in the text",
        f"{chosen.tokens_after:,}",
        f"+{more:,} ({chosen.price:.1%})" if more else "no more than before",
        delta_color="off",
        delta_arrow="off",
    )
    tiles[2].metric(
        "Removed at no cost",
        f"{chosen.free:,}",
        "only inside longer tokens" if chosen.free else "none",
        delta_color="off",
        delta_arrow="off",
    )


def _reachable(trace: Trace, unreachable: Sequence[Symbol]) -> str:
    if not unreachable:
        return "Each merged token can still be produced: encoding its own text gives this token."
    named = tokens_in_markdown(
        (f"{', ' if number else ''}{in_short(symbol, sentence_label(trace.variant), 24)}", False)
        for number, symbol in enumerate(unreachable[:NAMED])
    )
    return (
        f"{counted(len(unreachable), 'token')} can never be reached, since other merges use "
        f"{'its' if len(unreachable) == 1 else 'their'} characters first: {named}"
        f"{' …' if len(unreachable) > NAMED else ''}"
    )


def _removed_rows(trace: Trace, chosen: Trimming) -> Iterator[tuple[Any, ...]]:
    """Yield one row of COLUMNS for each removed token; the middle of a long token is left out."""

    def label(symbol: Symbol) -> str:
        return in_short(symbol, trace.variant.label, LONGEST_SHOWN)

    for trimmed in chosen.removed:
        yield label(trimmed.symbol), trimmed.count, " ".join(map(label, trimmed.parts)), trimmed.cost


def _table(trace: Trace, chosen: Trimming) -> None:
    if not chosen.removed:
        return
    rows = sorted(_removed_rows(trace, chosen), key=lambda row: -row[-1])
    chips = Chips(partial(short_chip_label, trace.variant), trace.id_of)
    removed = sorted(chosen.removed, key=lambda trimmed: -trimmed.cost)[:MOST_ROWS]
    cells = [(chips(one.symbol), one.count, chips(*one.parts), one.cost) for one in removed]
    chip_result_table(
        "trimmed tokens",
        Drawn(DRAWN, cells, chips),
        COLUMNS,
        rows,
        "token removed",
        "tokens removed, the most expensive first",
        table_key="trimmed_tokens",
        file_key="download_trimmed",
    )


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
    rose = f"In this {work}, the tokens in use rose at {counted(more, 'merge')}"
    st.caption(f"{rose}, stayed at {same:,} and fell at {fewer:,}.", help=about)
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
