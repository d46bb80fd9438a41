"""The table of tokens that a search finds, page by page, and a file with all of them."""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import streamlit as st

from bpe import BPEError, Symbol, Trace
from bpe.analysis.merge_ranks import merge_rank
from bpe.analysis.vocabulary import LONGEST_SHOWN, ORDERS, Entry, entries, in_short, search
from film.labels import short_chip_label
from ui.components.chip_table import Chips, Column, chip_table
from ui.show.tables import bytes_text, csv_button
from ui.show.text import in_markdown
from ui.sidebar.sidebar import Choice
from ui.step_slider import cache_key
from ui.vocabulary.token_search import TokenSearch, look_at, search_controls

FILE_COLUMNS = ("id", "token", "bytes", "length", "rank", "left", "right", "count", "words", "state")
# state of a token -> its text in the table.
MARKS = {
    "in use": "● in use",
    "stepping stone": "○ stepping stone",
    "used up": "○ used up",
    "never seen": "· never seen",
    "special": "◆ special",
}
ROWS_A_PAGE = 1_000
LONGEST_IN_CELL = 64  # bytes of a token
MOST_IN_FILE = 4_000_000  # bytes of all tokens; a row holds its token about five times
WHOLE = sys.maxsize  # no token is shortened


def vocabulary_at(trace: Trace, choice: Choice, step: int) -> list[Entry]:
    """Return the vocabulary at a step. The session caches the last one."""
    return _entries(cache_key(trace, choice, step), trace)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _entries(key: tuple[str, int, int], _trace: Trace) -> list[Entry]:
    return entries(_trace, key[-1])


def token_table(trace: Trace, choice: Choice, vocabulary: Sequence[Entry], step: int) -> None:
    """Draw the search, the table and the file. A click on a row shows the details of its token."""
    wanted = search_controls()
    vocabulary_key = cache_key(trace, choice, step)
    try:
        matches = _matches((vocabulary_key, wanted), vocabulary, wanted)
    except BPEError as error:
        st.error(in_markdown(str(error), 300))
        return
    used = sum(entry.in_use for entry in vocabulary)
    st.caption(
        f"{len(matches):,} of {len(vocabulary):,} tokens match. {used:,} tokens of the vocabulary occur in the text "
        "now. Choose a row to see where its token comes from."
    )
    if not matches:
        st.info(
            "No token matches. Try fewer characters. Markers are written </w> or ▁, and a space is written ·."
        )
        return
    search_key = hashlib.sha256(repr((vocabulary_key, wanted)).encode()).hexdigest()[:12]
    above = st.container()
    on_page = _page_of(matches, f"vocabulary_page_{search_key}")
    with above:
        _draw_rows(trace, on_page, f"vocabulary_table_{search_key}_{on_page[0].id}")
    longest = longest_in_file(matches)
    csv_button(
        f"Download {'these' if len(matches) < len(vocabulary) else 'all'} {len(matches):,} tokens (CSV)",
        FILE_COLUMNS,
        lambda: token_rows(trace, matches, longest),
        name="vocabulary",
        key="download_vocabulary",
        explanation=None
        if longest == WHOLE
        else f"Tokens of more than {longest:,} bytes are shortened in the file, which would be too large otherwise.",
    )


def _draw_rows(trace: Trace, on_page: Sequence[Entry], key: str) -> None:
    chips = Chips(partial(short_chip_label, trace.variant, longest=LONGEST_IN_CELL), trace.id_of)
    chip_table(
        _columns(trace),
        [table_row(trace, entry, chips) for entry in on_page],
        chips,
        key=key,
        label="Matching tokens, one per row",
        pale=[not entry.in_use for entry in on_page],
        choose=lambda row: look_at(on_page[row].id),
    )


def table_row(trace: Trace, entry: Entry, chips: Chips) -> tuple[object, ...]:
    """Return the cells of a token, in the order of the columns on the page. Merges count from 1."""
    left, right = (chips(entry.pair[0]), chips(entry.pair[1])) if entry.pair else (None, None)
    return (
        entry.id,
        chips(entry.symbol) if entry.state != "special" else entry.label,
        MARKS[entry.state],
        entry.count,
        entry.words,
        None if entry.born is None else merge_rank(trace)(entry.symbol) + 1,
        left,
        right,
        entry.length,
        in_short(entry.symbol, partial(bytes_text, trace.variant), LONGEST_IN_CELL),
    )


def _page_of(matches: Sequence[Entry], key: str) -> Sequence[Entry]:
    """Draw the page control below the table and return the page's entries. Only these are sent to the browser."""
    pages = -(-len(matches) // ROWS_A_PAGE)
    if pages == 1:
        return matches
    first = (st.pagination(pages, width="stretch", key=key) - 1) * ROWS_A_PAGE
    last = min(first + ROWS_A_PAGE, len(matches))
    st.caption(
        f"Rows {first + 1:,} to {last:,} of {len(matches):,}. A column header sorts these rows; “Order” sorts all."
    )
    return matches[first:last]


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _matches(key: object, _vocabulary: Sequence[Entry], _wanted: TokenSearch) -> list[Entry]:
    """Return the entries that the search finds, in its order. Raises BPEError for a pattern that cannot be read."""
    matches = search(_vocabulary, _wanted.kind, _wanted.text, _wanted.unused)
    return sorted(matches, key=ORDERS[_wanted.order][1])


def longest_in_file(matches: Sequence[Entry]) -> int:
    """Return the bytes above which the file shortens a token: WHOLE unless the file would be too large."""
    return WHOLE if sum(len(entry.symbol) for entry in matches) <= MOST_IN_FILE else LONGEST_SHOWN


def token_rows(trace: Trace, vocabulary: Sequence[Entry], longest: int = WHOLE) -> Iterator[tuple[Any, ...]]:
    """Yield one row of FILE_COLUMNS for each entry. The middle of a token of more than `longest` bytes is left out."""

    def label(symbol: Symbol) -> str:
        return in_short(symbol, trace.variant.label, longest)

    in_bytes, rank_of = partial(bytes_text, trace.variant), merge_rank(trace)
    for entry in vocabulary:
        left, right = map(label, entry.pair) if entry.pair else ("", "")
        own = entry.label if len(entry.symbol) <= min(longest, LONGEST_SHOWN) else label(entry.symbol)
        yield (
            entry.id,
            own,
            in_short(entry.symbol, in_bytes, longest),
            entry.length,
            None if entry.born is None else rank_of(entry.symbol),
            left,
            right,
            entry.count,
            entry.words,
            MARKS[entry.state],
        )


def _columns(trace: Trace) -> tuple[Column, ...]:
    return (
        Column("id", "number"),
        Column("token", "tokens"),
        Column(
            "state",
            meaning="Later merges used up every copy of a stepping stone, but it stays in the vocabulary",
        ),
        Column("count", "number", "How often it occurs in the text now"),
        Column("words", "number", "How many distinct words contain it now"),
        Column("merge", "number", "The merge that created it; empty for the alphabet"),
        Column("left", "tokens", "Left token of the pair that was merged"),
        Column("right", "tokens", "Right token of the pair that was merged"),
        Column("length", "number", f"In {trace.variant.unit}. A marker has length 1"),
        Column("bytes"),
    )
