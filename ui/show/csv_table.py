"""A table on a page: its first rows, the number of all rows, and a CSV file with all of them."""

from collections.abc import Callable, Collection, Iterable, Sequence

import streamlit as st

from bpe.text.display import counted
from ui.show.tables import distinct_names, frame_from_1
from ui.show.text import csv_file, in_markdown

MOST_ROWS = 500  # of a table on a page; the CSV file has all


def result_table(
    name: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    singular: str,
    plural: str,
    ranks: Collection[int] = (),
    *,
    figures: Collection[int] = (),
    table_key: str | None = None,
    file_key: str | None = None,
) -> None:
    """Draw the table. `singular` and `plural` name a row; `name` is the name of the file.

    ranks: positions of the columns that hold ranks, from 0 in the file. On the screen merges count from 1.
    figures: positions of the columns whose texts are numbers, some with an interval; they are aligned as numbers are.
    table_key, file_key: keys of the widgets, if the name shall not give them.
    """
    rows = list(rows)
    columns = distinct_names(columns)  # the branch of a lane may have the name of a column
    table_caption(len(rows), singular, plural)
    if rows:
        key = table_key or f"table_{name}"
        st.dataframe(
            frame_from_1(columns, rows[:MOST_ROWS], ranks),
            hide_index=True,
            key=key,
            column_config={columns[at]: st.column_config.Column(alignment="right") for at in figures},
        )
    key = file_key or f"download_compare_{name}"
    csv_button("Download (CSV)", columns, lambda: rows, name=name.replace(" ", "-"), key=key)


def table_caption(rows: int, singular: str, plural: str) -> None:
    """Draw how many rows a table has, and how many of them the page shows."""
    caption = counted(rows, singular, plural)
    if rows > MOST_ROWS:
        caption += f"; {MOST_ROWS} are shown, the file has all"
    st.caption(in_markdown(caption, 200) + ".")


def csv_button(
    label: str,
    columns: Sequence[str],
    rows: Callable[[], Iterable[Sequence[object]]],
    *,
    name: str,
    key: str,
    explanation: str | None = None,
) -> None:
    """Draw a button that downloads a CSV file. The rows are made when somebody presses it."""
    st.download_button(
        label,
        data=lambda: csv_file(columns, rows()),
        help=explanation,
        file_name=f"{name}.csv",
        mime="text/csv",
        on_click="ignore",
        key=key,
    )
