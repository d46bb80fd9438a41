"""The details of a comparison in tabs, from the evidence to the sources. Only the open tab is computed."""

from collections.abc import Callable

import streamlit as st

from ui.compare.measures import charts, tables
from ui.compare.measures.comparison import Comparison
from ui.compare.results import answer, token_tables
from ui.compare.results.evidence_tab import evidence_tab
from ui.compare.results.tie_tab import tie_tab
from ui.compare.results.words_tab import words_tab
from ui.components.chip_result_table import chip_result_table
from ui.show.charts import draw_chart
from ui.show.tables import frame, result_table
from ui.show.text import in_markdown
from ui.sidebar.sidebar import Choice
from ui.work.memory_budget import fragment


@fragment
def details(comparison: Comparison, choice: Choice) -> None:
    """Draw the tabs."""
    tabs: dict[str, Callable[[], None]] = {
        "Evidence": lambda: evidence_tab(comparison),
        "Curves": lambda: _curves(comparison),
        "Encode under each": lambda: words_tab(comparison, choice.corpus),
        "Tie map": lambda: tie_tab(comparison),
        "Merges": lambda: _merges(comparison),
        "Tokens": lambda: _tokens(comparison),
        "Sources": lambda: _sources(comparison),
    }
    for tab, draw_tab in zip(
        st.tabs(list(tabs), key=answer.TABS, on_change="rerun"), tabs.values(), strict=True
    ):
        if tab.open:
            with tab:
                draw_tab()


def _curves(comparison: Comparison) -> None:
    first = in_markdown(comparison.lanes[0].title)
    st.caption(f"Each lane compared with {first}, merge by merge. The table has the exact numbers.")
    draw_chart(charts.curves(comparison, dark=st.context.theme.type == "dark"), "compare_curves")
    rows = tables.step_rows(comparison)
    result_table(
        "steps", tables.step_columns(comparison), rows, "step", "steps, starting before the first merge"
    )


def _merges(comparison: Comparison) -> None:
    titles = {"all": "All", "ties": "Only ties", "differences": "Only differences"}
    kind = st.segmented_control(
        "Merges",
        tuple(titles),
        key="merges_shown",
        format_func=titles.__getitem__,
        default="all",
        required=True,
        label_visibility="collapsed",
    )
    rows = list(tables.merge_rows(comparison))
    ranks = list(range(len(rows)))
    if kind == "ties":
        ranks = [
            rank
            for rank, steps in enumerate(comparison.choices)
            if any(step and step.tied > 1 for step in steps)
        ]
    elif kind == "differences":
        ranks = [rank for rank, differs in enumerate(comparison.differing) if differs]
    chip_result_table(
        "merges",
        token_tables.merges(comparison, ranks),
        tables.merge_columns(comparison),
        [rows[rank] for rank in ranks],
        "merge",
        "merges, with the pick of each lane",
    )


def _tokens(comparison: Comparison) -> None:
    note = "“moved”: both learned it, but in a different order." if len(comparison.lanes) == 2 else ""
    st.caption(f"Every token that at least one lane learned, and at which merge. {note}")
    chip_result_table(
        "tokens",
        token_tables.learned(comparison),
        tables.token_columns(comparison),
        tables.token_rows(comparison),
        "token",
        "tokens",
    )


def _sources(comparison: Comparison) -> None:
    rows = [
        (
            lane.title,
            "none: the tokenizer's own merges"
            if trace.replayed and not trace.replayed.learned
            else trace.tie_break.title,
            trace.variant.title,
            lane.about,
        )
        for lane, trace in zip(comparison.lanes, comparison.traces, strict=True)
    ]
    st.dataframe(
        frame(("lane", "rule", "variant", "source, and what it was checked against"), rows),
        hide_index=True,
        key="sources_table",
    )
