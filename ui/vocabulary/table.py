"""The table of tokens: searched, sorted by its headers, exported; one row can be looked into."""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from bpe import BPEError, Symbol, Trace
from bpe.analysis.vocabulary import LONGEST_SHOWN, ORDERS, SEARCHES, Entry, entries, in_short, search
from ui import page_link, session
from ui.show.colours import colours_of
from ui.show.tables import bytes_text
from ui.show.text import csv_file, in_markdown
from ui.sidebar.settings import MOST_VOCABULARY
from ui.sidebar.sidebar import Choice
from ui.step_slider import cache_key

TOKEN, FIND, HOW, ORDER, UNUSED = (
    "vocabulary_token",
    "vocabulary_find",
    "vocabulary_how",
    "vocabulary_order",
    "vocabulary_unused",
)
COLUMNS = ("id", "token", "bytes", "length", "merge", "left", "right", "count", "words", "state")
MARKS = {
    "in use": "● in use",
    "stepping stone": "○ stepping stone",
    "used up": "○ used up",
    "never seen": "· never seen",
    "special": "◆ special",
}
ROWS_A_PAGE = 1_000
LONGEST_IN_CELL = 64  # bytes of a token
MOST_IN_FILE = 4_000_000  # bytes of all its tokens together; a row spells each of them about five times
WHOLE = sys.maxsize
MOST_WANTED = 200  # characters of a search
LINK = {
    "token": (TOKEN, page_link.whole_number(0, MOST_VOCABULARY)),
    "find": (FIND, page_link.short_text),
    "how": (HOW, page_link.slug(*SEARCHES)),
    "order": (ORDER, page_link.slug(*ORDERS)),
    "unused": (UNUSED, lambda said: True if said == "yes" else None),
}


class Wanted(NamedTuple):
    """What is searched for, and in which order it is to stand."""

    how: str  # slug
    text: str
    unused: bool
    order: str  # slug


def vocabulary(trace: Trace, choice: Choice, step: int) -> list[Entry]:
    """The entries at a step; those of the last step asked for are kept."""
    return _entries(cache_key(trace, choice, step), trace)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _entries(key: tuple[str, int, int], _trace: Trace) -> list[Entry]:
    return entries(_trace, key[-1])


def draw(trace: Trace, choice: Choice, found: Sequence[Entry], step: int) -> None:
    """Search, table and file. A row that is chosen becomes the token looked into."""
    wanted = _wanted()
    name = cache_key(trace, choice, step)
    try:
        shown = _found((name, wanted), found, wanted)
    except BPEError as error:
        st.error(in_markdown(str(error), 300))
        return
    used = sum(entry.in_use for entry in found)
    said = f"{len(shown):,} of {len(found):,} tokens; the corpus holds {used:,} of them now."
    st.caption(f"{said} Choose a row to look into its token.")
    if not shown:
        st.info(
            "No token matches. Search for less of it, or for what it is spelled as: </w>, ▁ or · for a space."
        )
        return
    search_key = hashlib.sha256(repr((name, wanted)).encode()).hexdigest()[:12]
    above = st.container()
    on_page = _page(shown, f"vocabulary_page_{search_key}")
    frame = table(trace, on_page)
    key = f"vocabulary_table_{search_key}_{on_page[0].id}"

    def chosen() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            st.session_state[TOKEN] = on_page[rows[0]].id

    above.dataframe(
        _greyed(frame, dark=st.context.theme.type == "dark"),
        hide_index=True,
        height=min(420, 38 + 35 * len(frame)),
        key=key,
        on_select=chosen,
        selection_mode="single-row",
        placeholder="",
        alt="Tokens that match, one a row",
        column_config=_columns(trace),
    )
    longest = longest_in_file(shown)
    st.download_button(
        f"Download {'these' if len(shown) < len(found) else 'all'} {len(shown):,} tokens (CSV)",
        data=lambda: csv_file(COLUMNS, rows_of(trace, shown, longest)),
        help=None
        if longest == WHOLE
        else f"Of tokens of more than {longest:,} bytes the file holds beginning and end: whole they would fill it.",
        file_name="vocabulary.csv",
        mime="text/csv",
        on_click="ignore",
        key="download_vocabulary",
    )


