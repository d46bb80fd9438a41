"""Running trainings: one for each content, in a thread, for all sessions that ask for it.

Its name is a hash of text and recipe, so the sessions that share it have the same text. A session that presses Stop
leaves a training, and the last one to leave ends it.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol
from weakref import WeakValueDictionary, ref

import bpe
from bpe import BPEError, Step, Tokenizer, Trace
from bpe.checkpoints import checkpoints
from ui.trainings.byte_cache import ByteCache, size_of
from ui.trainings.corpus import Corpus
from ui.trainings.jobs import ABANDONED, Job, StoppedError
from ui.trainings.long_work import POLLING
from ui.trainings.recipe import Recipe, check_picks

# The traces of all sessions by name, a hash of text and recipe (`signature`).
# So who gets a trace has the same text and recipe, and nobody can find out another's text.
_MOST_BYTES = 16_000_000  # of the traces that no session shows any more
_CACHE: ByteCache[Trace] = ByteCache(_MOST_BYTES)
_IN_USE: WeakValueDictionary[str, Trace] = WeakValueDictionary()  # also those that are too many for the cache

# Bytes of stopped trainings that can go on. The last one can go on whatever its size.
_MOST_STOPPED = 100_000_000
SHORT_TEXT = 200_000  # characters that are trained on in some seconds
_LOCK = threading.Lock()
_NUMBERS = count(1)
Begin = Callable[[Corpus, Recipe], "_Steps"]
_TRAININGS: WeakValueDictionary[str, RunningTraining] = WeakValueDictionary()


def begin(corpus: Corpus, recipe: Recipe) -> _Steps:
    """Return the training of a recipe, before its first step."""
    return bpe.train_steps(corpus.training_text, **recipe.settings)


@dataclass(frozen=True, slots=True)
class Pace:
    """Waiting times, in seconds."""

    wait: float = 1.0  # time that a page waits for a training before it shows progress
    # time for which it keeps its old picture, with a Stop, while a tokenizer's merges are looked up
    keep: float = 8.0
    preview: float = 1.0  # time after which the merges learned so far can be watched
    abandoned: float = ABANDONED
    merge: float = 0.5  # time that a merge has before a stop interrupts it: the training then cannot go on


@dataclass(slots=True, eq=False, weakref_slot=True)
class RunningTraining:
    """A training in a thread. `trace` is set when it is complete, `so_far` when it ended before."""

    name: str
    corpus: Corpus
    recipe: Recipe
    pace: Pace = Pace()
    begin: Begin = begin
    listed: int | None = None  # number of merges in the list of a replay; None for a training
    job: Job = field(default_factory=Job)
    steps: _Steps | None = None  # None before the words are counted, and when the training cannot go on
    learned: int = 0  # merges so far; in a replay, first those of the list, then the further ones too
    preview: Trace | None = None  # set once while it runs
    so_far: Trace | None = None
    trace: Trace | None = None
    began: float = 0.0  # when it last began to work, on the monotonic clock
    stepped: float = 0.0  # when it last finished a merge
    _wanted: set[int] = field(default_factory=set)  # watchers that want what was learned, though others go on
    _learned_by: dict[int, Trace] = field(default_factory=dict)  # what they get

    def __post_init__(self) -> None:
        self.job.is_short = self.corpus.characters <= SHORT_TEXT
        self.job.weight = self.corpus.characters

    def start(self, watcher: int = 0) -> None:
        """Begin the training, or let it go on where it was stopped, unless it runs already."""
        self.job.patience = self.pace.abandoned
        self.job.start(self._learn, "training", watcher)

    def stop(self, watcher: int = 0) -> None:
        """Record that this watcher no longer waits for the training. `learned_for` then tells what was learned."""
        if self.job.is_running:
            self._wanted.add(watcher)
        self.job.stop(watcher)

    def learned_for(self, watcher: int) -> Trace | None:
        """Return what was learned when this watcher stopped it; None if that is nothing or not known yet."""
        trace = self._learned_by.pop(watcher, None)
        return trace if trace is not None or self.job.is_running else self.trace or self.so_far

    @property
    def most(self) -> int:
        """Number of merges that it will learn at most; of a replay, that of its own and of further merges."""
        return self.recipe.merges if self.listed is None else self.listed + self.recipe.further_merges

    @property
    def share(self) -> float:
        """How much is learned, from 0 to 1."""
        return min(1.0, self.learned / max(1, self.most))

    @property
    def seconds(self) -> float:
        """Time since it began to work; 0 before."""
        return time.monotonic() - self.began if self.began else 0.0

    def forget_steps(self) -> None:
        """Free the memory that is needed to go on: the training would begin again."""
        if not self.job.is_running:
            self.steps = None

    def _learn(self) -> None:
        self.trace = find(self.name)
        if self.trace is not None:
            return
        try:
            with checkpoints(self._check):
                self._learn_rest()
        except StoppedError:  # in the middle of long work
            self.so_far = self._trace_so_far() or self.preview
            self.steps = None
        except BaseException:
            self.steps = None
            raise
        finally:
            self.preview = None
            self._wanted.clear()
            self._learned_by.clear()
        if not self.job.is_stopped:  # complete, or nobody is there any more to let it go on
            self.steps = self.so_far = None
        if self.steps is not None:
            _STOPPED.add(self)

    def _check(self) -> None:
        """Raise StoppedError if the training must end and its merge takes long."""
        if time.monotonic() > self.stepped + self.pace.merge:
            self.job.check()

    def _learn_rest(self) -> None:
        self.so_far = None
        self.began = self.stepped = time.monotonic()
        steps = self.steps  # once, as `forget_steps` may come from another thread
        if steps is None:
            self.learned = 0
            steps = self.steps = self.begin(self.corpus, self.recipe)
        preview_from = time.monotonic() + self.pace.preview
        for step in steps:
            self.stepped = time.monotonic()
            self.learned = self._number_of(step)
            if self.job.must_end:
                self.so_far = steps.trace(stopped="cancelled")
                return
            if self._wanted:
                trace = steps.trace(stopped="cancelled")
                while self._wanted:
                    self._learned_by[self._wanted.pop()] = trace
            if self.preview is None and time.monotonic() > preview_from:
                self.preview = steps.trace(stopped="cancelled")
        trace = steps.trace()
        check_picks(self.recipe, trace)
        self.trace, self.steps = trace, None
        _put(self.name, trace)

    def _number_of(self, step: Step) -> int:
        """Return how many merges are done after a step."""
        if step.list_rank is not None:
            return max(self.learned, step.list_rank + 1)
        return step.rank + 1 if self.listed is None else max(self.listed, self.learned) + 1

    def _trace_so_far(self) -> Trace | None:
        try:
            return None if self.steps is None else self.steps.trace(stopped="cancelled")
        except BPEError:  # it was interrupted in the middle of a merge
            return None


def find(name: str) -> Trace | None:
    """Return the trace of this name, if it is cached or some session shows it."""
    return _CACHE.find(name) or _IN_USE.get(name)


def replay(tokenizer: Tokenizer) -> Begin:
    """Return a function that returns the replay of a tokenizer's merges, before its first step.

    If the recipe goes on, further merges are learned after it, or all merges anew.
    """

    def begin(corpus: Corpus, recipe: Recipe) -> _Steps:
        if recipe.trains_like:
            return bpe.train_like_steps(corpus.training_text, tokenizer, **recipe.further)
        if recipe.goes_on:
            return bpe.continue_training_steps(corpus.training_text, tokenizer, **recipe.further)
        return bpe.replay_steps(corpus.training_text, tokenizer)

    return begin


def refused(reason: str) -> Begin:
    """Return a function that begins no training, and says why."""

    def begin(corpus: Corpus, recipe: Recipe) -> _Steps:
        raise BPEError(reason)

    return begin


def shared(name: str, make: Callable[[], RunningTraining]) -> RunningTraining:
    """Return the training of this name that some session has asked for already; else make one."""
    with _LOCK:
        training = _TRAININGS.get(name)
        if training is None:
            training = _TRAININGS[name] = make()
        return training


@dataclass(slots=True, eq=False)
class TrainingWatch:
    """What one session wants of a training."""

    training: RunningTraining
    is_stopped: bool = False  # by this session's button; other sessions may wait for it still
    trace: Trace | None = None  # what was learned when this session stopped it
    has_drawn_trace: bool = False  # the page shows what was learned so far
    needs_all: bool = False  # the page draws nothing of a part of it
    number: int = field(default_factory=lambda: next(_NUMBERS))  # tells the watchers of a training apart

    def ask(self) -> None:
        """Let the training begin or go on, unless this session has stopped it or it has failed."""
        job = self.training.job
        if not self.is_stopped and not (job.ended.is_set() and job.problem):
            self.training.start(self.number)

    def look(self) -> None:
        """Record that the session is still there."""
        if not self.is_stopped:
            self.training.job.look(self.number)

    def stop(self) -> None:
        """Stop waiting for it. The training goes on while other sessions wait."""
        self.is_stopped = True
        self.training.stop(self.number)

    def go_on(self) -> None:
        """Wait for it again."""
        self.is_stopped = False
        self.trace = None

    @property
    def is_running(self) -> bool:
        """Whether something changes without being asked for."""
        return not self.has_settled

    @property
    def problem(self) -> str:
        """The sentence that says why it failed; "" if it did not, or if this session has stopped it."""
        return "" if self.is_stopped else self.training.job.problem

    @property
    def share(self) -> float:
        """How much is learned."""
        return self.training.share

    @property
    def ahead(self) -> int:
        """Number of jobs in the queue before this one."""
        return self.training.job.ahead

    def has_news(self) -> bool:
        """Return whether there is more to show than when the page was drawn: the training's end, or its first merges.

        It waits a moment for a training that was stopped.
        """
        training = self.training
        if self.is_stopped:
            wait_until_settled([self])
        has_preview = training.preview is not None and not self.has_drawn_trace and not self.needs_all
        return self.has_settled or training.job.ended.is_set() or (has_preview and not self.is_stopped)

    def leave(self) -> None:
        """Stop waiting, as the page asks for another training now. Asking for this one again lets it go on."""
        self.training.job.stop(self.number)

    @property
    def has_settled(self) -> bool:
        """Whether nothing changes any more unless somebody asks: it has failed, or it was stopped."""
        job = self.training.job
        if not self.is_stopped:
            return job.ended.is_set() and bool(job.problem)
        if self.trace is None:
            self.trace = self.training.learned_for(self.number)
        # While words are counted nothing is learned yet, and nobody needs to wait until that ends.
        return self.trace is not None or not job.is_running or self.training.steps is None

    @property
    def trace_so_far(self) -> Trace | None:
        """The merges learned so far, if there is at least one and the page can show them yet."""
        if self.needs_all:
            return None
        trace = self.trace if self.is_stopped else self.training.preview or self.training.so_far
        return trace if trace is not None and trace.steps else None


def wait_until_settled(watches: Sequence[TrainingWatch]) -> None:
    """Wait a moment until all these trainings, which the viewer has stopped, have noticed it."""
    until = time.monotonic() + POLLING
    while not all(watch.has_settled for watch in watches) and time.monotonic() < until:
        time.sleep(0.02)


class _Steps(Protocol):
    """A training in progress, as `bpe.train_steps` returns it."""

    def __iter__(self) -> Iterator[Step]:
        """Yield the next steps."""

    def trace(self, stopped: str = ...) -> Trace:
        """Return the trace of the steps so far."""


def _put(name: str, trace: Trace) -> None:
    """Add a complete trace."""
    _IN_USE[name] = trace
    _CACHE.put(name, trace)


class _StoppedTrainings:
    """The trainings that were stopped and can go on, the last one at the end, bounded in bytes."""

    def __init__(self, most: int = _MOST_STOPPED) -> None:
        """Begin with none. `most` is the number of bytes that they may take together."""
        self._most = most
        self._lock = threading.Lock()
        self._sizes: OrderedDict[ref[RunningTraining], int] = OrderedDict()

    def add(self, training: RunningTraining) -> None:
        """Add one, and forget the steps of the oldest ones until the others fit."""
        with self._lock:
            self._sizes.pop(ref(training), None)
            self._sizes[ref(training)] = size_of(training.steps)
            resumable = OrderedDict(
                (one, size)
                for one, size in self._sizes.items()
                if (alive := one()) is not None and alive.steps is not None
            )
            while len(resumable) > 1 and sum(resumable.values()) > self._most:
                oldest = resumable.popitem(last=False)[0]()
                if oldest is not None:
                    oldest.forget_steps()
            self._sizes = resumable


_STOPPED = _StoppedTrainings()
