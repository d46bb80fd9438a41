"""A result on a page, as a table: its first rows, the number of all rows, and a CSV file with all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ui.view.chip_table import Column, SentTokens, chip_table
from ui.view.downloads import csv_button
from ui.view.tables import MOST_ROWS, distinct_names, table_caption


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the page shows of a table. Merges count from 1 here, and from 0 in the file."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[object]]  # at most MOST_ROWS
    chips: SentTokens
    pale: Sequence[bool] = ()  # for each row whether its token is a stepping stone


def chip_result_table(
    name: str,
    drawn: Drawn,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    singular: str,
    plural: str,
    *,
    table_key: str | None = None,
    file_key: str | None = None,
) -> None:
    """Draw the table. `singular` and `plural` name a row; `name` is the name of the file.

    columns, rows: of the file.
    table_key, file_key: keys of the widgets, if the name shall not give them.
    """
    rows = list(rows)
    table_caption(len(rows), singular, plural)
    if drawn.rows:
        chip_table(
            drawn.columns,
            drawn.rows[:MOST_ROWS],
            drawn.chips,
            key=table_key or f"table_{name.replace(' ', '_')}",
            label=f"Table of {plural}",
            pale=drawn.pale,
        )
    file_button(name, distinct_names(columns), rows, file_key)


def file_button(
    name: str, columns: Sequence[str], rows: Iterable[Sequence[object]], key: str | None = None
) -> None:
    """Draw the button that downloads a table with this name. key: the button's, if not made from the name."""
    csv_button(
        "Download the table (CSV)",
        columns,
        lambda: rows,
        name=name.replace(" ", "-"),
        key=key or f"download_compare_{name}",
    )
