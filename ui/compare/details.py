"""The details of a comparison in tabs, from the evidence to the sources. Only the open tab is computed."""

from collections.abc import Callable, Sequence

import streamlit as st

from bpe.comparison import verdict_text
from bpe.comparison.words import WordUnderTraces
from bpe.text.display import merge_name, merge_number
from ui.compare import answer, charts, parts, tables, verdict
from ui.compare.comparison import Comparison, evidence_of
from ui.compare.held_out_text import draw_controls, split_corpus
from ui.compare.parts import learned_table, merge_table, tie_table, word_table
from ui.components.chip_result_table import chip_result_table
from ui.show.charts import draw_chart
from ui.show.tables import frame, result_table
from ui.show.text import in_markdown
from ui.sidebar.corpus import Corpus
from ui.sidebar.sidebar import Choice
from ui.work.memory_budget import fragment

# The tab “Evidence”


def evidence_tab(comparison: Comparison) -> None:
    """Draw the sentences that are not under the answer, a table of lanes, one of pairs, and what the answer means."""
    evidence = evidence_of(comparison)
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


# The tab “Tie map”

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
    drawn = tie_table(comparison, lane, ranks)
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


# The tab “Encode under each”


def words_tab(comparison: Comparison, corpus: Corpus) -> None:
    """Draw the controls of the held-out text, its words, and a table of words for it and for the text trained on.

    `corpus` is the sidebar's text; a part of it may be set aside.
    """
    draw_controls(corpus, comparison.held_out)
    if split_corpus(corpus, comparison.lanes)[1] != comparison.held_out:
        st.rerun()  # rerun the whole page: the verdict counts the text's words
    st.caption(
        "The held-out text after the last merge, one row per lane. Words that are split differently are framed."
    )
    words = comparison.test_words
    parts.words_under_lanes(comparison, words)
    if len(words) > parts.MOST_WORDS:
        st.caption(f"The picture shows the first {parts.MOST_WORDS:,} of {len(words):,} distinct words.")
    _word_table(comparison, "test", words)
    _word_table(comparison, "corpus", comparison.corpus_words)


def _word_table(comparison: Comparison, source: str, words: Sequence[WordUnderTraces]) -> None:
    text = {"test": "held-out text", "corpus": "training text"}[source]
    differing = verdict.frequency(word for word in words if word.differs)
    of = f"{differing:,} of {verdict.frequency(words):,}"
    st.markdown(f"**Words of the {text}: {of} {'is' if differing == 1 else 'are'} split differently.**")
    ordered = tables.differing_first(words)
    chip_result_table(
        f"{source} words",
        word_table(comparison, ordered),
        tables.word_columns(comparison),
        tables.word_rows(comparison, ordered),
        "word",
        "distinct words, those split differently first",
    )


# All tabs


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
        merge_table(comparison, ranks),
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
        learned_table(comparison),
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
