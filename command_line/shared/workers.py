"""Workers: the processes in which a command computes, one for each core, and how Ctrl-C ends them."""

import argparse
import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing.synchronize import Event

from bpe.checkpoints import checkpoints
from bpe.checks import shortened_repr

MOST = 64
_UNTIL_THE_END = ExitStack()  # of a worker


class EndedError(Exception):
    """The error that ends the work of a worker when the command ends."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def number_of_workers(text: str, most: int = MOST) -> int:
    """Return the value of an option `--workers`."""
    if not (text.isdecimal() and len(text) < 5 and 1 <= int(text) <= most):
        raise argparse.ArgumentTypeError(
            f"expected a number of processes from 1 to {most}, got {shortened_repr(text)}"
        )
    return int(text)


@contextmanager
def workers(number: int) -> Iterator[Executor | None]:
    """Provide so many processes as an executor; None for one, since this process then does the work itself.

    They end soon after an exception, such as that of Ctrl-C: at the next checkpoint of what they do.
    """
    if number == 1:
        yield None
        return
    ended = multiprocessing.Event()
    with ProcessPoolExecutor(number, initializer=_begin, initargs=(ended,)) as pool:
        try:
            yield pool
        except BaseException:
            ended.set()
            pool.shutdown(cancel_futures=True)
            raise


def _begin(ended: Event) -> None:
    """Prepare a worker: Ctrl-C reaches all processes of a terminal, but only the command itself answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def check() -> None:
        if ended.is_set():
            raise EndedError

    _UNTIL_THE_END.enter_context(checkpoints(check))
