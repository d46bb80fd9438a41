"""Aligned rows: a Components v2 component that draws one text in several rows, each cell above its parts."""

from collections.abc import Sequence
from typing import Any

from bpe.analysis.alignment import Row
from film.labels import chip_label
from ui.view.component import browser_component

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
    *,
    key: str,
    label: str,
    differs: Sequence[Sequence[bool]] | None = None,
    group: str = "",
    large: bool = False,
) -> None:
    """Draw the rows. `differs` marks cells that another row splits differently.

    group: of the grid with which the rows enter the presenter view.
    large: whether a short text is drawn large, with what one points at explained beside it.
    """
    data = {**rows_data(rows, label, differs), "group": group, "large": large}
    _COMPONENT(key=key, data=data, height="content")


def rows_data(
    rows: Sequence[Row],
    label: str,
    differs: Sequence[Sequence[bool]] | None = None,
) -> dict[str, Any]:
    """Return the component's data: the cells of each row as [start, end, label, about, kind, marked?]."""
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
                        cell.label
                        if row.variant is None or cell.symbol is None
                        else chip_label(row.variant, cell.symbol),
                        cell.about,
                        cell.kind,
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
