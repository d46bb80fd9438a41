"""Luck: many trainings with random tie-breaking, in a thread, with progress and a Stop."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from bpe import VARIANTS, Variant
from bpe.analysis.sentences.percentages import percent, percent_range
from bpe.analysis.significance.random_draws import DRAWS, Luck, random_draws
from bpe.analysis.ties import RandomTieStudy
from bpe.settings.request import read_request
from bpe.text.display import counted
from film.labels import chip_label
from ui.compare.measures import charts
from ui.compare.measures.comparison import Comparison
from ui.components.chip_table import Chips, Column, chip_table
from ui.show.charts import draw_chart
from ui.show.text import csv_file, in_markdown
from ui.sidebar.recipes.recipe import Recipe, signature
from ui.streamlit_gaps.stop_button import stop_button
from ui.visit import Slot, nothing
from ui.work.jobs import WatchedWork, line, watch
from ui.work.memory_budget import fragment

FEWEST, MOST, USUAL = 2, 50, DRAWS
POLLING = 0.5  # seconds between two looks at the progress
MOST_ROWS = 500
COLUMNS = ("token", "draws that learned it", "share")


@dataclass(frozen=True, slots=True)
class Draws:
    """Trainings with random tie-breaking, on their way or complete."""

    name: str  # hash of corpus, recipe and held-out text
    number: int
    variant: Variant
    work: WatchedWork[Luck]

    @property
    def luck(self) -> Luck | None:
        """The results so far."""
        return self.work.work.result


# The draws on their way, or done
LUCK: Slot[Draws | None] = Slot("_luck", nothing)


def draws_of(comparison: Comparison, recipe: Recipe, number: int) -> Callable[[], Iterator[Luck]]:
    """Return the function that draws the ties of a recipe at random. It yields the results after each draw."""
    settings = _settings(recipe)
    corpus, documents = comparison.corpus.training_text, comparison.held_out.documents
    return lambda: random_draws(corpus, documents, number, **settings)


def usual_draws(comparison: Comparison, shared: Recipe) -> Callable[[], Iterator[Luck]]:
    """Return the function that draws the ties of the sidebar's recipe as often as is usual."""
    return draws_of(comparison, shared, USUAL)


def _settings(recipe: Recipe) -> dict[str, Any]:
    settings = recipe.changed(picks=(), seed=0).settings
    settings.pop("tie_break")
    settings.pop("seed", None)
    return settings


def name_of(comparison: Comparison, shared: Recipe) -> str:
    """Return the name of the draws of the sidebar's recipe: a hash of corpus, recipe and held-out text."""
    parts = (signature(comparison.corpus, shared.changed(picks=(), seed=0)), *comparison.held_out.documents)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def complete_draws(name: str) -> Luck | None:
    """Return the draws of the tab if they are complete and have this name."""
    draws = LUCK.read()
    return draws.luck if draws is not None and draws.name == name and draws.work.work.is_complete else None


def draw(comparison: Comparison, shared: Recipe) -> None:
    """Draw the controls, the progress, and the result for the sidebar's recipe with random tie-breaking."""
    if shared.file:
        st.caption(
            "The sidebar's merges come from a file, so luck has no part in them. Choose “Train” there."
        )
        return
    draws = LUCK.read()
    row = st.container(horizontal=True, vertical_alignment="bottom", key="luck_controls")
    number = row.slider("Draws", FEWEST, MOST, USUAL, key="luck_draws", persist_state="session", width=320)
    if draws is not None and draws.work.is_running:
        stop_button(row, "luck_stop", draws.work.stop)
        draw_progress(draws)
        return
    row.button("Draw", key="luck_start", on_click=_start, args=(comparison, shared, number))
    variant = in_markdown(VARIANTS[shared.settings["variant"]].title)
    st.caption(
        f"Trains the sidebar's recipe ({variant}) many times and decides every tie at random. A token that every draw "
        "learns hardly depends on the rule, and more draws make this more certain. A token that only some draws learn "
        "is there by luck."
    )
    if draws is not None:
        _draw_result(draws, draws.name == name_of(comparison, shared) and draws.number == number)


