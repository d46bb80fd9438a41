"""File reading: files of visitors become objects, one file at a time, and a large one in a process of its own.

JSON of 20 MB can become objects of half a gigabyte, and while Python makes them no other visitor is served. How much it
takes cannot be told from a file's name or its beginning. So a large file is read by a process whose memory the system
bounds, and only the result comes back. A small file is read here, if what it may take at worst fits. So are all files
on Windows, where a process cannot bound its memory.
"""

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from select import select
from typing import TypeVar

from bpe import BPEError
from bpe.checkpoints import checkpoint
from ui.trainings import memory_budget, process_memory
from ui.trainings.process_memory import MemoryFullError

if sys.platform != "win32":
    from ui.trainings import reading_worker
    from ui.trainings.reading_worker import MEMORY, SENTENCE, SIZE

_Result = TypeVar("_Result")

_SMALL = 1_000_000  # bytes that are read in this process: it takes a third of a second to start another one
_SHARE = 0.75  # of what the app may still take, so that no job of another visitor must end meanwhile
_LEAST_MEMORY = 100_000_000  # bytes that a process needs to read any file
_WAIT = 0.1  # seconds between two looks at whether somebody has stopped the reading
_BLOCK = 1 << 20  # bytes that are read at once

_READING = threading.Lock()


def read_files(
    read: Callable[..., _Result], contents: Sequence[bytes], arguments: tuple[object, ...]
) -> _Result:
    """Return `read(*arguments)` when no other file is being read. `contents` are the files among the arguments.

    `read` must be a function of a module, and its result one that can be pickled. Raises BPEError as it does, and
    MemoryFullError if there is too little memory.
    """
    while not _READING.acquire(timeout=_WAIT):
        checkpoint()
    try:
        if sum(map(len, contents)) > _SMALL and sys.platform != "win32":
            return _read_elsewhere(read, arguments)
        memory_budget.refuse(sum(map(_needed, contents)))
        return read(*arguments)
    finally:
        _READING.release()
        memory_budget.tidy()


def _needed(content: bytes) -> int:
    """Return how many bytes of memory it takes at most to read a file, whatever it is."""
    parts = content.count(b"[") + content.count(b"{")
    as_json = 220 * content.count(b",") + 300 * content.count(b":") + 150 * parts
    return max(as_json, 600 * content.count(b"\n")) + 6 * len(content)


def _read_elsewhere(read: Callable[..., _Result], arguments: tuple[object, ...]) -> _Result:
    """Return `read(*arguments)`, which a process of its own computes."""
    memory_budget.refuse(_LEAST_MEMORY)
    most = int(_SHARE * min(memory_budget.left(), memory_budget.MOST))
    with _worker(most) as process:
        assert process.stdin
        try:
            pickle.dump((read, arguments), process.stdin, pickle.HIGHEST_PROTOCOL)
            process.stdin.close()
            kind = b"".join(_parts(process, 1))
            (size,) = SIZE.unpack(b"".join(_parts(process, SIZE.size)))
            answer = bytearray()
            for part in _parts(process, size):
                answer += part
        except (BrokenPipeError, EOFError):  # the system has ended it
            kind = MEMORY
    if kind == MEMORY:
        raise MemoryFullError(
            f"This file needs more than the {most // 10**6:,} MB of memory that are left for reading it. "
            "Try again in a few minutes, or use a smaller file."
        )
    if kind == SENTENCE:
        raise BPEError(answer.decode())
    result: _Result = pickle.loads(answer)  # noqa: S301  # the process that this call has started has pickled it
    return result


@contextmanager
def _worker(most: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a process that may request so many bytes, and end it. What it logs is in the log of this one."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", reading_worker.__name__, str(most)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    process_memory.add_child(process.pid)
    try:
        yield process
    finally:
        process_memory.remove_child(process.pid)
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe
            with suppress(BrokenPipeError):  # what was not yet written is of no use
                pipe.close()


def _parts(process: "subprocess.Popen[bytes]", size: int) -> Iterator[bytes]:
    """Yield so many bytes in parts. A checkpoint may raise meanwhile. Raises EOFError if there are fewer."""
    assert process.stdout
    pipe = process.stdout.fileno()
    while size:
        checkpoint()
        if not select([pipe], [], [], _WAIT)[0]:
            continue
        part = os.read(pipe, min(_BLOCK, size))
        if not part:
            raise EOFError
        size -= len(part)
        yield part
