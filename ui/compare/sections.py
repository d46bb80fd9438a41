"""The sections of Compare: verdict, lanes on one playhead, what became of the tokens, and the tables behind it all."""

from collections.abc import Callable, Iterable, Sequence

import streamlit as st

from film.feed import TrainingFeed
from film.packing import packed
from film.training_feed import training_feed
from ui import session
from ui.compare import charts, controls, luck, tables, verdict
from ui.compare.comparison import Comparison
from ui.compare.lanes import FEWEST
from ui.components import compare_parts
from ui.components.token_grid import Pick, grid_transport, token_grid, window_start
from ui.first_visit import COMPARED_RULES
from ui.show.tables import frame
from ui.show.text import counted, csv_file, in_markdown
from ui.sidebar.recipe import Recipe

WINDOW = 2_000  # characters of the text in each lane
MOST_ROWS = 500  # of a table on the page; the CSV file has all
QUIET = {"displayModeBar": False}


def teach() -> None:
    """In place of lanes: what they are, and a way to two of them."""
    st.title("Does the tie-break matter here?")
    st.info(f"Choose at least {FEWEST} lanes: rules, trainers, or a branch of your own.", icon="⚖️")
    st.markdown(
        "At most steps of a training several pairs share the highest count. Which one is merged is up to the "
        "tie-breaking rule, and every trainer has its own. Side by side, the same text shows whether that matters."
    )
    st.button(
        "Compare first occurrence with the greatest pair",
        on_click=lambda: st.session_state.update(lanes=list(COMPARED_RULES)),
    )


def verdicts(found: Comparison) -> None:
    """The answer in one sentence, and where the lanes part."""
    with st.container(key="verdict"):
        st.title(in_markdown(verdict.sentence(found), most=1000), anchor=False)
        note = verdict.how_compared(found)
        if note:
            st.caption(in_markdown(note, most=1000))
    compare_parts.divergence(found)


# Lanes on one playhead


@st.fragment
def lanes(found: Comparison, linked: int | None) -> None:
    """A grid for each lane, and under them the playhead of all with what each took at every merge.

    They begin just after the lanes part, or at the step that a link to Compare asks for if it opened this comparison.
    """
    start = 0 if found.divergence is None else min(found.divergence.rank + 1, found.merges)
    if linked is not None:
        if session.LINKED_COMPARISON.read() is None:
            session.LINKED_COMPARISON.write(found.name)
        if session.LINKED_COMPARISON.read() == found.name:
            start = min(linked, found.merges)
    shades = compare_parts.Shades(found)
    per_row = 2 if len(found.lanes) in (2, 4) else 3
    window = _window(found)
    picks: list[Pick | None] = []
    rows = st.container(key="lane_grids")
    for first in range(0, len(found.lanes), per_row):
        columns = rows.columns(per_row, gap="small")
        for number, column in enumerate(columns[: len(found.lanes) - first], start=first):
            lane = found.lanes[number]
            with column:
                grid = token_grid(
                    _feed(found.name, number, window, found, shades.of_lane(number)),
                    key=_key(found, number),
                    step=start,
                    group=compare_parts.GROUP,
                    transport=number == 0,
                    lane={
                        "title": lane.title,
                        "subtitle": lane.about,
                        "index": number,
                        "of": len(found.lanes),
                        "beside": per_row,
                    },
                    options={"view": "words"} if _few_words(found) else {"view": "text"},
                    trace=found.traces[number],
                )
            picks.append(grid.pick)
    controls.take(found.lanes, found.traces, picks)
    grid_transport(compare_parts.GROUP, key="compare_transport")
    compare_parts.strip(found)


def _key(found: Comparison, number: int) -> str:
    return f"compare-{found.lanes[number].slug}"


def _few_words(found: Comparison) -> bool:
    return len(found.traces[0].pre_tokens) <= 12


