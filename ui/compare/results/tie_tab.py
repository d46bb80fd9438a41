"""The tab “Tie map”: the ties of one lane, merge by merge. Drawing a box over some lists these."""

from collections.abc import Sequence

import streamlit as st

from bpe.text.display import merge_name, merge_number
from ui.compare.measures import charts, tables
from ui.compare.measures.comparison import Comparison
from ui.compare.results import token_tables
from ui.components.chip_result_table import chip_result_table
from ui.show.charts import draw_chart
from ui.show.text import in_markdown

KINDS_EXPLAINED = (
    "**Harmless**: all the tied pairs were merged in the end, at their full count. The rule only chose the order.  \n"
    "**Cascaded**: a merge used up occurrences of another tied pair, so its count fell. The choice can then change "
    "which tokens come next.  \n"
    "**Open**: the training ended before all the tied pairs were merged."
)


def tie_tab(comparison: Comparison) -> None:
    """Draw the choice of a lane, its numbers, its tie map and the table of its ties."""
    trained = [lane for lane, trace in enumerate(comparison.traces) if not trace.replayed]
    if not trained:
        st.caption("Files say which merge comes next, so there are no ties to decide.")
        return
    lane = _choose_lane(comparison, trained)
    ties = comparison.tie_maps[lane]
    with st.container(key="tiles"):
        for label, value in tables.tie_summary(ties).items():
            st.metric(label, value, border=True)
    if not ties.kinds:
        return
    st.caption(KINDS_EXPLAINED)
    st.caption("Draw a box over some merges to list their ties.")
    event = draw_chart(
        charts.ties(ties, dark=st.context.theme.type == "dark"),
        f"tie_map_{comparison.name}_{lane}",
        on_select="rerun",
    )
    ranks = boxed_merges(event, len(ties.kinds))
    where = _merges_text(ranks)
    rows = tables.tie_rows(comparison, lane, ranks)
    drawn = token_tables.ties(comparison, lane, ranks)
    chip_result_table("ties", drawn, tables.TIE_COLUMNS, rows, f"tie {where}", f"ties {where}")


def _choose_lane(comparison: Comparison, trained: Sequence[int]) -> int:
    if len(trained) == 1:
        return trained[0]
    count = len(comparison.lanes)
    if st.session_state.get("tie_lane") not in trained:
        st.session_state["tie_lane"] = trained[0]
    lane = st.segmented_control(
        "Lane",
        trained,
        key="tie_lane",
        format_func=lambda lane: in_markdown(comparison.lanes[lane].title) if lane < count else "",
        required=True,
    )
    return trained[0] if lane is None or lane not in trained else lane


def boxed_merges(event: object, merges: int) -> range:
    """Return the ranks inside the box of a selection event; all if no box is drawn. The axis counts from 1.

    >>> boxed_merges({"selection": {"box": [{"x": [4.6, 1.2]}]}}, 12), boxed_merges(None, 12)
    (range(0, 5), range(0, 12))
    """
    selection = event.get("selection", {}) if isinstance(event, dict) else {}
    boxes = selection.get("box", [])
    if not boxes or not boxes[0].get("x"):
        return range(merges)
    low, high = sorted(boxes[0]["x"])
    return range(max(0, round(low) - 1), min(merges, round(high)))


def _merges_text(ranks: range) -> str:
    if len(ranks) == 1:
        return f"at {merge_name(ranks[0])}"
    return f"in merges {merge_number(ranks[0])} to {merge_number(ranks[-1])}" if ranks else "in no merge"
