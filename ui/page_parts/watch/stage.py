"""The stage of Watch: what it shows, as data for one component, and what the viewer asks for on it."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

import bpe
from bpe import Trace
from film.every_way import rows_of
from film.textbook_code import code_lines
from ui.choices import link
from ui.choices.choices import Choice
from ui.page_parts.watch import details, notes, what_if
from ui.page_parts.watch.grid_feed import first_options, grid_feed, remembered_as, start_step, subject
from ui.shown.every_way import press, taken, undo, way_at_a_glance
from ui.shown.frames import open_pairs
from ui.shown.token_count import count_line
from ui.trainings.corpus import from_sample, samples
from ui.trainings.recipe import Recipe, signature
from ui.trainings.settings import SETTINGS, decided_by
from ui.view import component as message
from ui.view.component import browser_component
from ui.view.token_grid import Around, GridState, grid_data, token_grid, window_start

_KEY = "watch"
_EVENTS = ("all", "undo", "pressed", "undo_way")
# Parameters of an address for which the stage is drawn before Streamlit has started, and how much training that takes
_DRAWN_EARLY = {"corpus_sample", "merges", "preset", "variant", "tie_break", "step"}
_MOST_EARLY = 100  # merges
_LONGEST_EARLY = 2_000  # characters
_FEW_ROWS = 4  # of splits one below the other in a low picture of every way


def draw(trace: Trace, choice: Choice) -> int:
    """Draw the stage, do what the viewer asks for on it, and return the step at which it rests."""
    with st.container(key="watch_stage"):
        grid = token_grid(
            grid_feed(trace, choice, window_start(_KEY)),
            key=_KEY,
            step=start_step(trace, choice),
            trace=trace,
            remembered_as=remembered_as(trace, choice),
            options=first_options(choice),
            subject=subject(trace, choice),
            around=Around(
                browser_component("stage"),
                _around(trace, choice, what_if.change(trace, choice), taken(_KEY)),
                _EVENTS,
            ),
            linked=True,
            numbers=True,
        )
        if not trace.origin.counts:
            with st.container(key="watch_listed"):
                details.draw_listed_merges(trace)
    _obey(trace, choice, grid)
    return grid.step


@lru_cache(maxsize=32)
def first_view(address: tuple[tuple[str, str], ...] = ()) -> dict[str, object] | None:
    """Return what the stage shows first at an address with these parameters; None if only the visit knows it.

    It is the same for all visitors, and takes some milliseconds to make: None also for a longer training.
    """
    linked = link.plain(dict(address))
    if linked is None or not linked.keys() <= _DRAWN_EARLY:
        return None
    sample = samples()[str(linked.get("corpus_sample", next(iter(samples()))))]
    settings = {key: value for key, value in linked.items() if key in SETTINGS}
    recipe = Recipe.of(
        {"merges": sample.merges, "preset": sample.preset, **decided_by(sample.preset), **settings}
    )
    corpus = from_sample(sample.slug)
    if recipe.merges > _MOST_EARLY or len(corpus.reading_text) > _LONGEST_EARLY:
        return None
    trace = bpe.train(corpus.training_text, **recipe.settings)
    choice = Choice("sample", corpus, recipe, signature(corpus, recipe.without_end), None, None)
    feed = grid_feed(trace, choice, 0)
    grid = grid_data(
        feed,
        start=min(int(str(linked.get("step", 0))), len(trace.steps)),
        group=_KEY,
        subject=subject(trace, choice),
        options=first_options(choice),
        linked=True,
        numbers=True,
    )
    return {**grid, **_around(trace, choice, what_if.NOTHING, None)}


def _around(
    trace: Trace, choice: Choice, change: dict[str, object], did: tuple[str, bool] | None
) -> dict[str, object]:
    """Return what stands around the grid: film/browser/stage/stage.js has its types.

    change, did: what the viewer's last change of a choice, and last press in the picture of every way, have done.
    """
    seen = way_at_a_glance(choice.corpus, details.watched(trace, choice))
    count = notes.token_count(trace, choice)
    return {
        "count": count and count_line(count),
        "table": trace.origin.counts,
        "code": code_lines(),
        "change": change,
        "way": seen and {**seen[1], "name": seen[0], "few": rows_of(seen[1]) <= _FEW_ROWS},
        "taken": {"sentence": did[0], "undoes": did[1]} if seen and did else None,
    }


def _obey(trace: Trace, choice: Choice, grid: GridState) -> None:
    """Do what the viewer asks for on the stage."""
    step = message.whole_number(0, len(trace.steps))
    what_if.take(trace, choice, grid.pick)
    if (rank := message.read(grid.reported, "undo", step)) is not None:
        what_if.undo(choice, rank)
    if message.read(grid.reported, "undo_way", bool):
        undo(_KEY)
    if message.read(grid.reported, "all", step) == grid.step:
        open_pairs(trace, grid.step)
    training = details.watched(trace, choice)
    if seen := way_at_a_glance(choice.corpus, training):
        press(grid.reported, choice.corpus, [training], seen[1], group=_KEY, takes=details.takes(choice))
