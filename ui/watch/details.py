"""The chart of Watch, and its tables of merges, words and tokens, with the log."""

from collections.abc import Callable

import streamlit as st

from bpe import Trace
from bpe.text.display import counted
from ui.show import charts, tables
from ui.show.csv_table import MOST_ROWS, csv_button
from ui.show.draw_chart import draw_chart

MOST_LOGGED = 200  # merges of the log on the page; the file has all
MOST_MERGES = 100  # of the table of merges on the page: it is sent anew at every step; the file has all


def draw_curves(trace: Trace, step: int) -> None:
    """Draw three numbers over all merges. They tell the next count, so stages.css hides them from who predicts it."""
    with st.container(key="watch_next_merge"):
        st.header("Over all merges", anchor=False)
        st.caption(f"The dotted line marks where you are: {step:,} of {counted(len(trace.steps), 'merge')}.")
        draw_chart(charts.curves(trace, step, dark=st.context.theme.type == "dark"), "curves")
    with st.container(key="watch_predicting"):
        st.caption("The chart is hidden while you predict.")


def draw_tables(trace: Trace, step: int) -> None:
    """Draw merges, words, tokens and the log after `step` merges; only the open tab is computed."""
    names = ("Merges", "Words", "Tokens in use", "Step log")
    contents: tuple[Callable[[Trace, int], None], ...] = (_merges, _words, _tokens, _log)
    for tab, draw in zip(st.tabs(names, key="details", on_change="rerun"), contents, strict=True):
        if tab.open:
            with tab:
                draw(trace, step)


def _about_count(trace: Trace) -> str:
    return f"How often the pair occurred, overlaps {'included' if trace.request.overlaps else 'left out'}"


def _merges(trace: Trace, step: int) -> None:
    if not step:
        st.caption("No merges yet. Press → in the grid, or Play.")
        return
    ranks = range(step - 1, max(-1, step - 1 - MOST_MERGES), -1)
    _caption(step, len(ranks), "merge done", "merges done, the latest first")
    columns = tables.merge_columns(trace)
    st.dataframe(
        tables.frame_from_1(
            columns,
            list(tables.merge_rows(trace, ranks)),
            {number for number, title in enumerate(columns) if title.startswith("rank")},
        ),
        hide_index=True,
        key="merges_table",
        column_config={
            "count": st.column_config.NumberColumn(help=_about_count(trace)),
            "replaced": st.column_config.NumberColumn(
                help="How many were merged. Where a token meets itself, pairs overlap and not all can be merged."
            ),
            "tied": st.column_config.NumberColumn(help="How many pairs had this count, this one included"),
        },
    )
    csv_button(
        "Download all merges (CSV)",
        columns,
        lambda: tables.merge_rows(trace, range(len(trace.steps))),
        name="merges",
        key="download_merges",
    )


def _words(trace: Trace, step: int) -> None:
    rows = tables.word_rows(trace, step, MOST_ROWS)
    _caption(
        len(trace.pre_tokens),
        len(rows),
        "distinct word, as currently split",
        "distinct words, in order of appearance, as currently split",
    )
    st.dataframe(tables.frame(tables.WORD_COLUMNS, rows), hide_index=True, key="words_table")
    csv_button(
        f"Download all words after {step} merges (CSV)",
        tables.WORD_COLUMNS,
        lambda: tables.word_rows(trace, step),
        name="words",
        key="download_words",
    )


def _tokens(trace: Trace, step: int) -> None:
    rows = tables.token_rows(trace, step)
    _caption(
        len(rows),
        min(len(rows), MOST_ROWS),
        "token in use",
        "different tokens in use, the most frequent first",
    )
    st.dataframe(
        tables.frame_from_1(tables.TOKEN_COLUMNS, rows[:MOST_ROWS], {4}),
        hide_index=True,
        key="tokens_table",
        column_config={
            "count": st.column_config.NumberColumn(help="How often the token occurs in the text now"),
            "share": st.column_config.NumberColumn(
                format="percent", help="Share of all tokens in the text now"
            ),
            "merge": st.column_config.NumberColumn(
                help="The merge that created the token; empty for the alphabet"
            ),
        },
    )
    csv_button(
        f"Download all tokens after {step} merges (CSV)",
        tables.TOKEN_COLUMNS,
        lambda: tables.token_rows(trace, step),
        name="tokens",
        key="download_tokens",
    )


def _log(trace: Trace, step: int) -> None:
    ranks = range(max(0, step - MOST_LOGGED), step)
    _caption(step, len(ranks), "merge done", "merges done")
    if step:
        st.code(
            "\n".join(tables.log_lines(trace, ranks)),
            language=None,
            height=min(420, 60 + 24 * len(ranks) * 5),
        )
    st.download_button(
        "Download the whole log",
        data=lambda: "\n".join(tables.log_lines(trace, range(len(trace.steps)))) + "\n",
        file_name="merges-log.txt",
        on_click="ignore",
        key="download_log",
    )


def _caption(total: int, drawn: int, one: str, many: str) -> None:
    count = counted(total, one, many)
    st.caption(f"{count}." if drawn == total else f"{count}. The table shows {drawn:,}; the file has all.")
