"""A grid for each lane, all with one playhead, and below them the steps of all lanes, merge by merge."""

from collections.abc import Sequence

import streamlit as st

from film.feed import TrainingFeed
from film.html_page import Site
from film.labels import Shades
from film.live import live_recipe
from film.page import ALONE, MOST_CHARACTERS, Lane, OwnWords, field_text, lanes_page
from film.training_feed import training_feed
from ui.compare.grids import parts
from ui.compare.grids.branches import add_picked
from ui.compare.measures.comparison import Comparison
from ui.compare.measures.save_report import save_report
from ui.components.lane_stage import lane_stage
from ui.components.token_grid import Pick, token_grid, window_start
from ui.saving import save_film, save_picture
from ui.sidebar.recipes.recipe import signature
from ui.visit import Slot, nothing
from ui.work.byte_cache import ByteCache
from ui.work.memory_budget import fragment

# The comparison that the link opened
LINKED_COMPARISON: Slot[str | None] = Slot("_compare_linked", nothing)
# {grid: start of its window} of the last run
COMPARED_WINDOWS: Slot[dict[str, int]] = Slot("_compare_windows", dict)
# The start of all windows
COMPARED_WINDOW: Slot[int] = Slot("_compare_window", int)

STAGE = "compare_stage"  # key of the stage, also while lanes are trained
WINDOW = 2_000  # characters of the text in each lane
FEW_WORDS = 12  # a corpus of at most so many distinct words is shown as a list of words


@fragment
def lane_grids(comparison: Comparison, linked: int | None) -> None:
    """Draw the grids. They begin just before the lanes diverge, or at the step of the link that opened them."""
    lane_stage(parts.GROUP, key=STAGE)
    start = _start_step(comparison, linked)
    picks = _draw_grids(comparison, start, range(len(comparison.lanes)), len(comparison.lanes))
    add_picked(comparison, picks)


@fragment
def below_grids(comparison: Comparison, linked: int | None) -> None:
    """Draw the merges of all lanes as a strip, and what saves them."""
    start = _start_step(comparison, linked)
    parts.strip(comparison)
    with st.container(horizontal=True):
        save_film(lambda: comparison_film(comparison, start), start, comparison.merges)
        save_report(comparison, lambda: film_lanes(comparison))
        save_picture(parts.GROUP, comparison.corpus.title)


def grids_so_far(comparison: Comparison, positions: Sequence[int], count: int) -> None:
    """Draw the grids of the lanes that can be played while others are trained. They stay when all are ready.

    positions: the positions of these lanes among all `count` lanes. The first lane is one of them.
    """
    _draw_grids(comparison, _start_step(comparison, None), positions, count)


def _draw_grids(
    comparison: Comparison, start: int, positions: Sequence[int], count: int
) -> list[Pick | None]:
    """Draw a grid for each lane of the comparison and return what the viewer picked in each."""
    shades = Shades(comparison.traces)
    window = _window_start(comparison)
    view = "words" if len(comparison.traces[0].pre_tokens) <= FEW_WORDS else "text"
    picks: list[Pick | None] = []
    with st.container(key="lane_elements"):  # empty: the grids move to the stage
        for number, lane in enumerate(comparison.lanes):
            grid = token_grid(
                _feed(comparison, number, window, shades),
                key=_grid_key(comparison, number),
                step=start,
                group=parts.GROUP,
                transport=number == 0,
                lane={
                    "title": lane.title,
                    "subtitle": lane.about,
                    "index": positions[number],
                    "of": count,
                    "beside": lanes_in_row(count),
                },
                options={"view": view},
                trace=comparison.traces[number],
                linked=True,
                # The feed of a training's first merges is not that of all its merges, but the step stays.
                remembered_as=signature(comparison.corpus, lane.recipe),
            )
            picks.append(grid.pick)
    return picks


def lanes_in_row(count: int) -> int:
    """Return how many lanes are beside each other where there is room, as `lanesInRow` in `lane_stage.js` does.

    >>> [lanes_in_row(count) for count in range(2, 9)]
    [2, 3, 2, 3, 3, 4, 4]
    """
    return 2 if count in (2, 4) else 3 if count <= 6 else 4


def comparison_film(comparison: Comparison, step: int, *, title: str = "", site: Site = ALONE) -> str:
    """Return all lanes as one film."""
    lanes = film_lanes(comparison)
    own = OwnWords(field_text(comparison.corpus.training_text))
    return lanes_page(lanes, title=title or comparison.corpus.title, step=step, site=site, own=own)


def film_lanes(comparison: Comparison) -> list[Lane]:
    """Return the lanes of a film: as much of the text as a film holds, in the colours of the page."""
    shades = Shades(comparison.traces)
    lanes: list[Lane] = []
    for number, (lane, trace) in enumerate(zip(comparison.lanes, comparison.traces, strict=True)):
        feed = training_feed(trace, comparison.corpus.training_text, size=MOST_CHARACTERS)
        lanes.append(Lane(shades.colour(feed, number), lane.title, lane.about, live_recipe(trace)))
    return lanes


def _start_step(comparison: Comparison, linked: int | None) -> int:
    if linked is not None:
        if LINKED_COMPARISON.read() is None:
            LINKED_COMPARISON.write(comparison.name)
        if LINKED_COMPARISON.read() == comparison.name:
            return min(linked, comparison.merges)
    divergence = comparison.divergence
    return 0 if divergence is None else divergence.rank


def _grid_key(comparison: Comparison, number: int) -> str:
    return f"compare-{comparison.lanes[number].slug}"


def _window_start(comparison: Comparison) -> int:
    """Return the first character of all windows, to which the viewer last moved one of them."""
    keys = [_grid_key(comparison, number) for number in range(len(comparison.lanes))]
    starts = {key: window_start(key) for key in keys}
    before = COMPARED_WINDOWS.read()
    moved = [start for key, start in starts.items() if start != before.get(key, 0)]
    if moved:
        COMPARED_WINDOW.write(moved[0])
    COMPARED_WINDOWS.write(before | starts)
    return COMPARED_WINDOW.read()


_FEEDS: ByteCache[TrainingFeed] = ByteCache(4_000_000)


def _feed(comparison: Comparison, number: int, start: int, shades: Shades) -> TrainingFeed:
    """Return a lane's feed in the comparison's colours, in which a token has the same colour in every lane."""

    def feed() -> TrainingFeed:
        trace = comparison.traces[number]
        text, picks = comparison.corpus.training_text, not trace.replayed
        feed = training_feed(trace, text, start=start, size=WINDOW, picks=picks)
        return shades.colour({**feed, "id": f"{feed['id']}-{comparison.name}"}, number)

    return _FEEDS.get(f"{comparison.name} {number} {start}", feed)
