"""A session's watch of a training that it shares with all sessions that ask for the same."""

from dataclasses import dataclass, field
from itertools import count

from bpe import Trace
from ui.trainings.running_training import RunningTraining

_NUMBERS = count(1)


@dataclass(slots=True, eq=False)
class Watch:
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
