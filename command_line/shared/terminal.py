"""Terminal: write files atomically, report progress on standard error, and catch Ctrl-C."""

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bpe.symbols import BPEError

SECONDS_BETWEEN_REPORTS = 1.0
INTERRUPTED = 130  # the exit code that a shell expects of a program stopped by Ctrl-C


def check_folder(file: str) -> None:
    """Raise BPEError if the file's folder is missing. Commands check this before they begin to work."""
    if not Path(file).parent.is_dir():
        raise BPEError(f"{file}: cannot be written: there is no folder {Path(file).parent}.")


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


def kind_to_write(output: str, kinds: Sequence[str], asked: str | None = None) -> str:
    """Return which of a command's kinds is written: the one that the name's ending says, else the one asked for.

    Without either it is the first. Raises BPEError if the ending says another kind. Commands call this before they
    begin to work.

    >>> kind_to_write("costs.csv", ["text", "CSV"]), kind_to_write("costs", ["text", "CSV"])
    ('CSV', 'text')
    """
    said = None if output == STANDARD else ENDINGS.get(Path(output).suffix.lower())
    if said is None:
        return asked or kinds[0]
    if said not in kinds or asked not in (None, said):
        written = asked or " or ".join(kinds)
        raise BPEError(f"{output}: the name's ending says {said}, and what is written is {written}.")
    return said


def read_bytes(file: str) -> bytes:
    """Return the bytes of a file, or of standard input. Raises BPEError for a file that cannot be read."""
    try:
        return sys.stdin.buffer.read() if file == STANDARD else Path(file).read_bytes()
    except OSError as error:
        raise BPEError(f"{file}: cannot be read: {error.strerror or error}.") from None


def read_text(file: str) -> str:
    """Return the text of a file, or of standard input. Raises BPEError for one that is no UTF-8."""
    return decoded(file, read_bytes(file))


def decoded(file: str, content: bytes) -> str:
    """Return the content of a file as text. Raises BPEError for one that is no UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        name = "standard input" if file == STANDARD else file
        raise BPEError(
            f"{name}, line {line}: expected UTF-8, got the byte 0x{content[error.start]:02X}."
        ) from None


def write_output(file: str, content: str | bytes) -> None:
    """Write a file whole, or standard output. Raises BPEError for a file that cannot be written."""
    if file != STANDARD:
        write_whole(file, content)
        return
    try:
        sys.stdout.buffer.write(_as_bytes(content))
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the reader closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _as_bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode(errors=NAMES)


def write_whole(file: str, content: str | bytes) -> None:
    """Write the file completely or not at all: write a temporary file beside it, then rename that.

    Raises BPEError for a file that cannot be written.
    """
    path = Path(file).resolve()  # the file that a symbolic link points to, not the link
    try:
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, delete=False) as new:
            try:
                new.write(_as_bytes(content))
                new.close()
                Path(new.name).chmod(0o666 & ~_umask())
                Path(new.name).replace(path)
            except BaseException:
                Path(new.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise BPEError(f"{file}: cannot be written: {error.strerror or error}.") from None
    print(f"Written: {file}", file=sys.stderr)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def caught_interrupts() -> Iterator[Callable[[], bool]]:
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
    due = time.monotonic() + SECONDS_BETWEEN_REPORTS
    terminal = sys.stderr.isatty()
    reported = False

    def report(message: str) -> None:
        nonlocal due, reported
        if time.monotonic() >= due:
            due = time.monotonic() + SECONDS_BETWEEN_REPORTS
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
