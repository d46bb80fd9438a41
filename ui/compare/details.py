"""The details of a comparison in tabs, from the evidence to the sources. Only the open tab is computed."""

from collections.abc import Callable, Iterable, Sequence

import streamlit as st

from bpe.analysis.ties import TieMap
from bpe.comparison import verdict_text
from bpe.comparison.evidence_text import held_out_sentence, percent
from bpe.comparison.tables import (
    INTERVAL,
    Table,
    lanes_table,
    merges_table,
    pairs_table,
    steps_table,
    ties_of_lane_table,
    tokens_table,
    words_table,
)
from bpe.comparison.words import WordUnderTraces
from bpe.text.display import merge_name, merge_number
from ui.choices.choices import Choice
from ui.choices.corpus import Corpus
from ui.compare import answer, charts, parts, verdict
from ui.compare.comparison import PageComparison, evidence_of
from ui.compare.held_out_text import draw_controls, split_corpus
from ui.compare.lane_grids import ways_tab
from ui.compare.parts import learned_table, merge_table, tie_table, word_table
from ui.components.chip_result_table import chip_result_table, file_button, result_table
from ui.components.chip_table import plain_table
from ui.show.charts import draw_chart
from ui.show.tables import distinct_names
from ui.show.text import in_markdown
from ui.work.memory_budget import fragment

MOST_FIGURE_COLUMNS = 3
ALL_MEASURES = 400  # pixels, the height of their table

# Figures that the page has beside the grids, or as a share
LEFT_OUT = {"merges", "tokens in the training text", "tokens that both learned"}
OF_HELD_OUT = " in the held-out text"  # said above the tables
KINDS_EXPLAINED = (
    "**Order only**: the merged pair shared no token with another tied pair. The rule only chose the order.  \n"
    "**Choice**: the merged pair shared a token with another tied pair, which could lose occurrences to the merge. "
    "The choice can then change which tokens come next.  \n"
    "**Open**: the training ended before all pairs of that count were used up."
)


@fragment
def details(comparison: PageComparison, choice: Choice) -> None:
    """Draw the tabs."""
    tabs: dict[str, Callable[[], None]] = {
        "Evidence": lambda: _evidence_tab(comparison),
        "Every way": lambda: ways_tab(comparison),
        "Vocabularies": lambda: _vocabularies(comparison),
        "Curves": lambda: _curves(comparison),
        "Encode under each": lambda: _words_tab(comparison, choice.corpus),
        "Tie map": lambda: _tie_tab(comparison),
        "Merges": lambda: _merges(comparison),
        "Sources": lambda: _sources(comparison),
    }
    for tab, draw_tab in zip(
        st.tabs(list(tabs), key=answer.TABS, on_change="rerun"), tabs.values(), strict=True
    ):
        if tab.open:
            with tab:
                draw_tab()


def _evidence_tab(comparison: PageComparison) -> None:
    """Draw a table of lanes, one of pairs, and the sentences that are not under the answer."""
    evidence = evidence_of(comparison)
    if evidence is None:
        st.caption("The held-out text has not been measured yet.")
        return
    held_out = comparison.held_out
    why = f"It is not part of the training text, because {held_out.reason}. " if held_out.reason else ""
    measured = held_out_sentence(evidence)
    about = in_markdown(f"{why}{verdict.CHANGE} {measured}", 900)
    st.caption(
        in_markdown(verdict.tested_on(comparison, None), 300),
        help=f"{about}\n\n{verdict_text.COMPRESSION}\n\n{in_markdown(verdict_text.thresholds(), most=1500)}",
    )
    lanes, pairs = lanes_table(comparison, evidence), pairs_table(comparison, evidence)
    # The table of one pair is narrow and high: it stands beside the sentences.
    with st.container(key="evidence"):
        left, right = (
            st.columns([21, 20], gap="small") if len(pairs.rows) == 1 else (st.container(), st.container())
        )
    with left:
        _measures_table("held-out text", lanes, 1, comparison.titles, "lanes")
        sentences = [one for one in verdict.rest(comparison, evidence) if one != measured]
        with st.container(key="evidence_sentences"):
            st.markdown("\n".join(f"- {in_markdown(sentence, most=1500)}" for sentence in sentences))
    with right:
        of_pairs = [f"{one} and {other}" for one, other, *_ in pairs.rows]
        titles = ["the two lanes"] if len(of_pairs) == 1 else of_pairs
        _measures_table("pairs of lanes", pairs, 2, titles, "pairs of lanes")