def _start(comparison: Comparison, shared: Recipe, number: int) -> None:
    before = LUCK.read()
    if before is not None:
        before.work.stop()
    LUCK.write(begin(comparison, shared, number))


def begin(comparison: Comparison, shared: Recipe, number: int) -> Draws:
    """Begin to draw the ties of the sidebar's recipe at random, or join those who have begun."""
    name = name_of(comparison, shared)
    draw_all = draws_of(comparison, shared, number)

    def compute(report: Callable[[float, Luck | None], None]) -> None:
        for luck in draw_all():
            report(luck.draws / number, luck)

    draws = Draws(
        name,
        number,
        read_request(**_settings(shared)).variant,
        watch(f"{name} {number} draws", compute),
    )
    draws.work.start()
    return draws


@partial(fragment, run_every=POLLING)
def draw_progress(draws: Draws) -> None:
    """Draw how many draws are done; run the page again when all are."""
    draws.work.look()
    work = draws.work.work
    done = 0 if draws.luck is None else draws.luck.draws
    work.job.ended.wait(0.3)  # a short run then needs no second run of the page
    if work.job.ended.is_set():
        st.rerun()
    ahead = work.job.ahead
    progress = line(ahead) if ahead else f"{done} of {draws.number} draws"
    st.progress(done / draws.number, text=progress)


def _draw_result(draws: Draws, is_current: bool) -> None:
    if draws.work.problem:
        st.error(in_markdown(draws.work.problem, most=500))
    luck = draws.luck
    if luck is None:
        if not draws.work.problem:
            st.warning("Stopped before the first draw ended, so there is no result yet.")
        return
    study = luck.study
    if not is_current:
        st.caption("These draws belong to another text, recipe or number. Press Draw for a new result.")
    if study.draws < draws.number:
        st.warning(f"Stopped after {study.draws} of {draws.number} draws. These are their results.")
    st.markdown(f"**{_summary(study)}**{_on_held_out_text(luck)}")
    dark = st.context.theme.type == "dark"
    draw_chart(charts.spread(study.totals, dark=dark), "luck_spread")
    _draw_tokens(study, draws.variant)


def _summary(study: RandomTieStudy) -> str:
    """Return how many tokens all draws learned, and how much the draws differ in the tokens that the text needs."""
    least, most = min(study.totals), max(study.totals)
    tokens = counted(len(study.times), "token")
    spread = (
        "the text needs the same number of tokens in each"
        if least == most
        else f"the text needs {least:,} to {most:,} tokens, {percent((most - least) / least)} apart"
    )
    return f"{len(study.always):,} of {tokens} turned up in all {study.draws} random draws; {spread}."


def _draw_tokens(study: RandomTieStudy, variant: Variant) -> None:
    """Draw the tokens that only some draws learned, and a button that downloads all tokens."""
    label = variant.label
    rows = [(label(token), times, times / study.draws) for token, times in study.sometimes]
    if rows:
        st.caption(
            f"{counted(len(rows), 'token')} turned up only in some of the {study.draws} draws, the most frequent first."
        )
        chips = Chips(partial(chip_label, variant), lambda _: None)
        chip_table(
            (Column("token", "tokens"), Column(COLUMNS[1], "number")),
            [(chips(token), times) for token, times in study.sometimes[:MOST_ROWS]],
            chips,
            key="luck_table",
            label="Tokens that turned up only in some draws",
        )
    every = [(label(token), study.draws, 1.0) for token in study.always]
    st.download_button(
        "Download all tokens (CSV)",
        data=lambda: csv_file(COLUMNS, [*every, *rows]),
        file_name="luck.csv",
        mime="text/csv",
        on_click="ignore",
        key="download_luck",
    )


def _on_held_out_text(luck: Luck) -> str:
    """Return how much any two draws differ on the held-out text; "" for a single draw."""
    if not luck.same_splits:
        return ""
    words = percent_range(1 - max(luck.same_splits), 1 - min(luck.same_splits))
    tokens = percent_range(min(luck.more_tokens), max(luck.more_tokens))
    return (
        f" On the held-out text, any two draws split {words} of the words differently, and their token counts are "
        f"{tokens} apart."
    )
