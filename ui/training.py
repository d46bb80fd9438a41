"""Training for the pages: in a thread of its own, with progress and a Stop that works; traces shared by content.

A page asks `required_traces(corpus, recipes)` and gets traces, or is stopped after saying why there are none.
Short trainings answer at once. A long one shows what it has learned so far, so that its first merges can be
watched while the rest is learned; the page is run again when it ends.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import streamlit as st

import bpe
from bpe import BPEError, Trace
from ui.show.text import counted, in_markdown
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe, resolved_picks, signature

PATIENCE = 1.0  # seconds a page waits for a training before it shows progress instead
FIRST_LOOK = 1.0  # seconds after which what has been learned so far may be watched
POLLING = 0.7  # seconds between two looks at the progress
ABANDONED = 60.0  # seconds without a look after which a training ends: its tab was closed
JOBS_KEPT = 8  # a session's, for coming back to a training that was stopped

_at_once = threading.Semaphore(2)  # trainings of all sessions together; more would only slow each other down


@dataclass(slots=True)
class Job:
    """One training on its way in a thread. `trace` is set when it has ended, `preview` once while it runs."""

    corpus: Corpus
    recipe: Recipe
    training: bpe.Training | None = None
    learned: int = 0
    preview: Trace | None = None
    trace: Trace | None = None
    problem: str = ""
    asked: float = 0.0  # when somebody last looked; 0.0: not begun
    left: bool = False  # it was stopped because the page went on to another recipe
    shown: bool = False  # the preview is on the page
    stop: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def cancelled(self) -> bool:
        return self.trace is not None and self.trace.stopped == "cancelled"


class StillTrainingError(Exception):
    """A training has no complete trace yet. An exception, since Streamlit caches whatever is returned."""


def required_traces(corpus: Corpus, recipes: Sequence[Recipe]) -> list[Trace]:
    """A trace for each recipe; draws progress, a stop's reason or an error, and ends the page's run if it must."""
    jobs = st.session_state.setdefault("_jobs", {})
    names = [signature(corpus, recipe) for recipe in recipes]
    for name, job in jobs.items():
        if name not in names and not job.ended.is_set():
            job.left = True
            job.stop.set()
    traces = []
    until = time.monotonic() + PATIENCE
    with st.spinner("Learning merges …"):
        for name, recipe in zip(names, recipes, strict=True):
            traces.append(_trace(name, _finisher(jobs, name, corpus, recipe, until)))
    # Asked before the traces are taken: a job that ends between the two is drawn once more.
    current = [(jobs[name], jobs[name].ended.is_set()) for name in names if name in jobs]
    traces = [trace or _so_far(jobs[name]) for name, trace in zip(names, traces, strict=True)]
    for number, (job, has_ended) in enumerate(current):
        _say(job, has_ended, f"_{number}" if number else "")
    while len(jobs) > JOBS_KEPT:
        del jobs[next(iter(jobs))]
    if None in traces:
        st.stop()
    return [trace for trace in traces if trace is not None]


def required_trace(corpus: Corpus, recipe: Recipe) -> Trace:
    """The same for one recipe."""
    return required_traces(corpus, [recipe])[0]


def _trace(name: str, finish: Callable[[], Trace]) -> Trace | None:
    try:
        return _finished(name, finish)
    except StillTrainingError:
        return None


@st.cache_resource(max_entries=12, show_spinner=False)
def _finished(name: str, _finish: Callable[[], Trace]) -> Trace:
    """Complete traces, immutable, found by a hash of text and recipe: none is seen by who did not bring its text."""
    return _finish()


def _finisher(
    jobs: dict[str, Job], name: str, corpus: Corpus, recipe: Recipe, until: float
) -> Callable[[], Trace]:
    def finish() -> Trace:
        job = jobs.setdefault(name, Job(corpus, recipe))
        if not job.asked or (job.left and job.ended.is_set()):
            _start(job)
        job.asked = time.monotonic()
        job.ended.wait(max(0.0, until - time.monotonic()))
        if job.trace is None or job.cancelled:
            raise StillTrainingError
        del jobs[name]
        return job.trace

    return finish


def _start(job: Job) -> None:
    """Begin the training, or go on where it was stopped."""
    job.stop.clear()
    job.ended.clear()
    job.trace = None
    job.problem = ""
    job.left = job.shown = False
    job.asked = time.monotonic()
    threading.Thread(target=_learn, args=(job,), daemon=True, name="training").start()


def _learn(job: Job) -> None:
    """Runs in the thread: no call of Streamlit here."""
    try:
        with _at_once:
            if job.training is None:
                picks = resolved_picks(job.corpus, job.recipe)
                job.training = bpe.train_steps(job.corpus.training_text, **job.recipe.settings, picks=picks)
            job.trace = _learn_until_told(job, job.training)
    except BPEError as error:
        job.problem = str(error)
    except MemoryError:
        job.problem = (
            "This computer's memory does not hold this training: take a shorter text or fewer merges."
        )
    finally:
        job.ended.set()


def _learn_until_told(job: Job, training: bpe.Training) -> Trace:
    look = time.monotonic() + FIRST_LOOK
    for step in training:
        job.learned = step.rank + 1
        now = time.monotonic()
        if job.stop.is_set() or now - job.asked > ABANDONED:
            return training.trace(stopped="cancelled")
        if now > look and job.preview is None:
            job.preview = training.trace(stopped="cancelled")
    return training.trace()


def _so_far(job: Job) -> Trace | None:
    """What a stopped or running training can show, if it is one merge at least."""
    trace = job.trace or job.preview
    job.shown = trace is not None
    return trace if trace is not None and trace.steps else None


def _say(job: Job, has_ended: bool, suffix: str) -> None:
    """Above the result: why there is none, or that it is not complete. `suffix` tells several apart by key."""
    if not has_ended:
        _progress(job, suffix)
    elif job.problem:
        st.error(in_markdown(job.problem, most=500))
    elif job.cancelled:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.warning(
            f"Stopped after {job.learned:,} of at most {counted(job.recipe.merges, 'merge')}: this was learned."
        )
        row.button("Go on", key=f"training_go_on{suffix}", on_click=_start, args=(job,))
    elif job.trace is None:
        st.error("The training ended unexpectedly; the terminal that runs the app shows why.")


@st.fragment(run_every=POLLING)
def _progress(job: Job, suffix: str) -> None:
    job.asked = time.monotonic()
    shown = f"Learning merges: {job.learned:,} of at most {job.recipe.merges:,}."
    if job.preview is not None:
        shown += f" The first {len(job.preview.steps):,} can be watched already."
    row = st.container(horizontal=True, vertical_alignment="center")
    row.progress(min(1.0, job.learned / max(1, job.recipe.merges)), text=shown)
    row.button("Stop", key=f"training_stop{suffix}", on_click=job.stop.set)
    if job.stop.is_set():
        job.ended.wait(POLLING)
    if job.ended.is_set() or (job.preview is not None and not job.shown):
        st.rerun()
