"""The details of a comparison in tabs, from the evidence to the sources. Only the open tab is computed."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import streamlit as st

from bpe.analysis.ties import TieMap
from bpe.comparison import verdict_text
from bpe.comparison.evidence import Evidence
from bpe.comparison.evidence_text import held_out_sentence, percent
from bpe.comparison.intervals import Estimate
from bpe.comparison.learned import VocabularyAgreement
from bpe.comparison.tables import merges_table, steps_table, ties_of_lane_table, tokens_table, words_table
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

Row = tuple[object, ...]

# The tab “Evidence”


def evidence_tab(comparison: PageComparison) -> None:
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
        in_markdown(answer.tested_on(comparison), 300),
        help=f"{about}\n\n{verdict_text.COMPRESSION}\n\n{in_markdown(verdict_text.thresholds(), most=1500)}",
    )
    pairs = list(pair_rows(comparison, evidence))
    # The table of one pair is narrow and high: it stands beside the sentences.
    with st.container(key="evidence"):
        left, right = (
            st.columns([21, 20], gap="small") if len(pairs) == 1 else (st.container(), st.container())
        )
    with left:
        rows = list(lane_rows(comparison, evidence))
        _measures_table("held-out text", LANE_COLUMNS, rows, [str(row[0]) for row in rows], "lane", "lanes")
        sentences = [one for one in verdict.rest(comparison, evidence) if one != measured]
        with st.container(key="evidence_sentences"):
            st.markdown("\n".join(f"- {in_markdown(sentence, most=1500)}" for sentence in sentences))
    with right:
        titles = ["the two lanes"] if len(pairs) == 1 else [f"{one} and {other}" for one, other, *_ in pairs]
        _measures_table("pairs of lanes", PAIR_COLUMNS, pairs, titles, "pair of lanes", "pairs of lanes")


def _measures_table(
    name: str, columns: Sequence[str], rows: Sequence[Row], titles: Sequence[str], singular: str, plural: str
) -> None:
    """Draw a row for each measure and a column for each lane or pair, if they are few: the page is wide enough then.

    columns, rows: of the file.
    titles: of the rows, as columns.
    """
    measures = [column for column in columns if not column.endswith("lane")]
    if len(rows) > MOST_FIGURE_COLUMNS:
        result_table(name, columns, rows, singular, plural, figures=measures)
        return
    titles = distinct_names(titles)
    plain_table(
        ("measure", *titles),
        [(measure, *(_figure(row[columns.index(measure)]) for row in rows)) for measure in measures],
        key=f"table_{name.replace(' ', '_')}",
        label=f"Table of {plural}",
        figures=titles,
        prose=("measure",),
        height=ALL_MEASURES,
    )
    file_button(name, columns, rows)


def _figure(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


# The tab “Tie map”

KINDS_EXPLAINED = (
    "**Order only**: the merged pair shared no token with another tied pair. The rule only chose the order.  \n"
    "**Choice**: the merged pair shared a token with another tied pair, and the merge used up occurrences of it. The "
    "choice can then change which tokens come next.  \n"
    "**Open**: the training ended before all pairs of that count were used up."
)


def tie_tab(comparison: PageComparison) -> None:
    """Draw the choice of a lane, its numbers, its tie map and the table of its ties."""
    trained = [lane for lane, trace in enumerate(comparison.traces) if not trace.replayed]
    if not trained:
        st.caption("Files say which merge comes next, so there are no ties to decide.")
        return
    lane = _choose_lane(comparison, trained)
    ties = comparison.tie_maps[lane]
    with st.container(key="tiles"):
        for label, value in tie_summary(ties).items():
            st.metric(label, value, border=True)
    if not ties.kinds:
        return
    st.caption("Draw a box over some merges to list their ties.", help=KINDS_EXPLAINED)
    event = draw_chart(
        charts.ties(ties, dark=st.context.theme.type == "dark"),
        f"tie_map_{comparison.name}_{lane}",
        on_select="rerun",
    )
    ranks = boxed_merges(event, len(ties.kinds))
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


def words_tab(comparison: PageComparison, corpus: Corpus) -> None:
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


# All tabs


@fragment
def details(comparison: PageComparison, choice: Choice) -> None:
    """Draw the tabs."""
    tabs: dict[str, Callable[[], None]] = {
        "Evidence": lambda: evidence_tab(comparison),
        "Every way": lambda: ways_tab(comparison),
        "Vocabularies": lambda: _vocabularies(comparison),
        "Curves": lambda: _curves(comparison),
        "Encode under each": lambda: words_tab(comparison, choice.corpus),
        "Tie map": lambda: tie_tab(comparison),
        "Merges": lambda: _merges(comparison),
        "Sources": lambda: _sources(comparison),
    }
    for tab, draw_tab in zip(
        st.tabs(list(tabs), key=answer.TABS, on_change="rerun"), tabs.values(), strict=True
    ):
        if tab.open:
            with tab:
                draw_tab()


def _curves(comparison: PageComparison) -> None:
    first = in_markdown(comparison.lanes[0].title)
    if comparison.traces[0].variant.pieces:
        st.caption(f"{first} has no merges, so no lane can be compared with it merge by merge.")
        return
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
            f"none: pieces of {trace.variant.pieces}"
            if trace.variant.pieces
            else "none: the tokenizer's own merges"
            if trace.replayed and not trace.replayed.learned
            else trace.tie_break.title,
            trace.variant.title,
            lane.about,
        )
        for lane, trace in zip(comparison.lanes, comparison.traces, strict=True)
    ]
    titles = ("lane", "rule", "variant", "source, and what it was checked against")
    plain_table(titles, rows, key="sources_table", label="Sources of the lanes", prose=titles[1:])


# Their rows


def _differing_first(words: Iterable[WordUnderTraces]) -> list[WordUnderTraces]:
    """Return the words that lanes segment differently, then the others, each in order of appearance."""
    return sorted(words, key=lambda word: not word.differs)


def tie_summary(ties: TieMap) -> dict[str, str]:
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


MOST_FIGURE_COLUMNS = 3
ALL_MEASURES = 400  # pixels, the height of their table
# The figures of a held-out text are texts, since each has its interval beside it.
LANE_COLUMNS = ("lane", "tokens", "unknown tokens", "characters per token", "tokens per word")


def lane_rows(comparison: PageComparison, evidence: Evidence) -> Iterator[Row]:
    """Yield one row of LANE_COLUMNS for each lane on the held-out text."""
    for title, lane in zip(comparison.titles, evidence.lanes, strict=True):
        yield (
            title,
            lane.tokens,
            lane.unknown,
            _with_interval(lane.compression),
            _with_interval(lane.fertility),
        )


PAIR_COLUMNS = (
    "lane",
    "and lane",
    "words split the same way, %",
    "more tokens under the second, %",
    "shared tokens, %",
    "shared by rank, %",
    "Kendall's tau",
    "training text in shared tokens, %",
    "distinct words split differently",
    "difference in characters per token",
    "difference in tokens per word",
)


def pair_rows(comparison: PageComparison, evidence: Evidence) -> Iterator[Row]:
    """Yield one row of PAIR_COLUMNS for every two lanes on the held-out text."""
    titles = comparison.titles
    for pair in evidence.pairs:
        yield (
            titles[pair.first],
            titles[pair.second],
            _with_interval(pair.same_splits, 100),
            _with_interval(pair.more_tokens, 100),
            *_vocabulary_cells(pair.vocabulary),
            pair.differing_words,
            _with_interval(pair.compression),
            _with_interval(pair.fertility),
        )


def _vocabulary_cells(agreement: VocabularyAgreement | None) -> tuple[str, ...]:
    """Return how much two vocabularies share; a tokenizer without merges has learned no tokens to compare."""
    if agreement is None:
        return ("",) * 4
    return (
        f"{agreement.overlap:.1%}".removesuffix("%"),
        f"{agreement.average_overlap:.1%}".removesuffix("%"),
        "" if agreement.tau is None else f"{agreement.tau:.2f}",
        f"{agreement.occurrences:.1%}".removesuffix("%"),
    )


def _with_interval(estimate: Estimate, scale: int = 1) -> str:
    """Return a figure with its interval, if it has one, as in `1.64 (1.56 to 1.73)`."""
    figure = f"{estimate.value * scale:.2f}"
    if estimate.interval is None:
        return figure
    low, high = (f"{end * scale:.2f}" for end in estimate.interval)
    return f"{figure} ({low} to {high})"
