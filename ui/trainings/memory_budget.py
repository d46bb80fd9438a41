"""The budget: work ends with a sentence before the app holds more memory than it may.

All long work passes checkpoints, some milliseconds apart. There the memory of the whole process is measured, so it does
not matter which text, pattern or file takes it. Work in jobs ends first, the one with the longest text, so that pages
which only show something still have room.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, wraps
from typing import ParamSpec, TypeVar

import streamlit as st

from bpe import BPEError
from bpe.checkpoints import check_everywhere
from ui.gaps import run_context
from ui.gaps.run_context import drawn_fragment
from ui.trainings import limits, pattern_search, process_memory
from ui.trainings.byte_cache import fit_all
from ui.trainings.process_memory import MemoryFullError

MOST = limits.MEMORY.value() * 10**6  # bytes
OF_VISITOR = 4 * limits.UPLOAD.value() * 10**6  # bytes of uploaded files
OF_ALL = 10 * limits.UPLOAD.value() * 10**6
_OF_JOBS = 0.85  # the part of it at which jobs with a long text end
_SMALL = 200_000  # characters of a text that is not long
_SWEEPING = 10.0  # seconds between two looks at who has left; a session is kept for 120
_GRACE = 1.0  # seconds until the memory of what was ended is free
_RESERVE = 80_000_000  # bytes that the system must still let the process request, if it limits that

# The weight of the job in this thread; None outside of one.
_weight: ContextVar[int | None] = ContextVar("weight", default=None)
_weights: list[int] = []  # of all jobs that run
_looked = threading.local()  # at: when this thread last measured memory, on the monotonic clock
_ended = 0.0  # when a job was last ended
_Parameters = ParamSpec("_Parameters")
_T = TypeVar("_T")


def keep_within() -> None:
    """Measure the memory at all checkpoints from now on, and search with typed patterns in processes of their own.

    Calling it again changes nothing.
    """
    process_memory.request_less()
    check_everywhere(_check)
    process_memory.when_full(run_context.end_closed, lambda: run_context.number_closed() > 0)
    pattern_search.search_in_workers(left)
    _sweep_in_background()


@cache
def _sweep_in_background() -> None:
    threading.Thread(target=_sweep, name="sweep", daemon=True).start()


def _sweep() -> None:
    before = 0
    while True:
        time.sleep(_SWEEPING)
        before = _swept(before)


def _swept(before: int) -> int:
    """Free the memory of visitors who have left, if fewer closed tabs are kept than before. Return how many are kept.

    A later visitor would free it, too, but there may be none.
    """
    now = run_context.number_closed()
    if now < before:
        run_context.end_forgotten()
        time.sleep(_GRACE)
        fit_all()
        tidy()
    return now


@contextmanager
def working(weight: int) -> Iterator[None]:
    """Do the work of a job in the `with`. If there are several jobs, the one with the largest weight ends first.

    Raises MemoryFullError, before the work begins, if memory is full already.
    """
    refuse(0, weight)
    token = _weight.set(weight)
    _weights.append(weight)
    try:
        yield
    finally:
        _weights.remove(weight)
        _weight.reset(token)


def _check() -> None:
    """Raise MemoryFullError if this thread's work must end, since the app holds more than it may."""
    global _ended
    now = time.monotonic()
    if now - getattr(_looked, "at", 0.0) < _budget.pause:
        return
    _looked.at = now
    weight = _weight.get()
    if _fits(weight, 0):
        return
    if weight is not None and _fits(None, 0) and (weight < max(_weights) or now - _ended < _budget.grace):
        return  # another job ends, or its memory is not free yet
    _ended = now
    raise MemoryFullError(
        f"This does not fit into the {_budget.most // 10**6:,.0f} MB of memory that the app may use. "
        "Use a shorter text or a smaller file. Whoever runs the app can allow more: docs/hosting.md says how."
    )


def refuse(needed: int, weight: int | None = None) -> None:
    """Raise MemoryFullError if work that needs so many more bytes would not fit."""
    if not _fits(weight, needed):
        need = f"This needs about {needed // 10**6:,} MB of memory. " if needed else ""
        in_use = f"{process_memory.held() // 10**6:,} MB are in use"
        raise MemoryFullError(
            f"{need}The app may use {_budget.most // 10**6:,.0f} MB, and {in_use}. "
            "Try again in a few minutes, or use something smaller."
        )


def left() -> float:
    """Return how many bytes more the app may hold."""
    if process_memory.held() > _budget.most / 2:
        process_memory.give_back(_budget.between_returns)
    return _budget.most - process_memory.held()


def tidy() -> None:
    """Return the memory of work that has ended to the system, if the app holds much."""
    if process_memory.held() > _budget.most / 2:
        process_memory.tidy(_budget.between_returns)


def says_when_full(draw: Callable[_Parameters, _T]) -> Callable[_Parameters, _T | None]:
    """Return a function that draws the same. If memory does not suffice, it shows one sentence and returns None."""

    @wraps(draw)
    def guarded(*arguments: _Parameters.args, **named: _Parameters.kwargs) -> _T | None:
        try:
            return draw(*arguments, **named)
        except MemoryError as error:
            st.error(str(error) or "This page needs more memory than the app may use. Use a shorter text.")
        except BPEError as error:  # such as a pattern that takes too long on the text of the grid
            st.error("This cannot be drawn for this text.")
            st.text(str(error))  # literally: it may quote the visitor's pattern
        return None

    return guarded


def fragment(
    draw: Callable[_Parameters, _T], *, run_every: float | None = None
) -> Callable[_Parameters, _T | None]:
    """Return a part of a page that runs alone, and every `run_every` seconds. Without these, it runs with the part that
    it stands in.

    If memory does not suffice, it shows one sentence. Streamlit would show no reason.
    """
    drawn = says_when_full(draw)
    alone = st.fragment(drawn, run_every=run_every)

    @wraps(draw)
    def part(*arguments: _Parameters.args, **named: _Parameters.kwargs) -> _T | None:
        return (drawn if run_every is None and drawn_fragment() else alone)(*arguments, **named)

    return part


@dataclass(frozen=True, slots=True)
class _Budget:
    """The memory that the app may hold, and how often it looks at it."""

    most: float = MOST  # bytes
    pause: float = 0.03  # seconds between two looks of a thread at the memory: each lets other threads run
    grace: float = _GRACE
    between_returns: float = process_memory.PAUSE  # seconds between two times of giving memory back


_budget = _Budget()


def _keep_to(budget: _Budget) -> None:
    """Use this budget from now on."""
    global _budget
    _budget = budget


def _fits(weight: int | None, needed: int) -> bool:
    """Return whether the app may hold so many bytes more; for a job, which has a weight, up to its part."""
    most = _budget.most if weight is None or weight <= _SMALL else _OF_JOBS * _budget.most

    def fits() -> bool:
        return process_memory.held() + needed <= most and process_memory.room() >= needed + _RESERVE

    if fits():
        return True
    process_memory.give_back(_budget.between_returns)
    return fits() or (process_memory.give_back_the_rest() and fits())
