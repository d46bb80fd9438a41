"""The memory that this process holds with the processes that it has started, and how it gives some back."""

import ctypes
import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import inf
from pathlib import Path

import psutil

from bpe import BPEError

if sys.platform != "win32":
    import resource
PAUSE = 2.0  # seconds between two times of giving memory back: collecting all garbage can take a second
_children: set[int] = set()  # ids of the processes that this one has started
_forgetters: dict[Callable[[], None], Callable[[], bool]] = {}  # what drops results -> whether there are any
_gave_back = 0.0  # when, on the monotonic clock
_later: threading.Timer | None = None  # gives memory back when it is time again
_GROUPS = Path("/proc/self/cgroup")  # Linux: one line for each hierarchy, "number:controllers:path"
_MOUNT = Path("/sys/fs/cgroup")
_LIMITS = {"": "memory.max", "memory": "memory/memory.limit_in_bytes"}  # cgroups 2 and 1, by controllers


class MemoryFullError(BPEError, MemoryError):
    """The error that ends work because the app holds as much memory as it may."""


def held() -> int:
    """Return how many bytes this process and its children hold in memory."""
    total: int = psutil.Process().memory_info().rss
    for child in list(_children):
        with suppress(psutil.NoSuchProcess):  # it has just ended
            total += psutil.Process(child).memory_info().rss
    return total


def room() -> float:
    """Return how many more bytes the system lets this process request (`ulimit -v` and `-d`); inf without such limits.

    What it has requested can be far more than what it holds.
    """
    if sys.platform == "win32":
        return inf
    memory = psutil.Process().memory_info()
    requested = ((resource.RLIMIT_AS, memory.vms), (resource.RLIMIT_DATA, getattr(memory, "data", 0)))
    limits = ((resource.getrlimit(kind)[0], size) for kind, size in requested)
    return min((limit - size for limit, size in limits if limit != resource.RLIM_INFINITY), default=inf)


def request_less() -> None:
    """Let the C library request memory for all threads together, where it can (glibc), and not 64 MB for each."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(-8, 2)  # M_ARENA_MAX of malloc.h


def add_child(process: int) -> None:
    """Count the memory of this process from now on."""
    _children.add(process)


def remove_child(process: int) -> None:
    """Do not count this process any more, since it has ended."""
    _children.discard(process)


def when_full(forget: Callable[[], None], holds: Callable[[], bool] = lambda: False) -> None:
    """Call this function when memory is short. It drops results that can be computed again.

    holds: returns whether it has any to drop at this moment.
    """
    _forgetters[forget] = holds


def give_back(pause: float = PAUSE) -> None:
    """Drop what can be computed again, and return free memory to the system; at most once in so many seconds."""
    if _is_time_again(pause):
        for forget in list(_forgetters):
            forget()
        _return_free_memory()


def give_back_the_rest() -> bool:
    """Do what `give_back` does, however little time has passed; return False if there is nothing to drop.

    What has come since memory was returned, such as a session that was left a moment ago, goes before somebody's work
    is refused.
    """
    has_some = any(holds() for holds in list(_forgetters.values()))
    if has_some:
        give_back(0.0)
    return has_some


def tidy(pause: float = PAUSE) -> None:
    """Return free memory to the system, at once or so many seconds after the last time."""
    global _later
    if _is_time_again(pause):
        _return_free_memory()
    elif _later is None or not _later.is_alive():
        _later = threading.Timer(pause, tidy, (pause,))
        _later.daemon = True
        _later.start()


def total(groups: Path = _GROUPS, mount: Path = _MOUNT) -> int:
    """Return how many bytes the machine has, or its container's limit if that is smaller."""
    machine: int = psutil.virtual_memory().total
    return min([*_container_limits(groups, mount), machine])


def _is_time_again(pause: float) -> bool:
    global _gave_back
    now = time.monotonic()
    if now - _gave_back < pause:
        return False
    _gave_back = now
    return True


def _return_free_memory() -> None:
    """Collect garbage, and return free memory to the system where the C library can (glibc)."""
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):  # TypeError: Windows has no name for its C library
        ctypes.CDLL(None).malloc_trim(0)


def _container_limits(groups: Path = _GROUPS, mount: Path = _MOUNT) -> Iterator[int]:
    """Yield the limits of this process's cgroup and of those that hold it, in bytes.

    Inside a container, the mount shows the container's own group at its top.
    """
    with suppress(OSError):
        for line in groups.read_text("utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            for controller, file in _LIMITS.items():
                if controller not in controllers.split(","):
                    continue
                folder, name = (mount / file).parent, Path(file).name
                inner = folder / path.strip("/")
                for group in (inner, *inner.parents):
                    yield from _number(group / name)
                    if group == folder:
                        break


def _number(file: Path) -> Iterator[int]:
    """Yield the number in a file; nothing if there is no such file, or if it says "max"."""
    with suppress(OSError, ValueError):
        yield int(file.read_text("ascii"))
