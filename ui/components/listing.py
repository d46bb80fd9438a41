"""Code beside a picture: the textbook's lines, lit while they act, with their values. Closed at first."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from film.feed import ChipLabel, CodeBeat, CodeLine
from ui.components.component import browser_component

__all__ = ["SAYS", "listing", "listing_data"]

SAYS = "The project’s own textbook code. Point at a line to read what it does."

_Values = Mapping[CodeBeat, Sequence[tuple[ChipLabel, int]]]


def listing(
    lines: Sequence[CodeLine],
    *,
    key: str,
    group: str = "",
    values: _Values | None = None,
    marker: str = "",
    none: str = "",
) -> None:
    """Draw a tab that opens the lines, or that says why there are none. Draw nothing if no reason is given.

    group: of the grid that encodes beside it; its steps light the lines.
    values: without a grid, the chips (label, id) below the lines of a beat.
    marker: how labels spell the marker.
    none: why there are no lines.
    """
    kind: Literal["encoding", "fixed"] = "encoding" if group else "fixed"
    data = listing_data(lines, kind, group, values, marker, none="" if lines else none)
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

    always: whether it is open without a tab.
    lit: the beat whose lines are lit, without a grid.
    """
    return {
        "kind": kind,
        "lines": list(lines),
        "none": none,
        "group": group,
        "says": SAYS,
        "open": always,
        "lit": lit,
        "marker": marker,
        "values": {beat: [list(chip) for chip in chips] for beat, chips in (values or {}).items()},
    }
