"""Long work on a page: one run in a thread for all who ask for the same, with progress, Stop, Go on and the problem.

`shown` is all that most pages need. A page that draws something of an unfinished result calls `asked` and `draw_state`.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.trainings.byte_cache import ByteCache
from ui.trainings.jobs import Job
from ui.trainings.memory_budget import fragment
from ui.view.text import in_markdown
from ui.view.visit import Slot, large

_WAIT = 0.8  # seconds for which a page waits for new work before it shows progress
POLLING = 0.5  # seconds between two looks at the progress

_Result = TypeVar("_Result")


@dataclass(slots=True, eq=False, weakref_slot=True)
class SharedWork(Generic[_Result]):
    """One computation. Sessions that need the same result share it, and it can go on after a stop."""

    name: str  # hash of all that the result depends on, so only a session that has the same can ask for it
    compute: Callable[["SharedWork[_Result]"], None]  # it calls `report`
    keep: Callable[[str, _Result], None] | None = None  # puts the complete result into a cache
    job: Job = field(default_factory=Job)
    share: float = 0.0  # done
    result: _Result | None = None  # so far
    is_complete: bool = False
    began: float = 0.0  # when it last began, on the monotonic clock

    def report(self, share: float, result: _Result | None = None) -> None:
        """Record how much is done, and the result so far if there is a new one. Raises if nobody waits any more."""
        self.job.check()
        self.share = share
        if result is not None:
            self.result = result

    def start(self, watcher: int) -> None:
        """Begin, or begin again after a stop, unless it runs or is complete."""
        if not self.is_complete:
            self.job.start(self._work, "long work", watcher)

    @property
    def seconds(self) -> float:
        """Time since it began to work; 0 before."""
        return time.monotonic() - self.began if self.began else 0.0

    def _work(self) -> None:
        self.began = time.monotonic()
        self.compute(self)
        self.is_complete = True
        if self.keep is not None and self.result is not None:
            self.keep(self.name, self.result)


class _Watched(Protocol):
    """What a session waits for: shared work, or a training."""

    is_stopped: bool  # by this session

    @property
    def is_running(self) -> bool:
        """Whether this session waits for more."""

    @property
    def problem(self) -> str:
        """The sentence that says why it failed; "" if it did not."""

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""

    @property
    def ahead(self) -> int:
        """Number of jobs in the queue before it; 0 when it has begun."""

    def has_news(self) -> bool:
        """Return whether there is more to show than when the page was drawn."""

    def look(self) -> None:
        """Record that the session is still there."""

    def stop(self) -> None:
        """Wait no longer. The work goes on while other sessions wait."""

    def go_on(self) -> None:
        """Wait again."""


_NUMBERS = count(1)


@dataclass(slots=True, eq=False)
class WorkWatch(Generic[_Result]):
    """A session's watch of shared work."""

    work: SharedWork[_Result]
    is_stopped: bool = False  # by this session; other sessions may go on
    in_parts: bool = False  # the page draws every result on the way, and not only the first
    shown: object = None  # the unfinished result that the page has drawn
    number: int = field(default_factory=lambda: next(_NUMBERS))

    @property
    def is_running(self) -> bool:
        """Whether this session waits for a result."""
        return not self.is_stopped and self.work.job.is_running

    @property
    def problem(self) -> str:
        """The sentence that says why it failed; "" if it did not."""
        return self.work.job.problem

    @property
    def share(self) -> float:
        """How much is done."""
        return self.work.share

    @property
    def ahead(self) -> int:
        """Number of jobs in the queue before this one."""
        return self.work.job.ahead

    def has_news(self) -> bool:
        """Return whether it has ended, or its first result is there; in parts, another result."""
        is_new = self.work.result is not self.shown and (self.in_parts or self.shown is None)
        return not self.is_running or is_new

    @property
    def result(self) -> _Result | None:
        """The result so far. The page draws it."""
        self.shown = result = self.work.result
        return result

    def start(self) -> None:
        """Ask for the result."""
        self.is_stopped = False
        self.work.start(self.number)

    go_on = start

    def look(self) -> None:
        """Record that the session is still there."""
        self.work.job.look(self.number)

    def stop(self) -> None:
        """Wait no longer. The work goes on while other sessions wait."""
        self.is_stopped = True
        self.work.job.stop(self.number)


_LOCK = threading.Lock()
_WORKS: WeakValueDictionary[str, SharedWork[Any]] = WeakValueDictionary()

# {place on a page: what the session waits for there, or has}
_WATCHES: Slot[dict[str, WorkWatch[Any]]] = large(Slot("_long_work", dict))


def _watch(
    name: str, compute: Callable[[SharedWork[_Result]], None], cache: ByteCache[_Result] | None = None
) -> WorkWatch[_Result]:
    """Return a watch of the work of this name: of work that a session has already asked for, or else of new work."""
    with _LOCK:
        work = _WORKS.get(name)
        if work is None:
            work = _WORKS[name] = SharedWork(name, compute, cache.put if cache else None)
            work.result = cache.find(name) if cache else None
            work.is_complete = work.result is not None
        return WorkWatch(work)


