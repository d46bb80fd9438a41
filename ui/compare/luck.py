"""Luck: the same training with ties drawn by lot, many times, in a thread of its own with progress and a Stop."""

import threading
import time
from dataclasses import dataclass, field, replace

import streamlit as st

from bpe import VARIANTS, BPEError, Variant
from bpe.analysis.ties import RandomTieStudy, random_tie_study
from bpe.settings.read_request import read_request
from ui.compare import charts, verdict
from ui.compare.comparison import Comparison
from ui.show.tables import frame
from ui.show.text import csv_file, in_markdown
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe, signature

FEWEST, MOST, USUAL = 2, 50, 10
POLLING = 0.5  # seconds between two looks at the progress
ABANDONED = 60.0  # seconds without a look after which drawing ends: its tab was closed
MOST_ROWS = 500
COLUMNS = ("token", "draws that learned it", "share")


@dataclass(slots=True)
class Job:
    """Draws on their way in a thread. `found` is the latest, `problem` why there is none."""

    name: str
    corpus: Corpus
    recipe: Recipe
    draws: int
    variant: Variant | None = None
    asked: float = field(default_factory=time.monotonic)  # when somebody last looked
    found: RandomTieStudy | None = None
    problem: str = ""
    stop: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)


def draw(found: Comparison, shared: Recipe) -> None:
    """How many draws, Start and Stop, progress, and what came of it, for the sidebar's recipe without its rule."""
    job: Job | None = st.session_state.get("_luck")
    row = st.container(horizontal=True, vertical_alignment="bottom", key="luck_controls")
    draws = row.slider("Draws", FEWEST, MOST, USUAL, key="luck_draws", persist_state="session", width=320)
    recipe = replace(shared, picks=(), seed=0)
    name = f"{signature(found.corpus, recipe)} {draws}"
    if job is not None and not job.ended.is_set():
        row.button("Stop", key="luck_stop", on_click=job.stop.set)
        _progress(job)
        return
    row.button("Draw", key="luck_start", on_click=_start, args=(name, found.corpus, recipe, draws))
    variant = in_markdown(VARIANTS[recipe.settings["variant"]].title)
    st.caption(
        f"Each draw trains the sidebar's recipe anew ({variant}), whatever the lanes above are, and lets a seeded draw "
        "decide every tie. What all draws learn does not depend on the rule; what only some learn is luck."
    )
    if job is not None:
        _say(job, job.name == name)


def _start(name: str, corpus: Corpus, recipe: Recipe, draws: int) -> None:
    before: Job | None = st.session_state.get("_luck")
    if before is not None:
        before.stop.set()
    job = st.session_state["_luck"] = Job(name, corpus, recipe, draws)
    threading.Thread(target=_work, args=(job,), daemon=True, name="luck").start()


def _work(job: Job) -> None:
    """Runs in the thread: no call of Streamlit here."""
    try:
        settings = job.recipe.settings
        job.variant = read_request(**settings).variant
        settings.pop("tie_break")
        settings.pop("seed", None)
        for found in random_tie_study(job.corpus.training_text, job.draws, **settings):
            job.found = found
            if job.stop.is_set() or time.monotonic() - job.asked > ABANDONED:
                break
    except BPEError as error:
        job.problem = str(error)
    except MemoryError:
        job.problem = (
            "This computer's memory does not hold this training: take a shorter text or fewer merges."
        )
    finally:
        job.ended.set()


@st.fragment(run_every=POLLING)
def _progress(job: Job) -> None:
    job.asked = time.monotonic()
    done = 0 if job.found is None else job.found.draws
    job.ended.wait(0.3)  # a short run answers at once
    if job.ended.is_set():
        st.rerun()
    st.progress(done / job.draws, text=f"{done} of {job.draws} draws")


def _say(job: Job, current: bool) -> None:
    if job.problem:
        st.error(in_markdown(job.problem, most=500))
    if job.found is None or job.variant is None:
        return
    found, label = job.found, job.variant.label
    if not current:
        st.caption("Drawn for another text, recipe or number of draws: press Draw for this one.")
    if found.draws < job.draws:
        st.warning(f"Stopped after {found.draws} of {job.draws} draws: this is what they came to.")
    learned = len(found.times)
    always, sometimes = found.always, found.sometimes
    least, most = min(found.totals), max(found.totals)
    were = "was" if len(always) == 1 else "were"
    of = f"{len(always):,} of {learned:,} tokens {were} learned in every one of {found.draws} draws"
    spread = (
        "the corpus takes the same number of tokens in each"
        if least == most
        else f"the corpus takes {least:,} to {most:,} tokens, {verdict.percent((most - least) / least)} apart"
    )
    st.markdown(f"**{of}; {spread}.**")
    dark = st.context.theme.type == "dark"
    st.plotly_chart(
        charts.spread(found.totals, dark=dark),
        theme=None,
        config={"displayModeBar": False},
        key="luck_spread",
    )
    if sometimes:
        st.caption(f"{len(sometimes):,} tokens depend on the draw; the most frequent first.")
    rows = [(label(token), times, times / found.draws) for token, times in sometimes]
    if rows:
        st.dataframe(
            frame(COLUMNS, rows[:MOST_ROWS]),
            hide_index=True,
            key="luck_table",
            column_config={
                "share": st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
            },
        )
    every = [(label(token), found.draws, 1.0) for token in always]
    st.download_button(
        "Download all tokens (CSV)",
        data=lambda: csv_file(COLUMNS, [*every, *rows]),
        file_name="luck.csv",
        mime="text/csv",
        on_click="ignore",
        key="download_luck",
    )
