"""Shared work: a long computation in a thread, with its result so far. Sessions that need the same result share it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from ui.work.jobs import Job

Result = TypeVar("Result")

_NUMBERS = count(1)


@dataclass(slots=True, eq=False, weakref_slot=True)
class SharedWork(Generic[Result]):
    """One computation. `compute` gets a function to call with (share done, the result so far or None)."""

    name: str  # hash of all that the result depends on
    compute: Callable[[Callable[[float, Result | None], None]], None]
    job: Job = field(default_factory=Job)
    share: float = 0.0  # done
    result: Result | None = None  # so far
    is_complete: bool = False

    def start(self, watcher: int) -> None:
        """Begin, or begin again after a stop, unless it runs or is complete."""
        if not self.is_complete:
            self.job.start(self._work, "comparison", watcher)

    def _work(self) -> None:
        def report(share: float, result: Result | None) -> None:
            self.job.check()
            self.share, self.result = share, result

        self.compute(report)
        self.is_complete = True


@dataclass(slots=True, eq=False)
class WatchedWork(Generic[Result]):
    """A session's watch of shared work."""

    work: SharedWork[Result]
    is_stopped: bool = False  # by this session; other sessions may go on
    number: int = field(default_factory=lambda: next(_NUMBERS))

    @property
    def is_running(self) -> bool:
        """Whether this session waits for a result."""
        return not self.is_stopped and self.work.job.is_running

    @property
    def problem(self) -> str:
        """The sentence that says why it failed; "" if it did not."""
        return self.work.job.problem

    def start(self) -> None:
        """Ask for the result."""
        self.is_stopped = False
        self.work.start(self.number)

    def look(self) -> None:
        """Record that the session is still there."""
        self.work.job.look(self.number)

    def stop(self) -> None:
        """Wait no longer. The work goes on while other sessions wait."""
        self.is_stopped = True
        self.work.job.stop(self.number)


_LOCK = threading.Lock()
_WORKS: WeakValueDictionary[str, SharedWork[Any]] = WeakValueDictionary()


def watch(
    name: str, compute: Callable[[Callable[[float, Result | None], None]], None]
) -> WatchedWork[Result]:
    """Return a watch of the work of this name: of work that a session has already asked for, or else of new work."""
    with _LOCK:
        work = _WORKS.get(name)
        if work is None:
            work = _WORKS[name] = SharedWork(name, compute)
        return WatchedWork(work)
