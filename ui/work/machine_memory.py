"""The memory of the machine or of the container that this process runs in: what it may take at most."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

GROUPS = Path("/proc/self/cgroup")  # Linux: one line for each hierarchy, "number:controllers:path"
MOUNT = Path("/sys/fs/cgroup")
LIMITS = {"": "memory.max", "memory": "memory/memory.limit_in_bytes"}  # cgroups 2 and 1, by controllers


def total(groups: Path = GROUPS, mount: Path = MOUNT) -> int:
    """Return how many bytes the machine has, or its container's limit if that is smaller; 0 if nobody says."""
    return min([*container_limits(groups, mount), *machine()], default=0)


def machine() -> Iterator[int]:
    """Yield the bytes of memory of the machine, if the system says so."""
    if sys.platform == "win32":
        yield from _on_windows()
        return
    with suppress(ValueError, OSError, AttributeError):  # no such name on this system
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def container_limits(groups: Path = GROUPS, mount: Path = MOUNT) -> Iterator[int]:
    """Yield the limits of this process's cgroup and of those that hold it, in bytes.

    Inside a container, the mount shows the container's own group at its top.
    """
    with suppress(OSError):
        for line in groups.read_text("utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            for controller, file in LIMITS.items():
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


def _on_windows() -> Iterator[int]:
    class Status(ctypes.Structure):
        """MEMORYSTATUSEX of sysinfoapi.h, up to the bytes of the machine."""

        _fields_ = (
            ("size", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            ("total", ctypes.c_uint64),
            ("others", ctypes.c_uint64 * 6),
        )

    status = Status(size=ctypes.sizeof(Status))
    if ctypes.CDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status)):
        yield int(status.total)
