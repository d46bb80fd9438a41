"""Terminal: write files atomically, report progress on standard error, and catch Ctrl-C."""

import argparse
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import BinaryIO

from bpe.checkpoints import checkpoints
from bpe.checks import shortened_repr
from bpe.symbols import BPEError
from bpe.text.display import counted, listed
from bpe.trace.trace import Trace
from bpe.training.trainer import Training

# What a user types to start the command line: pip installs it as `bpe`; in a clone Python runs it.
PROGRAM = "python -m bpe" if __name__ == "command_line.terminal" else "bpe"
_SECONDS_BETWEEN_REPORTS = 1.0
STANDARD = "-"  # as a file name: standard input or output
NAMES = "backslashreplace"  # how to write what UTF-8 cannot hold: a file's name may have any bytes

# What a name's ending says of a file's content
ENDINGS = {
    ".txt": "text",
    ".csv": "CSV",
    ".tsv": "TSV",
    ".json": "JSON",
    ".jsonl": "JSON lines",
    ".html": "HTML",
    ".htm": "HTML",
    ".xlsx": "a workbook",
    ".pdf": "PDF",
    ".model": "a model",
    ".tiktoken": "ranks",
}
_MOST = 64
_UNTIL_THE_END = ExitStack()  # of a worker


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `run` returns the exit code and raises BPEError for a request that cannot be met."""

    name: str
    help: str  # in the list of commands
    description: str  # one sentence: what goes in -> what comes out
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    examples: str = ""  # shown at the end of --help


def check_folder(file: str) -> None:
    """Raise BPEError if the file's folder is missing, or is meant. Commands check this before they begin to work."""
    if not Path(file).parent.is_dir():
        raise BPEError(f"{file}: cannot be written: there is no folder {Path(file).parent}.")
    if Path(file).is_dir():
        raise BPEError(f"{file}: cannot be written: it is a folder.")


def kind_to_write(output: str, kinds: Sequence[str], asked: str | None = None) -> str:
    """Return which of a command's kinds is written.

    It is the one that the name's ending says, or else the one that the user named. Without either it is the first.
    Raises BPEError if the ending says another kind. Commands call this before they begin to work.

    >>> kind_to_write("costs.csv", ["text", "CSV"]), kind_to_write("costs", ["text", "CSV"])
    ('CSV', 'text')
    """
    said = None if output == STANDARD else ENDINGS.get(Path(output).suffix.lower())
    if said is None:
        return asked or kinds[0]
    if said not in kinds or asked not in (None, said):
        written = asked or listed(kinds, "or")
        raise BPEError(f"{output}: the name's ending says {said}, but {written} would be written.")
    return said


def standard_input() -> BinaryIO:
    """Return standard input. Raises BPEError if whoever started the command closed it."""
    if sys.stdin is None:
        raise BPEError("standard input: cannot be read: it is closed.")
    return sys.stdin.buffer


def read_bytes(file: str) -> bytes:
    """Return the bytes of a file, or of standard input. Raises BPEError for a file that cannot be read."""
    try:
        return standard_input().read() if file == STANDARD else Path(file).read_bytes()
    except OSError as error:
        raise BPEError(f"{file}: cannot be read: {error.strerror or error}.") from None


def read_text(file: str) -> str:
    """Return the text of a file, or of standard input. Raises BPEError for one that is no UTF-8."""
    content = read_bytes(file)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        name = "standard input" if file == STANDARD else file
        raise BPEError(
            f"{name}, line {line}: expected UTF-8, got the byte 0x{content[error.start]:02X}."
        ) from None


def write_output(file: str, content: str | bytes) -> None:
    """Write standard output, or a file: a regular one completely or not at all, a device or a pipe as it is.

    Raises BPEError for what cannot be written.
    """
    into_standard = is_standard_output(file)
    try:
        if into_standard:
            _write_standard_output(_as_bytes(content))
        elif is_stream(file):
            with Path(file).open("wb") as stream:
                stream.write(_as_bytes(content))
        else:
            _write_whole(
                Path(file).resolve(), _as_bytes(content)
            )  # what a symbolic link points to, not the link
    except BrokenPipeError:
        return  # the reader closed the pipe, as `head` does
    except OSError as error:
        name = "standard output" if into_standard else file
        raise BPEError(f"{name}: cannot be written: {error.strerror or error}.") from None
    if not into_standard:
        print(f"Written: {file}", file=sys.stderr)


def is_stream(file: str) -> bool:
    """Return whether a name is standard output, or a device or a pipe: its name need not say what is written."""
    path = Path(file)
    return file == STANDARD or (path.exists() and not path.is_file())


def is_standard_output(file: str) -> bool:
    """Return whether a file is standard output, by whatever name: -, /dev/stdout or that of its terminal."""
    try:
        return file == STANDARD or os.path.samestat(Path(file).stat(), os.fstat(1))
    except OSError:
        return False


def _write_standard_output(content: bytes) -> None:
    if sys.stdout is None:  # as Python leaves it if whoever started the command closed it
        raise OSError("it is closed")
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except OSError:
        # Python would write what is left once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _write_whole(path: Path, content: bytes) -> None:
    """Write a temporary file beside the file, then rename that."""
    with tempfile.NamedTemporaryFile("wb", dir=path.parent, delete=False) as new:
        try:
            new.write(content)
            new.close()
            mask = os.umask(0)  # the only way to read it
            os.umask(mask)
            Path(new.name).chmod(0o666 & ~mask)
            Path(new.name).replace(path)
        except BaseException:
            Path(new.name).unlink(missing_ok=True)
            raise


@contextmanager
def _caught_interrupts() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed. Inside this context Ctrl-C does not interrupt."""
    noted = False

    def note(*_: object) -> None:
        nonlocal noted
        noted = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: noted
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def progress_reports() -> Iterator[Callable[[str], None]]:
    """Yield a function that reports progress at most once a second. A terminal shows only the latest line."""
    due = time.monotonic() + _SECONDS_BETWEEN_REPORTS
    terminal = sys.stderr.isatty()
    reported = False

    def report(message: str) -> None:
        nonlocal due, reported
        if time.monotonic() >= due:
            due = time.monotonic() + _SECONDS_BETWEEN_REPORTS
            reported = True
            print(
                f"\r{message}\033[K" if terminal else message,
                end="" if terminal else "\n",
                file=sys.stderr,
                flush=True,
            )

    yield report
    if terminal and reported:
        print("\r\033[K", end="", file=sys.stderr)


def finish(training: Training) -> tuple[Trace, bool]:
    """Return the trace of a training, and whether Ctrl-C ended it early; then the trace has the merges so far."""
    with progress_reports() as report, _caught_interrupts() as interrupted:
        for step in training:
            report(f"{counted(step.rank + 1, 'merge')}, the last pair occurred {counted(step.count, 'time')}")
            if interrupted():
                break
    return training.trace(), interrupted()


def number_of_workers(text: str, most: int = _MOST) -> int:
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


def _as_bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode(errors=NAMES)


class _EndedError(Exception):
    """The error that ends the work of a worker when the command ends."""


def _begin(ended: Event) -> None:
    """Prepare a worker: Ctrl-C reaches all processes of a terminal, but only the command itself answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def check() -> None:
        if ended.is_set():
            raise _EndedError

    _UNTIL_THE_END.enter_context(checkpoints(check))
