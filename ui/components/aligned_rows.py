"""Aligned rows: a Components v2 component that draws one text in several rows, each cell above its parts."""

from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

from bpe import Symbol
from bpe.analysis.alignment import Cell, Row
from film.feed import ChipLabel
from film.labels import chip_label
from ui.components.component import browser_component

# kind of a cell -> its name in the legend, in the legend's order.
_LEGEND = {
    "ascii": "a character of one byte",
    "lead": "lead byte",
    "continuation": "continuation byte",
    "unknown": "not in the vocabulary",
    "gap": "dropped by the variant",
    "lost": "lost on the way",
    "added": "was not there before",
}

_COMPONENT = browser_component("aligned_rows")


def aligned_rows(
    rows: Sequence[Row],
    ids: Mapping[Symbol, int],
    *,
    key: str,
    label: str,
    differs: Sequence[Sequence[bool]] | None = None,
    group: str = "",
    large: bool = False,
) -> None:
    """Draw the rows. Tokens are coloured by their id; `differs` marks cells that another row splits differently.

    group: of the grid with which the rows enter the presenter view.
    large: whether a short text is drawn large, with what one points at explained beside it.
    """
    data = {**rows_data(rows, ids, label, differs), "group": group, "large": large}
    _COMPONENT(key=key, data=data, height="content")


def rows_data(
    rows: Sequence[Row],
    ids: Mapping[Symbol, int],
    label: str,
    differs: Sequence[Sequence[bool]] | None = None,
) -> dict[str, Any]:
    """Return the component's data: the cells of each row as [start, end, label, about, kind, id or −1, marked?]."""
    marks = differs or [[False] * len(row.cells) for row in rows]
    kinds = {cell.kind for row in rows for cell in row.cells}
    return {
        "label": label,
        "rows": [
            {
                "slug": row.slug,
                "title": row.title,
                "cells": [
                    [
                        cell.start,
                        cell.end,
                        _label(row, cell),
                        cell.about,
                        cell.kind,
                        -1 if cell.symbol is None else _colour(cell.symbol, ids),
                        int(marked),
                    ]
                    for cell, marked in zip(row.cells, mark, strict=True)
                ],
            }
            for row, mark in zip(rows, marks, strict=True)
        ],
        "legend": [[kind, text] for kind, text in _LEGEND.items() if kind in kinds],
        "marked": any(map(any, marks)),
    }


def _label(row: Row, cell: Cell) -> ChipLabel:
    return cell.label if row.variant is None or cell.symbol is None else chip_label(row.variant, cell.symbol)


def _colour(symbol: Symbol, ids: Mapping[Symbol, int]) -> int:
    """Return the id that colours a token; for one without an id, such as a whole word, a fixed number."""
    return ids.get(symbol, crc32(symbol) % 10_000)
