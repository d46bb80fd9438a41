"""A table of Compare: its first rows, the number of all rows, and a file with all of them."""

from collections.abc import Collection, Iterable, Sequence

import streamlit as st

from bpe.text.display import counted
from ui.compare.tables import distinct_names
from ui.show.tables import frame_from_1
from ui.show.text import csv_file, in_markdown

MOST_ROWS = 500  # of a table on the page; the CSV file has all


def result_table(
    name: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    singular: str,
    plural: str,
    ranks: Collection[int] = (),
) -> None:
    """Draw the table. `singular` and `plural` name a row; `name` is the name of the file.

    ranks: positions of the columns that hold ranks, from 0 in the file. On the screen merges count from 1.
    """
    rows = list(rows)
    columns = distinct_names(columns)  # a branch may have the name of a column
    caption = counted(len(rows), singular, plural)
    if len(rows) > MOST_ROWS:
        caption += f"; {MOST_ROWS} are shown, the file has all"
    st.caption(in_markdown(caption, 200) + ".")
    if rows:
        st.dataframe(frame_from_1(columns, rows[:MOST_ROWS], ranks), hide_index=True, key=f"table_{name}")
    st.download_button(
        "Download (CSV)",
        data=lambda: csv_file(columns, rows),
        file_name=f"{name.replace(' ', '-')}.csv",
        mime="text/csv",
        on_click="ignore",
        key=f"download_compare_{name}",
    )
