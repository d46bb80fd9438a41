"""Searches with the patterns of visitors, in a process of its own: one that takes too much is ended, and nothing else.

Short texts are searched here, since a pattern cannot take much memory on them. So are patterns of alternatives that
ship with the project, and all texts on Windows, where a process cannot bound its memory.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from select import select

import regex

from bpe.checkpoints import checkpoint
from bpe.text.patterns import Spans, search_here, search_with, takes_little_memory
from ui.trainings import process_memory
from ui.trainings.process_memory import MemoryFullError

if sys.platform != "win32":
    import resource

    from ui.trainings.pattern_worker import ENCODING, HEAD, MATCHES, MEMORY, SIZE, TIME
_WORKER = Path(__file__).with_name("pattern_worker.py")
_MOST_MEMORY = 400_000_000  # bytes of one worker
_LEAST_MEMORY = 40_000_000  # bytes in which a search is possible at all
_ENOUGH_MEMORY = 100_000_000  # bytes in which an ordinary pattern searches every text
_SHARE = 0.6  # of what the app may still take: this process receives the matches
_SHORT = 5_000  # characters that are searched in this process
_LONG = 1_000_000  # characters after which a worker ends, since it keeps the memory that it has used
_AT_ONCE = 2  # workers
_PATIENCE = 2.0  # seconds that a worker may take longer than the search
_LOOK = 0.02  # seconds between two looks at whether somebody still wants the answer
_BLOCK = 1 << 20  # bytes that are read at once
_TOO_LITTLE = (
    "The app holds nearly as much memory as it may, and too little is left to search this text with this pattern. "
    "Try again in a few minutes, or use a shorter text."
)
_FREE = threading.BoundedSemaphore(_AT_ONCE)
_IDLE: list[_Worker] = []
_LOCK = threading.Lock()
_allowed: list[int] = []  # bytes that each search which runs now may take


def search_in_workers(left: Callable[[], float] = lambda: inf) -> None:
    """Let all searches with long texts run in processes of their own, where the system can bound their memory.

    left: returns how many bytes more the app may hold; no process gets more.
    """
    if sys.platform != "win32":
        search_with(partial(_search, left=left))


class _Worker:
    """A process that searches."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(_WORKER), str(_MOST_MEMORY)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        process_memory.add_child(self.process.pid)

    def bound(self, most: int) -> None:
        """Let the process request no more than so many bytes, where the system can change that later (Linux)."""
        if sys.platform == "linux":
            with suppress(ProcessLookupError):  # it has ended, which the search notices
                resource.prlimit(self.process.pid, resource.RLIMIT_AS, (most, _MOST_MEMORY))

    def search(self, pattern: str, text: str, seconds: float) -> Spans:
        """Return every match. Raises TimeoutError or MemoryError; also if the process has ended."""
        encoded, content = pattern.encode(*ENCODING), text.encode(*ENCODING)
        stdin, deadline = self.process.stdin, time.monotonic() + seconds + _PATIENCE
        assert stdin
        try:
            for part in (HEAD.pack(len(encoded), len(content), seconds), encoded, content):
                stdin.write(part)
            stdin.flush()
        except BrokenPipeError:
            raise MemoryError from None
        del encoded, content  # the matches need the memory
        answer = self._read(1, deadline)
        if answer == TIME:
            raise TimeoutError
        if answer == MEMORY:
            raise MemoryError
        assert answer == MATCHES
        (size,) = SIZE.unpack(self._read(SIZE.size, deadline))
        spans, rest = array("I"), b""
        for part in self._parts(size, deadline):
            rest += part
            whole = len(rest) - len(rest) % spans.itemsize
            spans.frombytes(rest[:whole])
            rest = rest[whole:]
        return Spans(spans)

    def _read(self, size: int, deadline: float) -> bytes:
        """Return so many bytes."""
        return b"".join(self._parts(size, deadline))

    def _parts(self, size: int, deadline: float) -> Iterator[bytes]:
        """Yield so many bytes in parts. A checkpoint may raise meanwhile: nobody wants them, or memory is full."""
        assert self.process.stdout
        pipe = self.process.stdout.fileno()
        while size:
            checkpoint()
            if not select([pipe], [], [], _LOOK)[0]:
                if time.monotonic() > deadline:
                    raise TimeoutError
                continue
            part = os.read(pipe, min(_BLOCK, size))
            if not part:  # the system has ended it
                raise MemoryError
            size -= len(part)
            yield part

    def end(self) -> None:
        """End the process."""
        process_memory.remove_child(self.process.pid)
        self.process.kill()
        self.process.communicate()


def _allow(left: float) -> int:
    """Return the bytes that a search may take, and count them, if the app may hold so many more.

    Raises MemoryFullError if those are too few for a search.
    """
    with _LOCK:
        most = int(min(_MOST_MEMORY, _SHARE * (left - sum(_allowed))))
        if most < _LEAST_MEMORY:
            raise MemoryFullError(_TOO_LITTLE)
        _allowed.append(most)
        return most


def _search(
    pattern: regex.Pattern[str], text: str, seconds: float, left: Callable[[], float] = lambda: inf
) -> Spans:
    """Return every match, as `search_here` does, with bounded memory. `left` returns what the app may still take.

    Raises MemoryFullError, which does not blame the pattern, if the app has little memory left.
    """
    if len(text) <= _SHORT or takes_little_memory(pattern.pattern):
        return search_here(pattern, text, seconds)
    while not _FREE.acquire(timeout=_LOOK):
        checkpoint()
    most = 0
    try:
        most = _allow(left())
        worker = _IDLE.pop() if _IDLE else _Worker()
        try:
            worker.bound(most)
            spans = worker.search(pattern.pattern, text, seconds)
        except BaseException as error:
            worker.end()
            if type(error) is MemoryError and most < _ENOUGH_MEMORY:
                raise MemoryFullError(_TOO_LITTLE) from None
            raise
        if len(text) > _LONG:
            worker.end()
        else:
            _IDLE.append(worker)
        return spans
    finally:
        if most:
            _allowed.remove(most)
        _FREE.release()


@atexit.register
def _end_all() -> None:
    while _IDLE:
        _IDLE.pop().end()