def _measures_table(name: str, table: Table, named: int, titles: Sequence[str], plural: str) -> None:
    """Draw a row for each measure and a column for each lane or pair, if they are few: the page is wide enough then.

    named: how many columns name a row.
    titles: of the rows, as columns. The file has all columns, and each interval in two of them.
    """
    measures, rows = _measures_of(table)
    key, label = f"table_{name.replace(' ', '_')}", f"Table of {plural}"
    if len(rows) > MOST_FIGURE_COLUMNS:
        plain_table(
            (*table.names[:named], *measures),
            [(*row[:named], *cells) for row, cells in zip(table.rows, rows, strict=True)],
            key=key,
            label=label,
            figures=measures,
        )
    else:
        titles = distinct_names(titles)
        plain_table(
            ("measure", *titles),
            list(zip(measures, *rows, strict=True)),
            key=key,
            label=label,
            figures=titles,
            prose=("measure",),
            height=ALL_MEASURES,
        )
    file_button(name, table.names, table.rows)


def _measures_of(table: Table) -> tuple[list[str], list[list[str]]]:
    """Return the names of a table's figures, and the figures of each row as texts: `1.64 (1.56 to 1.73)`.

    The interval of a figure is beside it, and a share is in percent.
    """
    names: list[str] = []
    rows: list[list[str]] = [[] for _ in table.rows]
    for at, column in enumerate(table.columns):
        if column.kind == "text" or column.name.endswith(INTERVAL) or column.name in LEFT_OUT:
            continue
        name = column.name.removesuffix(OF_HELD_OUT)
        names.append(f"{name}, %" if column.kind == "share" else name)
        size = 3 if table.names[at + 1 : at + 2] == (column.name + INTERVAL[0],) else 1
        for texts, cells in zip(rows, table.rows, strict=True):
            texts.append(_figure(cells[at : at + size], 100 if column.kind == "share" else 1))
    return names, rows


def _figure(cells: Sequence[object], scale: int) -> str:
    """Return a figure, and its interval if it has one; "" if there is no figure."""
    if len(cells) == 1 and isinstance(cells[0], int) and scale == 1:
        return f"{cells[0]:,}"
    figure, *ends = [
        f"{cell * scale:.2f}".replace("-", "−") for cell in cells if isinstance(cell, int | float)
    ] or [""]
    return f"{figure} ({ends[0]} to {ends[1]})" if ends else figure


def _tie_tab(comparison: PageComparison) -> None:
    """Draw the choice of a lane, its numbers, its tie map and the table of its ties."""
    trained = [lane for lane, trace in enumerate(comparison.traces) if not trace.replayed]
    if not trained:
        st.caption("Files say which merge comes next, so there are no ties to decide.")
        return
    lane = _choose_lane(comparison, trained)
    ties = comparison.tie_maps[lane]
    with st.container(key="tiles"):
        for label, value in _tie_summary(ties).items():
            st.metric(label, value, border=True)
    if not ties.kinds:
        return
    st.caption("Draw a box over some merges to list their ties.", help=KINDS_EXPLAINED)
    event = draw_chart(
        charts.ties(ties, dark=st.context.theme.type == "dark"),
        f"tie_map_{comparison.name}_{lane}",
        on_select="rerun",
    )
    ranks = _boxed_merges(event, len(ties.kinds))
    where = _merges_text(ranks)
    table = ties_of_lane_table(comparison, lane, ranks)
    drawn = tie_table(comparison, lane, ranks)
    chip_result_table("ties", drawn, table.names, table.rows, f"tie {where}", f"ties {where}")


def _choose_lane(comparison: PageComparison, trained: Sequence[int]) -> int:
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


