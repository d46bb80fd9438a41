"""Training for the pages: in a thread, with progress and a Stop. Complete traces are shared by content.

A page calls `required_traces(corpus, recipes)` and gets traces, or stops after showing why there are none.
Short trainings return at once. A long one shows what it has learned so far, so that its first merges can be
watched while the rest is learned; the page is run again when it ends.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import streamlit as st

import bpe
from bpe import Step, Tokenizer, Trace
from bpe.text.display import counted
from ui import session
from ui.jobs import ABANDONED, Job
from ui.show.text import in_markdown
from ui.sidebar import tokenizer_files
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe, check_picks, signature

POLLING = 0.7  # seconds between two looks at the progress
MOST_REMEMBERED = 8  # trainings of a session, so that a stopped one can be resumed

_at_once = threading.Semaphore(2)  # trainings of all sessions at once; more would slow each other down


class Steps(Protocol):
    """A training in progress, as `bpe.train_steps` returns it."""

    def __iter__(self) -> Iterator[Step]:
        """Yield the next steps."""

    def trace(self, stopped: str = ...) -> Trace:
        """Return the trace of the steps so far."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Waiting times, in seconds."""

    wait: float = 1.0  # time that a page waits for a training before it shows progress
    preview: float = 1.0  # time after which the merges learned so far can be watched
    abandoned: float = ABANDONED


def begin(corpus: Corpus, recipe: Recipe) -> Steps:
    """Return the training of a recipe, before its first step."""
    return bpe.train_steps(corpus.training_text, **recipe.settings)


def replay(tokenizer: Tokenizer) -> Callable[[Corpus, Recipe], Steps]:
    """Return a function that returns the replay of a tokenizer's merges, before its first step."""
    return lambda corpus, recipe: bpe.replay_steps(corpus.training_text, tokenizer)


@dataclass(slots=True)
class RunningTraining:
    """A training in a thread. `trace` is set when it has ended, `preview` is set once while it runs."""

    corpus: Corpus
    recipe: Recipe
    pace: Pace = Pace()
    begin: Callable[[Corpus, Recipe], Steps] = begin
    listed: int | None = None  # number of merges in the list of a replay; None for a training
    job: Job = field(default_factory=Job)
    steps: Steps | None = None
    learned: int = 0  # merges so far; of a replay the merges of the list that are done
    preview: Trace | None = None
    trace: Trace | None = None
    left_behind: bool = False  # stopped because the page went on to another recipe
    has_drawn_trace: bool = False  # the page shows the preview or the trace

    @property
    def cancelled(self) -> bool:
        """Whether it was stopped before its end."""
        return self.trace is not None and self.trace.stopped == "cancelled"

    def start(self) -> None:
        """Begin the training, or resume it where it was stopped."""
        self.trace = None
        self.left_behind = self.has_drawn_trace = False
        self.job.patience = self.pace.abandoned
        self.job.start(self._learn, "training")

    def _learn(self) -> None:
        with _at_once:
            if self.steps is None:
                self.steps = self.begin(self.corpus, self.recipe)
            preview_from = time.monotonic() + self.pace.preview
            for step in self.steps:
                self.learned = (step.rank if step.list_rank is None else step.list_rank) + 1
                if self.job.must_end:
                    self.trace = self.steps.trace(stopped="cancelled")
                    return
                if self.preview is None and time.monotonic() > preview_from:
                    self.preview = self.steps.trace(stopped="cancelled")
            trace = self.steps.trace()
            check_picks(self.recipe, trace)
            self.trace = trace


class StillTrainingError(Exception):
    """The error for a training without a complete trace. It is an exception, since Streamlit caches returned values."""


def required_traces(
    corpus: Corpus,
    recipes: Sequence[Recipe],
    pace: Pace = Pace(),
    begin: Callable[[Corpus, Recipe], Steps] = begin,
) -> list[Trace]:
    """Return a trace for each recipe. If one is missing, draw progress or the reason, and end the page's run."""
    trainings = session.TRAININGS.read()
    names = [signature(corpus, recipe) for recipe in recipes]
    for name, training in trainings.items():
        if name not in names and not training.job.ended.is_set():
            training.left_behind = True
            training.job.stop()
    until = time.monotonic() + pace.wait
    complete: dict[str, Trace | None] = {}
    with st.spinner("Applying merges …" if any(recipe.file for recipe in recipes) else "Learning merges …"):
        for name, recipe in zip(names, recipes, strict=True):
            new = _new_training(corpus, recipe, pace, begin)
            # A session that opened a file has its replays for itself.
            cached = cached_replay if recipe.file else cached_trace
            complete[name] = _complete_trace(cached, name, _finisher(trainings, name, new, until))
    # Ask before reading the traces: a training that ends between the two is then drawn once more.
    current = [
        (trainings[name], trainings[name].job.ended.is_set()) for name in complete if name in trainings
    ]
    traces = [complete[name] or _trace_so_far(trainings[name]) for name in names]
    for number, (training, has_ended) in enumerate(current):
        draw_state(training, has_ended, f"_{number}" if number else "")
    # Those of this page stay, however many: a training that is forgotten would begin again at the next run.
    others = [name for name in trainings if name not in names]
    for name in others[: max(0, len(trainings) - MOST_REMEMBERED)]:
        del trainings[name]
    if None in traces:
        st.stop()
    return [trace for trace in traces if trace is not None]


