"""The pair table after k merges: its rows for Python, and as data that the browser draws.

Where a feed holds all words, the browser makes the same rows from it (`film/browser/player/pair_counts.js`, which has
their type); `tests/js` compares the two.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from heapq import nsmallest
from typing import Any, TypedDict

from bpe import Pair, Trace
from film.feed import PAIR_ROWS
from film.labels import chip_label, symbol_numbers, token_number

__all__ = ["CountedPair", "PairTable", "counted_pairs", "pair_table"]


class PairTable(TypedDict):
    """The pair table after k merges, as data for the browser."""

    step: int  # k
    rows: list[dict[str, Any]]  # the first rows of the table
    total: int  # number of all pairs


def pair_table(trace: Trace, step: int, most: int = PAIR_ROWS) -> PairTable:
    """Return the pair table after `step` merges, in the order of `counted_pairs`."""
    rows, total = counted_pairs(trace, step, most)
    return {"step": step, "rows": [_row(row, trace) for row in rows], "total": total}


def _row(row: CountedPair, trace: Trace) -> dict[str, Any]:
    """Return the figures of a row, and its tokens as the browser draws them: left, right and merged."""
    left, right = row.pair
    symbols = (left, right, left + right)
    return asdict(row) | {
        "ids": [token_number(trace, symbol) for symbol in symbols],
        "labels": [chip_label(trace.variant, symbol) for symbol in symbols],
        "pair": [left.hex(), right.hex()],
    }


@dataclass(frozen=True, slots=True)
class CountedPair:
    """One row of the pair table."""

    rank: int  # from 1, in the order of the table
    pair: Pair
    count: int  # occurrences in the corpus, overlapping ones included if the training counts them
    share: float  # of the occurrences of all pairs, 0 to 1
    change: int  # of the count, by the last merge
    new: bool  # whether the pair did not occur before the last merge
    tied: bool  # whether it is one of several pairs that tie for the next merge
    chosen: bool  # whether the next merge merges it


def counted_pairs(trace: Trace, step: int, most: int = PAIR_ROWS) -> tuple[list[CountedPair], int]:
    """Return the first rows of the pair table after `step` merges, and the number of all pairs.

    The chosen pair comes first, then the most frequent ones. Among pairs with equal counts, those that tie for the
    next merge come first, in order of first occurrence. The others follow by vocabulary ids, left token before right.
    """
    frequent, changes = trace.frequent_pairs(step, most, symbol_numbers(trace)), trace.counts_changed(step)
    decided = trace.steps[step] if step < len(trace.steps) else None
    chosen = decided.pair if decided else None
    tie = trace.tie(step, most)
    tied = {pair: number for number, pair in enumerate(tie.pairs)} if tie.size > 1 else {}
    candidates = {**dict(frequent.pairs), **dict.fromkeys(tied, tie.count)}
    if decided:
        candidates[decided.pair] = decided.count
        if decided.tied > 1:  # it can be a late one of many
            tied.setdefault(decided.pair, tie.size)

    def order(item: tuple[Pair, int]) -> tuple[bool, int, int, *tuple[int, ...]]:
        pair, count = item
        return (
            pair != chosen,
            -count,
            tied.get(pair, tie.size),
            *(token_number(trace, side) for side in pair),
        )

    rows = [
        CountedPair(
            rank=rank,
            pair=pair,
            count=count,
            share=count / frequent.total,
            change=changes.get(pair, 0),
            new=changes.get(pair) == count,
            tied=pair in tied,
            chosen=pair == chosen,
        )
        for rank, (pair, count) in enumerate(nsmallest(most, candidates.items(), key=order), start=1)
    ]
    return rows, frequent.number