def _boxed_merges(event: object, merges: int) -> range:
    """Return the ranks inside the box of a selection event; all if no box is drawn. The axis counts from 1.

    >>> _boxed_merges({"selection": {"box": [{"x": [4.6, 1.2]}]}}, 12), _boxed_merges(None, 12)
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


def _words_tab(comparison: PageComparison, corpus: Corpus) -> None:
    """Draw the controls of the held-out text, its words, and a table of words for it and for the text trained on.

    `corpus` is the chosen text; a part of it may be set aside.
    """
    draw_controls(corpus, comparison.held_out)
    if split_corpus(corpus, comparison.lanes)[1] != comparison.held_out:
        st.rerun()  # rerun the whole page: the verdict counts the text's words
    st.caption("The held-out text after the last merge. A frame marks words that are split differently.")
    words = comparison.test_words
    parts.words_under_lanes(comparison, words)
    if len(words) > parts.MOST_WORDS:
        st.caption(f"The picture shows the first {parts.MOST_WORDS:,} of {len(words):,} distinct words.")
    _word_table(comparison, "test", words)
    _word_table(comparison, "corpus", comparison.corpus_words)


def _word_table(comparison: PageComparison, source: str, words: Sequence[WordUnderTraces]) -> None:
    text = {"test": "held-out text", "corpus": "training text"}[source]
    differing = verdict.frequency(word for word in words if word.differs)
    of = f"{differing:,} of {verdict.frequency(words):,}"
    st.markdown(f"**Words of the {text}: {of} {'is' if differing == 1 else 'are'} split differently.**")
    ordered = _differing_first(words)
    table = words_table(comparison, ordered)
    chip_result_table(
        f"{source} words",
        word_table(comparison, ordered),
        table.names,
        table.rows,
        "word",
        "distinct words, those split differently first",
    )


def _curves(comparison: PageComparison) -> None:
    first = in_markdown(comparison.lanes[0].title)
    st.caption(f"Each lane compared with {first}, merge by merge.", help="The table has the exact numbers.")
    draw_chart(charts.curves(comparison, dark=st.context.theme.type == "dark"), "compare_curves")
    table = steps_table(comparison)
    result_table(
        *("steps", table.names, table.rows, "step", "steps, starting before the first merge"),
        groups=comparison.titles,
    )


def _merges(comparison: PageComparison) -> None:
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
    table = merges_table(comparison)
    ranks = list(range(len(table.rows)))
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
        table.names,
        [table.rows[rank] for rank in ranks],
        "merge",
        "merges, with the pick of each lane",
    )


def _vocabularies(comparison: PageComparison) -> None:
    answer.learned_tokens(comparison)
    note = "“moved”: both learned it, but in a different order." if len(comparison.lanes) == 2 else None
    st.caption("Every token that at least one lane learned, and at which merge.", help=note)
    table = tokens_table(comparison)
    chip_result_table("tokens", learned_table(comparison), table.names, table.rows, "token", "tokens")


def _sources(comparison: PageComparison) -> None:
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
    titles = ("lane", "rule", "variant", "source, and what it was checked against")
    plain_table(titles, rows, key="sources_table", label="Sources of the lanes", prose=titles[1:])


def _differing_first(words: Iterable[WordUnderTraces]) -> list[WordUnderTraces]:
    """Return the words that lanes segment differently, then the others, each in order of appearance."""
    return sorted(words, key=lambda word: not word.differs)


def _tie_summary(ties: TieMap) -> dict[str, str]:
    """Return the numbers on the tiles over a tie map: {label: value}."""
    largest = ties.largest
    merges = len(ties.kinds)
    tied = f"{ties.steps_tied:,} of {merges:,} merges had a tie"
    if merges == 1:
        tied = f"The only merge had {'a' if ties.steps_tied else 'no'} tie"
    return {
        tied: percent(ties.steps_tied / max(1, merges)),
        "Largest tie": "none" if largest is None else f"{ties.tied[largest]:,} pairs",
        "Choices": f"{ties.kinds.count('choice'):,}",
        "Order only": f"{ties.kinds.count('order only'):,}",
        "Open": f"{ties.kinds.count('open'):,}",
    }
