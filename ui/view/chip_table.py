"""Chip table: a Components v2 component, the table of every page, in which tokens are the chips of the grid.

The browser draws the rows in sight only and sorts by a column whose head is pressed, so a table may have many rows.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import streamlit as st

from bpe import Symbol
from film.feed import ChipLabel
from ui.view import component as message
from ui.view.component import browser_component

MOST_HEIGHT = 344  # pixels: a head and eight rows, and some of the ninth, which shows that there are more

# What the cells of a column hold. A figure is a text that begins with a number, and is aligned and sorted as one. Prose
# is a text of several lines; a table with some draws all rows.
Kind = Literal["text", "number", "figure", "tokens", "prose"]

_COMPONENT = browser_component("chip_table")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its title, what its cells hold, and what the title means."""

    title: str
    kind: Kind = "text"
    meaning: str = ""
    decimals: int | None = None  # of its numbers; None for as many as they need, three at most
    unit: str = ""  # written after each number
    group: str = ""  # what stands above neighbouring columns, such as the lane to which all of them belong


class SentTokens(Protocol):
    """The tokens of a table, to which its cells refer by position."""

    def sent(self) -> Sequence[ChipLabel]:
        """Return their labels, by position."""


@dataclass(frozen=True, slots=True)
class Chips:
    """The tokens of a table: each is sent once, as its label, which also colours it."""

    label: Callable[[Symbol], ChipLabel]
    positions: dict[ChipLabel, int] = field(default_factory=dict)

    def __call__(self, *symbols: Symbol) -> list[int]:
        """Return the cell that shows these tokens one after the other."""
        return [self.positions.setdefault(self.label(symbol), len(self.positions)) for symbol in symbols]

    def sent(self) -> list[ChipLabel]:
        """Return their labels, by position."""
        return list(self.positions)


NO_CHIPS = Chips(lambda _: "")


def chip_table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[object]],
    chips: SentTokens,
    *,
    key: str,
    label: str,
    pale: Sequence[bool] = (),
    height: int = MOST_HEIGHT,
    choose: Callable[[int], None] | None = None,
) -> None:
    """Draw the table. `label` names it for screen readers, and `height` in pixels is the most that it takes.

    rows: cells that are a text, a number or None, or positions of tokens, as `Chips` returns them.
    pale: the rows that are drawn pale, by position.
    choose: is called with the position of the row that the viewer has chosen.
    """

    def chosen() -> None:
        position = message.read(st.session_state.get(key), "chosen", message.whole_number(0, len(rows) - 1))
        if position is not None and choose is not None:
            choose(position)

    data = table_data(columns, rows, chips, label=label, pale=pale, height=height, chooses=choose is not None)
    _COMPONENT(key=key, data=data, on_chosen_change=chosen, height="content")


def table_data(
    columns: Sequence[Column],
    rows: Sequence[Sequence[object]],
    chips: SentTokens = NO_CHIPS,
    *,
    label: str,
    pale: Sequence[bool] = (),
    height: int = MOST_HEIGHT,
    chooses: bool = False,
) -> dict[str, Any]:
    """Return a table as `TableData` in `film/browser/chip_table/columns.js`; see `chip_table`."""
    return {
        "columns": [
            [column.title, column.kind, column.meaning, column.decimals, column.unit, column.group]
            for column in columns
        ],
        "rows": [list(row) for row in rows],
        "pale": [at for at, is_pale in enumerate(pale) if is_pale],
        "tokens": chips.sent(),
        "label": label,
        "height": height,
        "chooses": chooses,
    }


def plain_table(
    titles: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    key: str,
    label: str,
    figures: Collection[str] = (),
    prose: Collection[str] = (),
    meanings: Mapping[str, str] | None = None,
    height: int = MOST_HEIGHT,
) -> None:
    """Draw a small table without tokens. Columns whose cells are all numbers, or missing, are aligned as numbers.

    Whole tables, which one searches and saves, are those of `ui/shown/frames.py`, which loads pandas for them.

    figures, prose: titles of columns of these kinds.
    meanings: what a title means, for those that need words.
    """

    def kind(at: int, title: str) -> Kind:
        if title in figures:
            return "figure"
        cells = [row[at] for row in rows if row[at] is not None]
        if cells and all(isinstance(cell, int | float) for cell in cells):
            return "number"
        return "prose" if title in prose else "text"

    known = meanings or {}
    columns = [Column(title, kind(at, title), known.get(title, "")) for at, title in enumerate(titles)]
    chip_table(columns, rows, NO_CHIPS, key=key, label=label, height=height)