def _window(found: Comparison) -> int:
    """Where the windows of all lanes start: where the viewer last moved one of them to."""
    places = {_key(found, n): window_start(_key(found, n)) for n in range(len(found.lanes))}
    before = session.COMPARED_WINDOWS.read()
    moved = [place for key, place in places.items() if place != before.get(key, 0)]
    if moved:
        session.COMPARED_WINDOW.write(moved[0])
    session.COMPARED_WINDOWS.write(before | places)
    return session.COMPARED_WINDOW.read()


@st.cache_resource(max_entries=32, show_spinner=False)
def _feed(name: str, number: int, start: int, _found: Comparison, _shades: Sequence[int]) -> TrainingFeed:
    """A lane's feed, with the colours of the comparison: a token has the same in every lane."""
    trace = _found.traces[number]
    feed = training_feed(trace, _found.corpus.training_text, start=start, size=WINDOW, picks=True)
    return {**feed, "id": f"{feed['id']}-{name}", "shades": packed(_shades)}


# What became of it


def became(found: Comparison) -> None:
    """Which tokens only one lane learned, which all did."""
    st.header("What became of it", anchor=False)
    moved = len(found.agreements[0].moved) if len(found.lanes) == 2 else 0
    of_them = f" {moved:,} of those under both came in another order." if moved else ""
    st.caption(f"The tokens that merges made, after the last merge of each lane.{of_them}")
    compare_parts.fates(found)


@st.fragment
def details(found: Comparison, shared: Recipe) -> None:
    """Curves, tables, words, ties and luck; only the open tab is worked out."""
    names = ("Curves", "Encode under each", "Tie map", "Luck", "Merges", "Tokens", "Sources")
    shown: tuple[Callable[[], None], ...] = (
        lambda: _curves(found),
        lambda: _encode(found),
        lambda: _ties(found),
        lambda: luck.draw(found, shared),
        lambda: _merges(found),
        lambda: _tokens(found),
        lambda: _sources(found),
    )
    for tab, show in zip(st.tabs(names, key="compare_details", on_change="rerun"), shown, strict=True):
        if tab.open:
            with tab:
                show()


def _curves(found: Comparison) -> None:
    first = in_markdown(found.lanes[0].title)
    st.caption(f"Every other lane against {first}, by merges done. The table has the numbers themselves.")
    dark = st.context.theme.type == "dark"
    st.plotly_chart(charts.curves(found, dark=dark), theme=None, config=QUIET, key="compare_curves")
    columns = tables.step_columns(found)
    _table("steps", columns, list(tables.step_rows(found)), "step", "steps, from no merge on")


def _encode(found: Comparison) -> None:
    controls.ask_test_text()
    if controls.test_text() != found.test_text:
        st.rerun()  # the verdict counts its words
    st.caption(
        "The test text after the last merge of each lane, a row for each lane; words cut differently are framed."
    )
    differ = sum(cut.differs for cut in found.test_cuts)
    compare_parts.cuts(found, found.test_cuts)
    if len(found.test_cuts) > compare_parts.MOST_WORDS:
        st.caption(
            f"The first {compare_parts.MOST_WORDS:,} of {len(found.test_cuts):,} distinct words are drawn."
        )
    st.markdown(f"**Words of the test text: {differ:,} of {len(found.test_cuts):,} are cut differently.**")
    columns = tables.cut_columns(found)
    rows = list(tables.cut_rows(found, verdict.differing_first(found.test_cuts)))
    _table("test words", columns, rows, "word", "distinct words, those cut differently first")
    differ = sum(cut.differs for cut in found.corpus_cuts)
    st.markdown(f"**Words of the corpus: {differ:,} of {len(found.corpus_cuts):,} are cut differently.**")
    rows = list(tables.cut_rows(found, verdict.differing_first(found.corpus_cuts)))
    _table("corpus words", columns, rows, "word", "distinct words, those cut differently first")


