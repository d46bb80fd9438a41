"""Whole tables in a window of their own: every pair at a step, every merge, every token.

There they can be sorted, searched, filtered and saved. A table is made when somebody opens it, and is gone when the
window is closed. pandas is loaded then, not before.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import streamlit as st

from bpe import Symbol, Trace
from bpe.analysis.ties import tie_map, why_won
from bpe.analysis.vocabulary import LONGEST_SHOWN, Entry, in_short
from bpe.text.display import counted
from film.pair_rows import counted_pairs
from ui.show.tables import csv_button
from ui.work.memory_budget import refuse, says_when_full

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Table", "all_merges", "all_tokens", "open_pairs", "open_table"]

MOST_ROWS = 200_000
ROW = 1_500  # bytes of a row, in Python and on its way to the browser
MOST_SECONDS = 1.0  # for the reasons why pairs won
HEIGHT = 440  # px of the table
KEY = "whole_table"


@dataclass(frozen=True, slots=True)
class Table:
    """A whole table."""

    name: str  # of its file
    columns: Sequence[str]
    rows: Sequence[tuple[Any, ...]]
    total: int  # rows, if more than `rows` holds
    unit: str  # what a row is: "pair"
    tokens: Sequence[str]  # columns that are searched for a token
    filters: Mapping[str, Callable[["pd.DataFrame"], "pd.Series[bool]"]] = field(default_factory=dict)
    note: str = ""


def open_table(title: str, make: Callable[[], Table]) -> None:
    """Open a window with the table that `make` returns."""

    @st.dialog(title, width="large")
    def window() -> None:
        says_when_full(_draw)(make())

    window()


def _draw(table: Table) -> None:
    import pandas as pd  # 60 MB of memory and 0.3 s, for those who open a table only

    left, right = st.columns([2, 3])
    wanted = left.text_input(
        f"Find {table.unit}s with", key=f"{KEY}_contains", placeholder="for example st", max_chars=100
    )
    chosen = right.pills("Show only", list(table.filters), selection_mode="multi", key=f"{KEY}_only")
    frame = pd.DataFrame.from_records(table.rows, columns=list(table.columns))
    for name in chosen:
        frame = frame[table.filters[name](frame)]
    if wanted:
        found = [frame[column].str.contains(wanted, regex=False) for column in table.tokens]
        frame = frame[pd.concat(found, axis=1).any(axis=1)]
    st.caption(_caption(table, len(frame)))
    shares = {
        name: st.column_config.NumberColumn(format="percent") for name in table.columns if name == "share"
    }
    st.dataframe(
        frame, hide_index=True, height=HEIGHT, column_config=shares, lazy=False, key=f"{KEY}_{table.name}"
    )
    csv_button(
        f"Download {counted(len(frame), table.unit)} (CSV)",
        table.columns,
        lambda: frame.astype(object).where(frame.notna(), None).itertuples(index=False, name=None),
        name=table.name,
        key=f"{KEY}_download",
    )


def _caption(table: Table, drawn: int) -> str:
    kept = len(table.rows)
    whole = counted(table.total, table.unit)
    if kept < table.total:
        whole = f"the first {kept:,} of {whole}"
    match = "" if drawn == kept else f"{drawn:,} of "
    sentence = f"{match}{whole}"
    return f"{sentence[0].upper()}{sentence[1:]}. Press a column heading to sort by it. {table.note}".rstrip()


def open_pairs(trace: Trace, step: int) -> None:
    """Open a window with every pair after `step` merges."""
    title = "All pairs before the first merge" if not step else f"All pairs after {counted(step, 'merge')}"
    open_table(title, partial(_all_pairs, trace, step))


def _all_pairs(trace: Trace, step: int) -> Table:
    """Return every pair after `step` merges, in the order of the pair table."""
    refuse(ROW * min(MOST_ROWS, trace.frequent_pairs(step, 1).number))
    rows, total = counted_pairs(trace, step, MOST_ROWS)
    label = _label(trace)
    return Table(
        f"pairs-after-{step}-merges",
        ("rank", "left", "right", "becomes", "count", "share", "change", "tied", "new"),
        [
            (
                row.rank,
                *map(label, (*row.pair, b"".join(row.pair))),
                row.count,
                row.share,
                row.change,
                row.tied,
                row.new,
            )
            for row in rows
        ],
        total,
        "pair",
        ("left", "right", "becomes"),
        {
            "tied": lambda frame: frame["tied"],
            "new": lambda frame: frame["new"],
            "changed by the last merge": lambda frame: frame["change"] != 0,
        },
    )


def all_merges(trace: Trace, seconds: float = MOST_SECONDS) -> Table:
    """Return every merge, with the kind of its tie and why its pair won, as far as that is found in so many seconds."""
    refuse(ROW * min(MOST_ROWS, len(trace.steps)))
    rows = list(islice(_merges(trace, time.monotonic() + seconds), MOST_ROWS))
    told = sum(row[-1] is not None for row in rows)
    return Table(
        "merges",
        ("merge", "left", "right", "becomes", "count", "replaced", "tied", "kind of tie", "why it won"),
        rows,
        len(trace.steps),
        "merge",
        ("left", "right", "becomes"),
        {
            "tied": lambda frame: frame["tied"] > 1,
            "a real choice": lambda frame: ~frame["kind of tie"].isin(("", "order only")),
        },
        "" if told == len(rows) else f"Why a pair won is given for the first {counted(told, 'merge')}.",
    )


def _label(trace: Trace) -> Callable[[Symbol], str]:
    """Return how a cell writes a token; only its two ends if it is long."""
    return lambda symbol: in_short(symbol, trace.variant.label, LONGEST_SHOWN)


def _merges(trace: Trace, until: float) -> Iterator[tuple[object, ...]]:
    label = _label(trace)
    for rank, kind in enumerate(tie_map(trace).kinds):
        step = trace.steps[rank]
        why = why_won(trace, rank) if time.monotonic() < until else None
        left, right = step.pair
        tie = "" if kind == "none" else kind
        yield (
            rank + 1,
            label(left),
            label(right),
            label(left + right),
            step.count,
            step.replaced,
            step.tied,
            tie,
            why,
        )


def all_tokens(vocabulary: Sequence[Entry], columns: Sequence[str], rows: Iterable[Any]) -> Table:
    """Return the rows of the file with a vocabulary."""
    refuse(ROW * min(MOST_ROWS, len(vocabulary)))
    return Table(
        "vocabulary",
        columns,
        list(islice(rows, MOST_ROWS)),
        len(vocabulary),
        "token",
        ("token",),
        {
            "in use": lambda frame: frame["count"] > 0,
            "not in use": lambda frame: frame["count"] == 0,
        },
    )
