"""The tab “Evidence”: what the held-out text tells about the lanes, in sentences and tables."""

import streamlit as st

from bpe.comparison import verdict_text
from ui.compare.measures import measuring, tables, verdict
from ui.compare.measures.comparison import Comparison
from ui.show.tables import result_table
from ui.show.text import in_markdown


def evidence_tab(comparison: Comparison) -> None:
    """Draw the sentences that are not under the answer, a table of lanes, one of pairs, and what the answer means."""
    evidence = measuring.evidence_of(comparison)
    st.caption(f"Tested on {in_markdown(comparison.held_out.about, 300)}. {verdict.CHANGE}")
    if evidence is None:
        st.caption("The held-out text has not been measured yet.")
        return
    sentences = verdict.rest(comparison, evidence)
    st.markdown("\n".join(f"- {in_markdown(sentence, most=1500)}" for sentence in sentences))
    result_table(
        "held-out text",
        tables.LANE_COLUMNS,
        tables.lane_rows(comparison, evidence),
        "lane",
        "lanes",
        figures=range(1, len(tables.LANE_COLUMNS)),
    )
    st.caption(verdict_text.COMPRESSION)
    result_table(
        "pairs of lanes",
        tables.PAIR_COLUMNS,
        tables.pair_rows(comparison, evidence),
        "pair of lanes",
        "pairs of lanes",
        figures=range(2, len(tables.PAIR_COLUMNS)),
    )
    st.caption(in_markdown(verdict_text.thresholds(), most=1500))
