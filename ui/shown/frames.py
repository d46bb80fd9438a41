"""Whole tables in a window of their own: every pair at a step, every merge, every token.

There they can be searched, filtered and saved, and what the window shows of them can be sorted. A table is made when
somebody opens it, and is gone when the window is closed. pandas is loaded then, not before.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import accumulate, takewhile
from typing import Any, Generic, TypeVar

import streamlit as st

from bpe import Symbol, Trace
from bpe.analysis.ties import tie_map, why_won
from bpe.analysis.vocabulary import LONGEST_SHOWN, Entry, in_short
from bpe.text.display import counted
from film.pair_rows import CountedPair, counted_pairs
from ui.gaps.run_context import drawn_fragment
from ui.trainings.memory_budget import refuse, says_when_full
from ui.view.downloads import csv_button
from ui.view.visit import Slot, nothing

__all__ = ["Table", "all_merges", "all_tokens", "open_asked", "open_pairs", "open_table", "opening"]

_MOST_SHOWN = 10_000  # rows of the window; found and saved are all
_ROW = 1_500  # bytes of a row that is shown, in Python and on its way to the browser
_PAIR = 400  # bytes of a pair while all of them are put in order
# For the reasons why pairs won: tied pairs that are compared, each some 20 to 50 µs. A bound in seconds would write
# another file on a busy machine.
_MOST_WORK = 30_000
_HEIGHT = 440  # px of the table
_KEY = "whole_table"
_Item = TypeVar("_Item")

# Title and maker of the table that a part of the page has asked for
_ASKED: Slot[tuple[str, Callable[[], Any]] | None] = Slot("_asked_table", nothing)


def opening(count: int, noun: str) -> str:
    """Return the label of a button that opens the table of so many rows.

    >>> opening(14, "pair"), opening(1, "pair")
    ('All 14 pairs as one table', 'The pair as a table')
    """
    return f"All {counted(count, noun)} as one table" if count > 1 else f"The {noun} as a table"


@dataclass(frozen=True, slots=True)
class Table(Generic[_Item]):
    """A whole table. Its rows are made when they are shown or saved, since all of them can take hundreds of MB."""

    name: str  # of its file
    columns: Sequence[str]
    items: Sequence[_Item]  # what the rows are of, the best first
    cells: Callable[[_Item], tuple[Any, ...]]  # the row of an item
    texts: Callable[[_Item], Iterable[str]]  # the tokens in it that are searched
    unit: str  # what a row is: "pair"
    filters: Mapping[str, Callable[[_Item], bool]] = field(default_factory=dict)
    note: str = ""

    def found(self, wanted: str, only: Iterable[str] = ()) -> Sequence[_Item]:
        """Return the items that have a token with this text, and that all these filters keep."""
        tests = [self.filters[name] for name in only]
        if wanted:
            tests.append(lambda item: any(wanted in text for text in self.texts(item)))
        return [item for item in self.items if all(test(item) for test in tests)] if tests else self.items


def open_table(title: str, make: Callable[[], Table[Any]]) -> None:
    """Open a window with the table that `make` returns. It is made once, and freed when the window is closed.

    The part of a page that asks for it may run again at once, and Streamlit would then drop the window but not what is
    in it. So the page itself opens it, by `open_asked` in the run that follows.
    """
    if drawn_fragment():
        _ASKED.write((title, make))
        st.rerun()
    _open(title, make)


def open_asked() -> None:
    """Open the window that a part of the page has asked for, if one has. The page calls this when it is drawn."""
    if asked := _ASKED.read():
        _ASKED.forget()
        _open(*asked)


def _open(title: str, make: Callable[[], Table[Any]]) -> None:
    made = cache(make)

    @st.dialog(title, width="large", on_dismiss="rerun")  # the page forgets the window when it has run again
    @says_when_full
    def window() -> None:
        _draw(made())

    window()


def _draw(table: Table[Any]) -> None:
    left, right = st.columns([2, 3])
    wanted = left.text_input(
        f"Find {table.unit}s with", key=f"{_KEY}_contains", placeholder="for example st", max_chars=100
    )
    chosen = right.pills("Show only", list(table.filters), selection_mode="multi", key=f"{_KEY}_only")
    found = table.found(wanted, chosen)
    refuse(_ROW * min(_MOST_SHOWN, len(found)))
    import pandas as pd  # 60 MB of memory and 0.3 s, for those who open a table only

    frame = pd.DataFrame.from_records(
        [table.cells(item) for item in found[:_MOST_SHOWN]], columns=list(table.columns)
    )
    st.caption(_caption(table, len(found)))
    shares = {
        name: st.column_config.NumberColumn(format="percent") for name in table.columns if name == "share"
    }
    st.dataframe(
        frame, hide_index=True, height=_HEIGHT, column_config=shares, lazy=False, key=f"{_KEY}_{table.name}"
    )
    csv_button(
        f"Download {counted(len(found), table.unit)} (CSV)",
        table.columns,
        lambda: map(table.cells, found),
        name=table.name,
        key=f"{_KEY}_download",
    )


def _caption(table: Table[Any], found: int) -> str:
    """Return how many rows were found and are shown, and where the others are."""
    total = len(table.items)
    whole = counted(total, table.unit)
    if found <= _MOST_SHOWN:
        whole = whole if found == total else f"{found:,} of {whole}"
        return f"{whole}. Press a column heading to sort by it. {table.note}".rstrip()
    rest = "Find looks in all of them, and the file has all. Press a column heading to sort what is shown."
    among = whole if found == total else f"{found:,} found among {whole}"
    return f"The first {_MOST_SHOWN:,} of {among}. {rest} {table.note}".rstrip()


def open_pairs(trace: Trace, step: int) -> None:
    """Open a window with every pair after `step` merges."""
    title = "All pairs before the first merge" if not step else f"All pairs after {counted(step, 'merge')}"
    open_table(title, partial(_all_pairs, trace, step))


def _all_pairs(trace: Trace, step: int) -> Table[CountedPair]:
    """Return every pair after `step` merges, in the order of the pair table."""
    number = trace.frequent_pairs(step, 1).number
    refuse(_PAIR * number)
    pairs, _ = counted_pairs(trace, step, number)
    label = _label(trace)

    def tokens(row: CountedPair) -> tuple[str, str, str]:
        return label(row.pair[0]), label(row.pair[1]), label(b"".join(row.pair))

    return Table(
        f"pairs-after-{step}-merges",
        ("rank", "left", "right", "becomes", "count", "share", "change", "tied", "new"),
        pairs,
        lambda row: (row.rank, *tokens(row), row.count, row.share, row.change, row.tied, row.new),
        tokens,
        "pair",
        {
            "tied": lambda row: row.tied,
            "new": lambda row: row.new,
            "changed by the last merge": lambda row: row.change != 0,
        },
    )


def all_merges(trace: Trace, most_work: int = _MOST_WORK) -> Table[int]:
    """Return every merge, with the kind of its tie and why its pair won, as far as that is found by so much work."""
    steps, kinds, label = trace.steps, tie_map(trace).kinds, _label(trace)
    finding = (
        min(len(trace.pre_tokens), 20_000) // 200
    )  # what it takes to find a tie in the text, in tied pairs
    work = accumulate(tied + finding if tied > 1 else 0 for tied in trace.log.tied)
    reasons = [why_won(trace, rank) for rank, _ in enumerate(takewhile(most_work.__ge__, work))]

    def tokens(rank: int) -> tuple[str, str, str]:
        left, right = steps[rank].pair
        return label(left), label(right), label(left + right)

    def cells(rank: int) -> tuple[object, ...]:
        step, kind = steps[rank], kinds[rank]
        tie = "" if kind == "none" else kind
        why = reasons[rank] if rank < len(reasons) else None
        return rank + 1, *tokens(rank), step.count, step.replaced, step.tied, tie, why

    return Table(
        "merges",
        ("merge", "left", "right", "becomes", "count", "replaced", "tied", "kind of tie", "why it won"),
        range(len(steps)),
        cells,
        tokens,
        "merge",
        {
            "tied": lambda rank: steps[rank].tied > 1,
            "a real choice": lambda rank: kinds[rank] not in ("none", "order only"),
        },
        ""
        if len(reasons) == len(steps)
        else f"The column “why it won” is filled for the first {counted(len(reasons), 'merge')} only.",
    )


def all_tokens(
    vocabulary: Sequence[Entry], columns: Sequence[str], cells: Callable[[Entry], tuple[Any, ...]]
) -> Table[Entry]:
    """Return the tokens of a vocabulary; `cells` returns the row of one in the file."""
    return Table(
        "vocabulary",
        columns,
        vocabulary,
        cells,
        lambda entry: (entry.label,),
        "token",
        {"in use": lambda entry: entry.in_use, "not in use": lambda entry: not entry.in_use},
    )


def _label(trace: Trace) -> Callable[[Symbol], str]:
    """Return how a cell writes a token; only its two ends if it is long."""
    return lambda symbol: in_short(symbol, trace.variant.label, LONGEST_SHOWN)
