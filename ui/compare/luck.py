"""Luck: many trainings with random tie-breaking, in a thread, with progress and a Stop."""

from dataclasses import dataclass, field

import streamlit as st

from bpe import VARIANTS, Variant
from bpe.analysis.ties import RandomTieStudy, random_tie_study
from bpe.settings.read_request import read_request
from bpe.text.display import counted
from ui import session
from ui.compare import charts, verdict
from ui.compare.comparison import Comparison
from ui.jobs import Job, line
from ui.show.draw_chart import draw_chart
from ui.show.tables import frame
from ui.show.text import csv_file, in_markdown
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe, signature

FEWEST, MOST, USUAL = 2, 50, 10
POLLING = 0.5  # seconds between two looks at the progress
MOST_ROWS = 500
COLUMNS = ("token", "draws that learned it", "share")


@dataclass(slots=True)
class Draws:
    """Trainings with random tie-breaking, in a thread. `study` holds the results so far."""

    name: str  # of corpus, recipe and number of draws
    corpus: Corpus
    recipe: Recipe
    number: int
    job: Job = field(default_factory=Job)
    variant: Variant | None = None
    study: RandomTieStudy | None = None

    def start(self) -> None:
        """Begin to draw."""
        self.job.start(self._draw, "luck")

    def _draw(self) -> None:
        settings = self.recipe.settings
        self.variant = read_request(**settings).variant
        settings.pop("tie_break")
        settings.pop("seed", None)
        for study in random_tie_study(self.corpus.training_text, self.number, **settings):
            self.study = study


def draw(comparison: Comparison, shared: Recipe) -> None:
    """Draw the controls, the progress, and the result for the sidebar's recipe with random tie-breaking."""
    if shared.file:
        st.caption(
            "The sidebar's merges come from a file, so luck has no part in them. Choose “Train” there."
        )
        return
    draws = session.LUCK.read()
    row = st.container(horizontal=True, vertical_alignment="bottom", key="luck_controls")
    number = row.slider("Draws", FEWEST, MOST, USUAL, key="luck_draws", persist_state="session", width=320)
    recipe = shared.changed(picks=(), seed=0)
    name = f"{signature(comparison.corpus, recipe)} {number}"
    if draws is not None and draws.job.is_running:
        row.button("Stop", key="luck_stop", on_click=draws.job.stop)
        draw_progress(draws)
        return
    row.button(
        "Draw", key="luck_start", on_click=_start, args=(Draws(name, comparison.corpus, recipe, number),)
    )
    variant = in_markdown(VARIANTS[recipe.settings["variant"]].title)
    st.caption(
        f"Trains the sidebar's recipe ({variant}) many times and decides every tie at random. A token that every draw "
        "learns hardly depends on the rule; the more draws, the surer. A token that only some draws learn is luck."
    )
    if draws is not None:
        _draw_result(draws, draws.name == name)


def _start(draws: Draws) -> None:
    before = session.LUCK.read()
    if before is not None:
        before.job.stop()
    session.LUCK.write(draws)
    draws.start()


@st.fragment(run_every=POLLING)
def draw_progress(draws: Draws) -> None:
    """Draw how many draws are done; run the page again when all are."""
    draws.job.look()
    done = 0 if draws.study is None else draws.study.draws
    draws.job.ended.wait(0.3)  # a short run then needs no second run of the page
    if draws.job.ended.is_set():
        st.rerun()
    ahead = draws.job.ahead
    progress = line(ahead) if ahead else f"{done} of {draws.number} draws"
    st.progress(done / draws.number, text=progress)


def _draw_result(draws: Draws, is_current: bool) -> None:
    if draws.job.problem:
        st.error(in_markdown(draws.job.problem, most=500))
    if draws.study is None or draws.variant is None:
        if not draws.job.problem:
            st.warning("Stopped before the first draw ended, so there is no result yet.")
        return
    study, label = draws.study, draws.variant.label
    if not is_current:
        st.caption("These draws belong to another text, recipe or number. Press Draw for a new result.")
    if study.draws < draws.number:
        st.warning(f"Stopped after {study.draws} of {draws.number} draws. These are their results.")
    learned = len(study.times)
    always, sometimes = study.always, study.sometimes
    least, most = min(study.totals), max(study.totals)
    of = f"{len(always):,} of {counted(learned, 'token')} turned up in all {study.draws} random draws"
    spread = (
        "the text needs the same number of tokens in each"
        if least == most
        else f"the text needs {least:,} to {most:,} tokens, {verdict.percent((most - least) / least)} apart"
    )
    st.markdown(f"**{of}; {spread}.**")
    dark = st.context.theme.type == "dark"
    draw_chart(charts.spread(study.totals, dark=dark), "luck_spread")
    if sometimes:
        st.caption(
            f"{counted(len(sometimes), 'token')} turned up only in some draws, the most frequent first."
        )
    rows = [(label(token), times, times / study.draws) for token, times in sometimes]
    if rows:
        st.dataframe(
            frame(COLUMNS, rows[:MOST_ROWS]),
            hide_index=True,
            key="luck_table",
            column_config={
                "share": st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
            },
        )
    every = [(label(token), study.draws, 1.0) for token in always]
    st.download_button(
        "Download all tokens (CSV)",
        data=lambda: csv_file(COLUMNS, [*every, *rows]),
        file_name="luck.csv",
        mime="text/csv",
        on_click="ignore",
        key="download_luck",
    )
