"""The work queue: work of all sessions begins in the order in which it was requested, and only a little runs at once.

Short work has a slot of its own besides, so that it never waits for two long works to end.
"""

import threading
from collections import deque
from typing import Protocol

from ui.work import limits

AT_ONCE = limits.TRAININGS.value()  # works; more would slow each other down
SHORT_AT_ONCE = 1  # short works besides


class Work(Protocol):
    """What can wait in the queue."""

    @property
    def must_end(self) -> bool:
        """Whether nobody wants it any more."""

    @property
    def is_short(self) -> bool:
        """Whether it needs seconds at most."""

    @property
    def name(self) -> str:
        """The name of its thread."""

    def run(self) -> None:
        """Do the work."""

    def give_up(self) -> None:
        """End it before it began."""


class WorkQueue:
    """Work that waits, first come first served, and work that runs, each in its own thread.

    The first in line, short or long, gets the next free slot. If none is free, the first short one gets the slot for
    short work.
    """

    def __init__(self, at_once: int = AT_ONCE, short_at_once: int = SHORT_AT_ONCE) -> None:
        self._at_once = at_once
        self._short_at_once = short_at_once
        self._lock = threading.Lock()
        self._waiting: deque[Work] = deque()
        self._running: list[Work] = []
        self._overtaking: list[Work] = []  # short works that run in slots of their own

    def enter(self, work: Work) -> None:
        """Let this work wait at the end of the line. It begins in a thread as soon as it can."""
        with self._lock:
            self._waiting.append(work)
            self._begin_next()

    def leave(self, work: Work) -> None:
        """Take the work out of the line, if it waits there."""
        with self._lock:
            if work in self._waiting:
                self._waiting.remove(work)
                work.give_up()

    def ahead(self, work: Work) -> int:
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

    def _begin(self, work: Work, slots: list[Work]) -> None:
        self._waiting.remove(work)
        slots.append(work)
        threading.Thread(target=self._run, args=(work, slots), daemon=True, name=work.name).start()

    def _run(self, work: Work, slots: list[Work]) -> None:
        try:
            work.run()
        finally:
            with self._lock:
                slots.remove(work)
                self._begin_next()


QUEUE = WorkQueue()  # of all sessions
