"""The pair table beside the grid: counts now, ties, what the last merge changed; rows and tokens light each other."""

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from bpe import BPEError, Symbol, Trace
from film.modules import BROWSER
from ui.components.component import component
from ui.components.token_grid import Pick
from ui.show.tables import PairRow

__all__ = ["pair_table"]

MOST_ROWS = 60  # drawn; a note says how many there are
UNBORN = 1 << 20  # numbers from here on colour tokens that no merge makes

_COMPONENT = component("pair_table", BROWSER / "pair_table")


def pair_table(
    rows: Sequence[PairRow],
    trace: Trace,
    step: int,
    *,
    key: str,
    group: str,
    total: int | None = None,
    picks: bool = True,
    lane: int = 0,
) -> Pick | None:
    """Draw the pairs after `step` merges, most frequent first; return the tied pair the viewer took instead, if any.

    `group` and `lane` are those of the grid it stands beside (a grid's group is its key where none was given). `total`
    is how many pairs there are, if more than rows. `picks`: tied rows offer to be taken.
    """
    result = _COMPONENT(
        key=key,
        data={
            "rows": [_row(row, trace) for row in rows[:MOST_ROWS]],
            "total": len(rows) if total is None else total,
            "step": step,
            "group": group,
            "lane": lane,
            "picks": picks,
            "marker": trace.variant.marker_text,
        },
        on_pick_change=lambda: None,
    )
    pick = result.pick
    if not isinstance(pick, dict) or pick["rank"] != step:
        return None
    return Pick(step, *(bytes.fromhex(side) for side in pick["pair"]))


def _row(row: PairRow, trace: Trace) -> dict[str, Any]:
    left, right = row.pair
    label = trace.variant.label
    return {
        "ids": [trace.id_of(left), trace.id_of(right), _id_or_number(left + right, trace)],
        "labels": [label(left), label(right), label(left + right)],
        "pair": [left.hex(), right.hex()],
        "rank": row.rank,
        "count": row.count,
        "share": round(row.share, 5),
        "change": row.change,
        "new": row.new,
        "tied": row.tied,
        "chosen": row.chosen,
    }


def _id_or_number(symbol: Symbol, trace: Trace) -> int:
    """Its id, or a number for its colour if no merge of this training makes it."""
    try:
        return trace.id_of(symbol)
    except BPEError:
        return UNBORN + crc32(symbol) % UNBORN
