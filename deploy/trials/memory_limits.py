"""Limits of memory that the kernel keeps for a command: of its private memory, of its addresses, or of a cgroup."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from types import MappingProxyType

from ui.work.machine_memory import MOUNT

ENTER = 'echo $$ > "$0/cgroup.procs" && exec "$@"'  # for sh: enter a cgroup and become the command
# {file that takes the limit: the folder that holds groups}, of cgroups 1 and 2
GROUPS = {"memory.limit_in_bytes": MOUNT / "memory", "memory.max": MOUNT}


@contextmanager
def private(most: int) -> Iterator[Sequence[str]]:
    """Yield the words before a command that let it request so many bytes of private memory (`ulimit -d`)."""
    yield "prlimit", f"--data={most}"


@contextmanager
def addresses(most: int) -> Iterator[Sequence[str]]:
    """Yield the words before a command that let it request so many bytes of addresses (`ulimit -v`)."""
    yield "prlimit", f"--as={most}"


@contextmanager
def group(most: int) -> Iterator[Sequence[str]]:
    """Yield the words before a command that let it and its children hold so many bytes, as in a container.

    Raises OSError without the right to make a cgroup: root has it.
    """
    name, above = next(
        (name, folder) for name, folder in GROUPS.items() if (folder / "cgroup.procs").exists()
    )
    folder = above / f"merge-by-merge-{os.getpid()}"
    folder.mkdir()
    try:
        (folder / name).write_text(str(most), "ascii")
        yield "sh", "-c", ENTER, str(folder)
    finally:
        with suppress(OSError):  # a process in it has not ended yet
            folder.rmdir()


Kind = Callable[[int], AbstractContextManager[Sequence[str]]]
KINDS: Mapping[str, Kind] = MappingProxyType({"private": private, "addresses": addresses, "group": group})