def required_trace(corpus: Corpus, recipe: Recipe) -> Trace:
    """Return the trace of one recipe, as `required_traces` does."""
    return required_traces(corpus, [recipe])[0]


def _new_training(
    corpus: Corpus, recipe: Recipe, pace: Pace, begin: Callable[[Corpus, Recipe], Steps]
) -> RunningTraining:
    if not recipe.file:
        return RunningTraining(corpus, recipe, pace, begin)
    tokenizer = tokenizer_files.remembered()[recipe.file].tokenizer
    return RunningTraining(corpus, recipe, pace, replay(tokenizer), listed=len(tokenizer.merges))


def _complete_trace(
    cached: Callable[[str, Callable[[], Trace]], Trace], name: str, finish: Callable[[], Trace]
) -> Trace | None:
    try:
        return cached(name, finish)
    except StillTrainingError:
        return None


@st.cache_resource(max_entries=12, show_spinner=False)
def cached_trace(name: str, _finish: Callable[[], Trace]) -> Trace:
    """Return the complete trace of this name, a hash of text and recipe, so only sessions with the text can get it."""
    return _finish()


@st.cache_resource(scope="session", max_entries=6, show_spinner=False)
def cached_replay(name: str, _finish: Callable[[], Trace]) -> Trace:
    """Return the complete replay of this name. It holds the tokenizer, so each session remembers its own last ones."""
    return _finish()


def _finisher(
    trainings: dict[str, RunningTraining], name: str, new: RunningTraining, until: float
) -> Callable[[], Trace]:
    """Return a function that starts the training of this name if needed, and waits for it until the deadline."""

    def finish() -> Trace:
        training = trainings.setdefault(name, new)
        job = training.job
        if not job.started or (training.left_behind and job.ended.is_set()):
            training.start()
        job.look()
        job.ended.wait(max(0.0, until - time.monotonic()))
        if training.trace is None or training.cancelled:
            raise StillTrainingError
        del trainings[name]
        return training.trace

    return finish


def _trace_so_far(training: RunningTraining) -> Trace | None:
    """Return the trace so far of a stopped or running training, if it has at least one merge."""
    trace = training.trace or training.preview
    training.has_drawn_trace = trace is not None
    return trace if trace is not None and trace.steps else None


def draw_state(training: RunningTraining, has_ended: bool, suffix: str = "") -> None:
    """Draw why there is no result, or that it is not complete. `suffix` makes the keys of several unique."""
    if not has_ended:
        draw_progress(training, suffix)
    elif training.job.problem:
        st.error(in_markdown(training.job.problem, most=500))
    elif training.cancelled:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.warning(_stopped(training))
        row.button("Go on", key=f"training_go_on{suffix}", on_click=training.start)
    elif training.trace is None:
        st.error("The training ended unexpectedly. The terminal that runs the app shows why.")


def _stopped(training: RunningTraining) -> str:
    if training.listed is not None:
        return f"Stopped after {training.learned:,} of the file's {counted(training.listed, 'merge')}."
    most = training.recipe.merges
    return f"Stopped after {training.learned:,} of {counted(most, 'merge')}. This is what was learned so far."


@st.fragment(run_every=POLLING)
def draw_progress(training: RunningTraining, suffix: str = "") -> None:
    """Draw how far the training has come, and a Stop; run the page again when there is more to show."""
    job, listed = training.job, training.listed
    most = training.recipe.merges if listed is None else listed
    job.look()
    work = "Learning merges" if listed is None else "Applying the file's merges"
    progress = f"{work}: {training.learned:,} of {most:,}."
    if training.preview is not None:
        progress += f" You can already watch the first {len(training.preview.steps):,}."
    row = st.container(horizontal=True, vertical_alignment="center")
    row.progress(min(1.0, training.learned / max(1, most)), text=progress)
    row.button("Stop", key=f"training_stop{suffix}", on_click=job.stop)
    if job.is_stopped:
        job.ended.wait(POLLING)
    if job.ended.is_set() or (training.preview is not None and not training.has_drawn_trace):
        st.rerun()
