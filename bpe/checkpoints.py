"""Checkpoints: where long work lets whoever started it end it, or show that it goes on.

Work that takes long calls `checkpoint()` between small pieces of it. Whoever starts the work gives the function that is
called there. If that function raises, the work ends with its exception.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from traceback import walk_tb
from typing import TypeVar

_Item = TypeVar("_Item")

# Characters, positions or words between two checkpoints: some 20 ms of work.
PART = 1 << 16

_check: ContextVar[Callable[[], object] | None] = ContextVar("check", default=None)
_everywhere: list[Callable[[], object]] = []


def checkpoint() -> None:
    """Call the function that `checkpoints` gave, if any, and those of `check_everywhere`."""
    look()
    check_here = _check.get()
    if check_here is not None:
        check_here()


def look() -> None:
    """Call the functions of `check_everywhere` alone: where work grows, and its end would lose what it has done."""
    for check in _everywhere:
        check()


def check_everywhere(check: Callable[[], object]) -> None:
    """Call this function at every checkpoint of every thread, from now on. Doing so again changes nothing."""
    if check not in _everywhere:
        _everywhere.append(check)


def from_checkpoint(error: BaseException) -> bool:
    """Return whether an error was raised at a checkpoint: it ends the work, and says nothing about it."""
    here = {checkpoint.__code__, look.__code__}
    return any(frame.f_code in here for frame, _ in walk_tb(error.__traceback__))


@contextmanager
def checkpoints(check: Callable[[], object]) -> Iterator[None]:
    """Call this function at every checkpoint inside the `with`, in this thread.

    >>> with checkpoints(lambda: print("still at work")):
    ...     checkpoint()
    still at work
    """
    token = _check.set(check)
    try:
        yield
    finally:
        _check.reset(token)


def with_checkpoints(items: Iterable[_Item], size: int = PART) -> Iterable[_Item]:
    """Return the items, with a checkpoint before each `size` of them."""
    length = getattr(items, "__len__", None)
    if length is not None and length() <= size:  # a short word, for example: nothing to wrap
        checkpoint()
        return items
    return (item for part in in_parts(items, size) for item in part)


def in_parts(items: Iterable[_Item], size: int = PART) -> Iterator[list[_Item]]:
    """Yield the items in lists of at most `size`, with a checkpoint before each.

    >>> list(in_parts("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(items)
    checkpoint()
    while part := list(islice(rest, size)):
        yield part
        checkpoint()