def _page(shown: Sequence[Entry], key: str) -> Sequence[Entry]:
    """The entries of the page that is chosen below the table: only they go to the browser."""
    pages = -(-len(shown) // ROWS_A_PAGE)
    if pages == 1:
        return shown
    first = (st.pagination(pages, width="stretch", key=key) - 1) * ROWS_A_PAGE
    last = min(first + ROWS_A_PAGE, len(shown))
    st.caption(
        f"Rows {first + 1:,} to {last:,} of {len(shown):,}. A column's header sorts these, Order sorts all."
    )
    return shown[first:last]


def _wanted() -> Wanted:
    """The controls of search and order."""
    for key, rows in ((HOW, SEARCHES), (ORDER, ORDERS)):
        if st.session_state.get(key) not in rows:
            st.session_state[key] = next(iter(rows))
    columns = st.columns([2, 3, 2, 2], gap="medium", vertical_alignment="bottom")
    how = str(
        columns[0].selectbox(
            "Token",
            tuple(SEARCHES),
            key=HOW,
            format_func=lambda slug: SEARCHES[slug].title,
            persist_state="session",
        )
    )
    wanted = columns[1].text_input(
        "Search",
        key=FIND,
        max_chars=MOST_WANTED,
        placeholder=f"for example {SEARCHES[how].example}",
        persist_state="session",
    )
    order = str(
        columns[2].selectbox(
            "Order",
            tuple(ORDERS),
            key=ORDER,
            format_func=lambda slug: ORDERS[slug][0],
            persist_state="session",
        )
    )
    unused = columns[3].toggle("Only unused", key=UNUSED, persist_state="session")
    return Wanted(how, wanted or "", unused, order)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _found(key: object, _entries: Sequence[Entry], _wanted: Wanted) -> list[Entry]:
    """What the search finds, in the order asked for. Raises BPEError for a search that cannot be read."""
    matching = search(_entries, _wanted.how, _wanted.text, _wanted.unused)
    return sorted(matching, key=ORDERS[_wanted.order][1])


def longest_in_file(shown: Sequence[Entry]) -> int:
    """From how many bytes on the middle of a token is left out of the file: of none, if memory bears them all."""
    return WHOLE if sum(len(entry.symbol) for entry in shown) <= MOST_IN_FILE else LONGEST_SHOWN


def rows_of(trace: Trace, shown: Sequence[Entry], longest: int = WHOLE) -> Iterator[tuple[Any, ...]]:
    """One row of COLUMNS for each entry; the middle of tokens of more than `longest` bytes is cut out."""

    def label(symbol: Symbol) -> str:
        return in_short(symbol, trace.variant.label, longest)

    size = partial(bytes_text, trace.variant)
    for entry in shown:
        left, right = map(label, entry.pair) if entry.pair else ("", "")
        own = entry.label if len(entry.symbol) <= min(longest, LONGEST_SHOWN) else label(entry.symbol)
        yield (
            *(entry.id, own, in_short(entry.symbol, size, longest), entry.length, entry.born, left, right),
            *(entry.count, entry.words, MARKS[entry.state]),
        )


def table(trace: Trace, shown: Sequence[Entry]) -> pd.DataFrame:
    """The rows as a DataFrame."""
    frame = pd.DataFrame(rows_of(trace, shown, LONGEST_IN_CELL), columns=list(COLUMNS))
    return frame.astype({"merge": "Int32"})


def _greyed(frame: pd.DataFrame, *, dark: bool) -> Any:
    """Return the table with unused tokens in grey; their state says the same in words and by its mark."""
    grey = f"color: {colours_of(dark=dark).soft}"
    unused = ~frame["state"].str.startswith("●")

    def style(rows: pd.DataFrame) -> pd.DataFrame:
        css = pd.DataFrame("", index=rows.index, columns=rows.columns)
        css.loc[unused] = grey
        return css

    return frame.style.apply(style, axis=None)


def _columns(trace: Trace) -> dict[str, Any]:
    unit = trace.variant.unit
    return {
        "id": st.column_config.NumberColumn(format="%d"),
        "length": st.column_config.NumberColumn(help=f"In {unit}; a marker counts as one"),
        "merge": st.column_config.NumberColumn(help="Rank of the merge that made it, from 0", format="%d"),
        "left": st.column_config.TextColumn(help="Left token of the pair that was merged"),
        "right": st.column_config.TextColumn(help="Right token of the pair that was merged"),
        "count": st.column_config.NumberColumn(
            help="Occurrences in the corpus now, each word as often as it occurs"
        ),
        "words": st.column_config.NumberColumn(help="Distinct words that hold it now"),
        "state": st.column_config.TextColumn(
            help="A stepping stone was merged and then taken up whole by later merges; the vocabulary keeps it"
        ),
    }


def suggest_token(offered: int, last: int) -> None:
    """Look into this token, of ids 0 to `last`, until the viewer chooses another: it follows corpus and step."""
    token = st.session_state.get(TOKEN)
    if not isinstance(token, int) or token == session.SUGGESTED_TOKEN.read() or not 0 <= token <= last:
        st.session_state[TOKEN] = offered
    session.SUGGESTED_TOKEN.write(offered)


def linked() -> dict[str, str | int | None]:
    """What the link says of the search and the token."""
    token = st.session_state.get(TOKEN)
    how, order = st.session_state.get(HOW), st.session_state.get(ORDER)
    return {
        "token": token if token != session.SUGGESTED_TOKEN.read() else None,
        "find": st.session_state.get(FIND) or None,
        "how": None if how == next(iter(SEARCHES)) else how,
        "order": None if order == next(iter(ORDERS)) else order,
        "unused": "yes" if st.session_state.get(UNUSED) else None,
    }
