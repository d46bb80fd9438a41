"""Jobs: work in its own thread, which sessions start, watch and stop. It ends when no session watches it any more.

Several sessions can watch one job. It is stopped when all of them have stopped it or are gone.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from bpe import BPEError
from bpe.checkpoints import checkpoints
from ui.gaps import run_context
from ui.trainings import limits, memory_budget

# Short work has a slot of its own besides, so that it never waits for two long works to end.
_AT_ONCE = limits.TRAININGS.value()  # works; more would slow each other down

# Seconds for which a thread computes while another one waits. A page waits some forty times while it is drawn.
sys.setswitchinterval(0.0005)
ABANDONED = 60.0  # seconds without a look after which a session no longer counts
_CLOSED = 10.0  # the same for a session whose tab is closed; a short loss of the connection does no harm
_MEMORY = (
    "This training does not fit into the memory that the app may use: use a shorter text or fewer merges."
)


@dataclass(slots=True, eq=False)
class Job:
    """One piece of work. `problem` is the sentence that says why it failed, `ended` is set when it is over."""

    patience: float = ABANDONED
    problem: str = ""
    started: bool = False
    ended: threading.Event = field(default_factory=threading.Event)
    name: str = ""  # of its thread
    queue: _WorkQueue = field(default_factory=lambda: _QUEUE)
    weight: int = 0  # length of its text: if memory runs out, the job with the longest ends first
    is_short: bool = False  # the work needs seconds at most, and does not wait for long work
    clock: Callable[[], float] = time.monotonic
    _work: Callable[[], None] | None = None
    _looks: dict[int, _Look] = field(default_factory=dict)  # by watcher
    _latest: float = 0.0  # the time of the latest look
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, work: Callable[[], None], name: str, watcher: int = 0) -> None:
        """Do the work in a thread of this name, as soon as the queue lets it, unless it is under way already.

        The work ends soon after `must_end` is true: it looks itself, and its next checkpoint raises StoppedError. It
        can start again.
        """
        with self._lock:
            self._record(watcher)
            if self.is_running:
                return
            self.ended.clear()
            self.problem = ""
            self.started = True
            self.name, self._work = name, work
        self.queue.enter(self)

    def look(self, watcher: int = 0) -> None:
        """Record that this watcher still wants the job to go on, unless it has stopped it."""
        if watcher in self._looks:
            self._record(watcher)

    def _record(self, watcher: int) -> None:
        """Record that this watcher, of the session that runs now, looks at the job."""
        look = _Look(self.clock(), run_context.session_id())
        self._looks[watcher] = look
        self._latest = look.at

    def stop(self, watcher: int = 0) -> None:
        """Record that this watcher no longer wants the job. It ends if no other one does."""
        self._looks.pop(watcher, None)
        self._latest = max((look.at for look in list(self._looks.values())), default=0.0)
        if self.must_end:
            self.queue.leave(self)

    @property
    def is_stopped(self) -> bool:
        """Whether all its watchers have stopped it."""
        return not self._looks

    @property
    def must_end(self) -> bool:
        """Whether the work must end: every watcher has stopped it, or has not looked for longer than `patience`."""
        if not self._looks:
            return True
        now = self.clock()
        if now - self._latest <= min(self.patience, _CLOSED):
            return False
        return not any(look.is_valid(now, self.patience) for look in list(self._looks.values()))

    @property
    def is_running(self) -> bool:
        """Whether the work has started and not ended; it may still wait in the queue."""
        return self.started and not self.ended.is_set()

    @property
    def ahead(self) -> int:
        """Number of jobs in the queue before this one; 0 when it has begun."""
        return self.queue.ahead(self)

    def check(self) -> None:
        """Raise StoppedError if the work must end."""
        if self.must_end:
            raise StoppedError

    def run(self) -> None:
        """Run the work. The queue calls this in the thread, where Streamlit must not be used."""
        work, self._work = self._work, None
        assert work
        try:
            with memory_budget.working(self.weight), checkpoints(self.check):
                work()
        except StoppedError:
            pass
        except BPEError as error:
            self.problem = str(error)
        except MemoryError:
            self.problem = _MEMORY
        except BaseException:
            self.problem = "The training ended unexpectedly. The terminal that runs the app shows why."
            raise
        finally:
            self.ended.set()
            memory_budget.tidy()

    def give_up(self) -> None:
        """End the job before its work began. The queue calls this."""
        self._work = None
        self.ended.set()


class StoppedError(Exception):
    """The error that ends work which nobody wants any more."""


class _WorkQueue:
    """Work that waits, first come first served, and work that runs, each in its own thread.

    The first in line, short or long, gets the next free slot. If none is free, the first short one gets the slot for
    short work.
    """

    def __init__(self, at_once: int = _AT_ONCE, short_at_once: int = 1) -> None:  # short works besides
        self._at_once = at_once
        self._short_at_once = short_at_once
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._running: list[Job] = []
        self._overtaking: list[Job] = []  # short works that run in slots of their own

    def enter(self, work: Job) -> None:
        """Let this work wait at the end of the line. It begins in a thread as soon as it can."""
        with self._lock:
            self._waiting.append(work)
            self._begin_next()

    def leave(self, work: Job) -> None:
        """Take the work out of the line, if it waits there."""
        with self._lock:
            if work in self._waiting:
                self._waiting.remove(work)
                work.give_up()

    def ahead(self, work: Job) -> int:
        """Return how many jobs must end before this one begins, at most; 0 if it runs or is not in the queue."""
        with self._lock:
            self._begin_next()
            if work not in self._waiting:
                return 0
            before = list(self._waiting)[: self._waiting.index(work)]
            if work.is_short and self._short_at_once:
                return len(self._overtaking) + sum(one.is_short for one in before)
            return len(self._running) + len(before)

    def _begin_next(self) -> None:
        """Begin as much as may run at once. Work that nobody wants any more leaves the line without a beginning."""
        for work in [work for work in self._waiting if work.must_end]:
            self._waiting.remove(work)
            work.give_up()
        while self._waiting and len(self._running) < self._at_once:
            self._begin(self._waiting[0], self._running)
        for work in [work for work in self._waiting if work.is_short]:
            if len(self._overtaking) < self._short_at_once:
                self._begin(work, self._overtaking)

    def _begin(self, work: Job, slots: list[Job]) -> None:
        self._waiting.remove(work)
        slots.append(work)
        threading.Thread(target=self._run, args=(work, slots), daemon=True, name=work.name).start()

    def _run(self, work: Job, slots: list[Job]) -> None:
        try:
            work.run()
        finally:
            with self._lock:
                slots.remove(work)
                self._begin_next()


_QUEUE: _WorkQueue = _WorkQueue()  # of all sessions


@dataclass(frozen=True, slots=True)
class _Look:
    """The last look of a session at a job."""

    at: float  # seconds of the job's clock
    session: str  # id of the session; "" outside of one

    def is_valid(
        self, now: float, patience: float, is_connected: Callable[[str], bool] = run_context.is_connected
    ) -> bool:
        """Return whether the session is still there: it has looked lately, or longer ago and its tab is open."""
        age = now - self.at
        return age <= patience and (age <= _CLOSED or is_connected(self.session))
