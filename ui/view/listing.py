"""Code beside a picture: the textbook's lines, lit while they act, with their values. Closed at first."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from film.feed import ChipLabel, CodeBeat, CodeLine
from ui.view.component import browser_component

__all__ = ["listing", "listing_data"]

_Values = Mapping[CodeBeat, Sequence[ChipLabel]]


def listing(lines: Sequence[CodeLine], *, key: str, values: _Values | None = None, marker: str = "") -> None:
    """Draw a tab that opens the lines.

    values: labels of the chips below the lines of a beat.
    marker: how labels spell the marker.
    """
    data = listing_data(lines, "fixed", values=values, marker=marker)
    browser_component("code")(key=key, data=data, height="content")


def listing_data(
    lines: Sequence[CodeLine],
    kind: Literal["training", "encoding", "fixed"],
    group: str = "",
    values: _Values | None = None,
    marker: str = "",
    *,
    always: bool = False,
    lit: CodeBeat = "",
    none: str = "",
) -> dict[str, Any]:
    """Return the data of the component.

    group: of the grid beside it; its steps light the lines.
    values, marker: without a grid, as of `listing`.
    none: why there are no lines; without a reason and lines, nothing is drawn.
    always: whether it is open without a tab.
    lit: the beat whose lines are lit, without a grid.
    """
    return {
        "kind": kind,
        "lines": list(lines),
        "none": none,
        "group": group,
        "open": always,
        "lit": lit,
        "marker": marker,
        "values": dict(values or {}),
    }