def _ties(found: Comparison) -> None:
    """How many pairs tied, merge by merge; brushing lists the ties brushed."""
    number = 0
    if len(found.lanes) > 1:
        chosen = st.segmented_control(
            "Lane",
            range(len(found.lanes)),
            key="tie_lane",
            format_func=lambda lane: in_markdown(found.lanes[lane].title) if lane < len(found.lanes) else "",
            default=0,
            required=True,
        )
        number = chosen if chosen < len(found.lanes) else 0
    ties = found.tie_maps[number]
    with st.container(key="tiles"):
        for label, value in tables.tie_summary(ties).items():
            st.metric(label, value, border=True)
    if not ties.kinds:
        return
    dark = st.context.theme.type == "dark"
    st.caption("Draw a box over some merges to list their ties.")
    brushed = st.plotly_chart(
        charts.ties(ties, dark=dark),
        theme=None,
        config=QUIET,
        key=f"tie_map_{found.name}_{number}",
        on_select="rerun",
        selection_mode="box",
    )
    ranks = _brushed(brushed, len(ties.kinds))
    rows = list(tables.tie_rows(found, number, ranks))
    where = f"merges {ranks[0]:,} to {ranks[-1]:,}" if len(ranks) else "no merge"
    where = f"merge {ranks[0]:,}" if len(ranks) == 1 else where
    _table("ties", tables.TIE_COLUMNS, rows, f"tie in {where}", f"ties in {where}")


def _brushed(selection: object, merges: int) -> range:
    """The merges in the box drawn over the map, or all."""
    chosen = selection.get("selection", {}) if isinstance(selection, dict) else {}
    boxes = chosen.get("box", [])
    if not boxes or not boxes[0].get("x"):
        return range(merges)
    low, high = sorted(boxes[0]["x"])
    return range(max(0, round(low)), min(merges, round(high) + 1))


def _merges(found: Comparison) -> None:
    only = st.segmented_control(
        "Merges",
        ("all", "ties", "differences"),
        key="merges_shown",
        format_func={"all": "All", "ties": "Only ties", "differences": "Only differences"}.__getitem__,
        default="all",
        required=True,
        label_visibility="collapsed",
    )
    rows = list(tables.merge_rows(found))
    if only == "ties":
        rows = [
            row
            for row, steps in zip(rows, found.choices, strict=True)
            if any(s and s.tied > 1 for s in steps)
        ]
    elif only == "differences":
        rows = [row for row, differs in zip(rows, found.differing, strict=True) if differs]
    _table("merges", tables.merge_columns(found), rows, "merge", "merges, what each lane took")


def _tokens(found: Comparison) -> None:
    note = "“moved”: learned by both, but in another order." if len(found.lanes) == 2 else ""
    st.caption(f"Every token that some lane learned, and at which merge. {note}")
    _table("tokens", tables.token_columns(found), list(tables.token_rows(found)), "token", "tokens")


def _sources(found: Comparison) -> None:
    rows = [
        (lane.title, trace.tie_break.title, trace.variant.title, lane.about)
        for lane, trace in zip(found.lanes, found.traces, strict=True)
    ]
    st.dataframe(
        frame(("lane", "rule", "variant", "source, and what it was checked against"), rows),
        hide_index=True,
        key="sources_table",
    )


def _table(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]], one: str, many: str) -> None:
    """The first rows, how many there are, and all of them as CSV."""
    rows = list(rows)
    columns = tables.apart(columns)  # a branch can be named “word”
    said = counted(len(rows), one, many)
    st.caption(
        in_markdown(
            said if len(rows) <= MOST_ROWS else f"{said}; {MOST_ROWS} are shown, the file has all", 200
        )
        + "."
    )
    if rows:
        st.dataframe(frame(columns, rows[:MOST_ROWS]), hide_index=True, key=f"table_{name}")
    st.download_button(
        "Download (CSV)",
        data=lambda: csv_file(columns, rows),
        file_name=f"{name.replace(' ', '-')}.csv",
        mime="text/csv",
        on_click="ignore",
        key=f"download_compare_{name}",
    )
