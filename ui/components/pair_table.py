"""The pair table beside the grid: counts, ties, and changes by the last merge. Rows and tokens highlight each other."""

from collections.abc import Callable, Sequence

from bpe import Trace
from film.modules import BROWSER
from film.pair_rows import CountedPair, pair_row
from film.textbook_code import code_lines
from ui.components import component as message
from ui.components.component import component
from ui.components.token_grid import Pick

__all__ = ["pair_table"]

_COMPONENT = component("pair_table", BROWSER / "pair_table")


def pair_table(
    rows: Sequence[CountedPair],
    trace: Trace,
    step: int,
    *,
    key: str,
    group: str,
    total: int | None = None,
    picks: bool = True,
    lane: int = 0,
    open_all: Callable[[], None] | None = None,
) -> Pick | None:
    """Draw the pairs after `step` merges, and return the tied pair that the viewer picked instead, if any.

    group, lane: those of the grid beside the table. A grid without a given group has its key as group.
    total: how many pairs there are, if more than rows; a note says so.
    picks: whether the viewer may pick a tied row.
    open_all: opens all pairs after `step` merges, for a viewer who asks for them.
    """
    result = _COMPONENT(
        key=key,
        data={
            "rows": [pair_row(row, trace) for row in rows],
            "total": len(rows) if total is None else total,
            "step": step,
            "group": group,
            "lane": lane,
            "picks": picks,
            "opens": open_all is not None,
            "marker": trace.variant.marker_text,
            "code": code_lines(),
        },
        on_pick_change=lambda: None,
        on_all_change=lambda: None,
    )
    if open_all and result.get("all") == step:
        open_all()
    return _read_pick(result.get("pick"), step)


def _read_pick(reported: object, step: int) -> Pick | None:
    """Return the pick that the browser reported; None if there is none, or if it was meant for another merge.

    >>> _read_pick({"rank": 3, "pair": ["6c", "6f"]}, 3)
    Pick(rank=3, left=b'l', right=b'o')
    """
    # The grid may have moved on between the click and this run.
    rank = message.read(reported, "rank", message.whole_number(step, step))
    pair = message.read(reported, "pair", message.pair_of(message.hex_octets))
    return None if rank is None or pair is None else Pick(rank, *pair)
