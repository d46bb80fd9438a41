"""Ctrl-C while the command line loads, which takes half a second, and while the process ends."""

import os
import signal
from contextlib import suppress
from types import FrameType

INTERRUPTED = 130  # the exit code that a shell expects of a program stopped by Ctrl-C
NOTHING_WRITTEN = "\nStopped; nothing was written."


def end_at_once() -> None:
    """Let Ctrl-C end the process with a sentence, in place of a traceback from the middle of an import.

    A process that ignores Ctrl-C, as one that a shell runs in the background, still does.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def raise_as_usual() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(signal_number: int, frame: FrameType | None) -> None:
    with suppress(OSError):  # nobody reads messages
        os.write(2, f"{NOTHING_WRITTEN}\n".encode())
    os._exit(INTERRUPTED)