def asked(
    place: str,
    name: str,
    compute: Callable[[SharedWork[_Result]], None],
    *,
    is_short: bool = True,
    cache: ByteCache[_Result] | None = None,
    wait: float | None = None,
    in_parts: bool = False,
) -> WorkWatch[_Result]:
    """Ask for the work at a place of a page, unless the viewer has stopped it, and wait a moment for new work.

    What the place has asked for before under another name is stopped. `is_short`: the work needs seconds at most.
    in_parts: whether the page draws every result on the way.
    """
    watches = _WATCHES.read()
    watched = watches.get(place)
    if watched is None or watched.work.name != name:
        if watched is not None:
            watched.stop()
        watched = watches[place] = _watch(name, compute, cache)
        watched.work.job.is_short = is_short
        watched.in_parts = in_parts
    if watched.work.is_complete:
        watched.is_stopped = False  # others have waited for it
    elif not watched.is_stopped and not watched.problem:
        is_new = not watched.is_running
        watched.start()
        if is_new:
            watched.work.job.ended.wait(_WAIT if wait is None else wait)
    return watched


def asked_for(place: str) -> WorkWatch[Any] | None:
    """Return what the session has asked for at a place; None if nothing."""
    return _WATCHES.read().get(place)


@dataclass(frozen=True, slots=True)
class Says:
    """What a page says about its long work."""

    doing: Callable[[], str]  # beside the progress
    stopped: str  # when the viewer has stopped it
    go_on: str = "Go on"  # the button after a stop
    try_again: str = "Try again"  # the button after a problem; none for ""


def shown(
    place: str,
    name: str,
    compute: Callable[[SharedWork[_Result]], None],
    says: Says,
    *,
    is_short: bool = True,
    cache: ByteCache[_Result] | None = None,
    wait: float | None = None,
) -> _Result | None:
    """Return the result. Until it is complete, draw progress and Stop, or why there is none, and return None.

    place: names the place on the page, and begins the keys of its buttons.
    name: a hash of all that the result depends on.
    compute: computes it, and calls `report` of the work now and then.
    """
    watched = asked(place, name, compute, is_short=is_short, cache=cache, wait=wait)
    result = watched.result if watched.work.is_complete else None
    draw_state(place, watched, says)
    return result


def draw_state(
    place: str,
    watched: _Watched,
    says: Says,
    *,
    is_running: bool | None = None,
    stop: Callable[[], None] | None = None,
) -> None:
    """Draw how far the work has come with a Stop, or why there is no more, with a button that goes on.

    is_running: as it was when the page read the result, if that was before.
    stop: what a click on Stop calls, if it is more than that of `watched`.
    """
    # Drawn for a complete result, too: a progress that arrives when the next run has begun still has its place.
    row = st.container(horizontal=True, vertical_alignment="center", key=f"{place}_state")
    if watched.is_running if is_running is None else is_running:
        with row:
            follow([watched], partial(_draw_progress, watched, says))
        # Not in the fragment that follows the work: its clicks wait until the page is drawn.
        _stop_button(row, f"{place}_stop", stop or watched.stop)
    elif watched.problem:
        row.error(in_markdown(watched.problem, most=500))
        if says.try_again:
            row.button(says.try_again, key=f"{place}_go_on", on_click=watched.go_on)
    elif watched.is_stopped:
        row.warning(says.stopped)
        row.button(says.go_on, key=f"{place}_go_on", on_click=watched.go_on)


def _stop_button(row: DeltaGenerator, key: str, stop: Callable[[], None]) -> None:
    """Draw Stop. A click calls `stop` and runs the whole page, also in a fragment.

    A click would run its fragment only. If the progress asks for its next run at that moment, Streamlit reports the
    fragment's run as interrupted, and the browser keeps what it has removed: the button itself. The end of a whole run
    is never reported so.
    """

    def end() -> None:
        stop()
        st.rerun()

    row.button("Stop", key=key, on_click=end)


def _draw_progress(watched: _Watched, says: Says) -> None:
    ahead = watched.ahead
    st.progress(
        min(1.0, watched.share), text=_line(ahead) if ahead and not watched.is_stopped else says.doing()
    )


def _line(ahead: int) -> str:
    """Return the sentence about the jobs that come before one in the queue.

    >>> _line(1), _line(3)
    ('Waiting: 1 training is ahead of yours.', 'Waiting: 3 trainings are ahead of yours.')
    """
    return f"Waiting: {ahead:,} {'training is' if ahead == 1 else 'trainings are'} ahead of yours."


@partial(fragment, run_every=POLLING)
def follow(all_watched: Sequence[_Watched], draw: Callable[[], None]) -> None:
    """Look at the work again and again, and draw how far it is. Run the page again when there is more to show."""
    for watched in all_watched:
        watched.look()
    draw()
    if any(watched.has_news() for watched in all_watched):
        st.rerun()
