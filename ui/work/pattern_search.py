"""Searches with the patterns of visitors, in a process of its own: one that takes too much is ended, and nothing else.

Short texts are searched here, since a pattern cannot take much memory on them. So are all texts on Windows, where a
process cannot bound its memory.
"""

import atexit
import os
import subprocess
import sys
import threading
import time
from array import array
from pathlib import Path
from select import select

import regex

from bpe.checkpoints import checkpoint
from bpe.text.regexes.matches import Spans, search_here, search_with
from ui.work import limits, process_memory

if sys.platform != "win32":
    from ui.work.pattern_worker import ENCODING, HEAD, MATCHES, MEMORY, SIZE, TIME

WORKER = Path(__file__).with_name("pattern_worker.py")
MOST_MEMORY = limits.PATTERN.value() * 10**6  # bytes of one worker
SHORT = 5_000  # characters that are searched in this process
LONG = 1_000_000  # characters after which a worker ends, since it keeps the memory that it has used
AT_ONCE = 2  # workers
PATIENCE = 2.0  # seconds that a worker may take longer than the search
LOOK = 0.02  # seconds between two looks at whether somebody still wants the answer
BLOCK = 1 << 20  # bytes that are read at once


class Worker:
    """A process that searches."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(WORKER), str(MOST_MEMORY)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        process_memory.add_child(self.process.pid)

    def search(self, pattern: str, text: str, seconds: float) -> Spans:
        """Return every match. Raises TimeoutError or MemoryError; also if the process has ended."""
        encoded, content = pattern.encode(*ENCODING), text.encode(*ENCODING)
        stdin, deadline = self.process.stdin, time.monotonic() + seconds + PATIENCE
        assert stdin
        try:
            for part in (HEAD.pack(len(encoded), len(content), seconds), encoded, content):
                stdin.write(part)
            stdin.flush()
        except BrokenPipeError:
            raise MemoryError from None
        answer = self._read(1, deadline)
        if answer == TIME:
            raise TimeoutError
        if answer == MEMORY:
            raise MemoryError
        assert answer == MATCHES
        (size,) = SIZE.unpack(self._read(SIZE.size, deadline))
        spans = array("I")
        spans.frombytes(self._read(size, deadline))
        return Spans(spans)

    def _read(self, size: int, deadline: float) -> bytearray:
        """Return so many bytes. A checkpoint may raise meanwhile: then nobody wants them, or memory is full."""
        assert self.process.stdout
        pipe, content = self.process.stdout.fileno(), bytearray()
        while len(content) < size:
            checkpoint()
            if not select([pipe], [], [], LOOK)[0]:
                if time.monotonic() > deadline:
                    raise TimeoutError
                continue
            part = os.read(pipe, min(BLOCK, size - len(content)))
            if not part:  # the system has ended it
                raise MemoryError
            content += part
        return content

    def end(self) -> None:
        """End the process."""
        process_memory.remove_child(self.process.pid)
        self.process.kill()
        self.process.communicate()


_FREE = threading.BoundedSemaphore(AT_ONCE)
_IDLE: list[Worker] = []


def search(pattern: "regex.Pattern[str]", text: str, seconds: float) -> Spans:
    """Return every match, as `search_here` does, with bounded memory."""
    if len(text) <= SHORT:
        return search_here(pattern, text, seconds)
    while not _FREE.acquire(timeout=LOOK):
        checkpoint()
    try:
        worker = _IDLE.pop() if _IDLE else Worker()
        try:
            spans = worker.search(pattern.pattern, text, seconds)
        except BaseException:
            worker.end()
            raise
        if len(text) > LONG:
            worker.end()
        else:
            _IDLE.append(worker)
        return spans
    finally:
        _FREE.release()


def search_in_workers() -> None:
    """Let all searches with long texts run in processes of their own, where the system can bound their memory."""
    if sys.platform != "win32":
        search_with(search)


@atexit.register
def _end_all() -> None:
    while _IDLE:
        _IDLE.pop().end()
