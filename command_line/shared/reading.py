"""Reading: the options for reading text, and a function that counts the words of files with them."""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from bpe.checks import shortened_repr
from bpe.settings.presets import PRESETS
from bpe.settings.request import TrainingRequest
from bpe.symbols import BPEError
from bpe.text.counting import MOST_FUTURES, count_words
from bpe.text.normalizing import NORMALIZATIONS
from bpe.text.variants import VARIANTS
from command_line.shared.terminal import STANDARD, progress_reports, read_text
from command_line.shared.workers import number_of_workers, workers

# The files of a command that also reads counted words.
COUNTED_FILES = (
    "UTF-8 text, each file is one document, and - is standard input; or one .json file that `count` wrote"
)
DEFAULTS = {"variant": "bytes-gpt2", "tie_break": "first"}  # without --preset


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that reads text."""
    parser.add_argument(
        "--preset",
        choices=list(PRESETS),
        help="a real trainer's settings; the options below change them",
    )
    parser.add_argument(
        "--variant", choices=list(VARIANTS), help="how text is split and spelled (bytes-gpt2)"
    )
    parser.add_argument("--pattern", help="the pattern of the variant 'custom'")
    parser.add_argument(
        "--unit", choices=["bytes", "characters"], help="initial symbols of the variant 'custom'"
    )
    parser.add_argument(
        "--normalization",
        choices=list(NORMALIZATIONS),
        help="how the text is changed before it is split: a form of Unicode, or lower case",
    )
    parser.add_argument(
        "--lines",
        action="store_const",
        const="ended",
        help="read each line, with its end, as a document, as Hugging Face's trainers read files",
    )
    parser.add_argument(
        "--workers",
        # More processes would wait: no more chunks than these are counted at once.
        type=partial(number_of_workers, most=MOST_FUTURES),
        default=1,
        metavar="N",
        help=f"number of processes that count words, at most {MOST_FUTURES} (1)",
    )


READING_SETTINGS = ("variant", "pattern", "unit", "normalization", "lines")


def settings_of(options: argparse.Namespace, names: tuple[str, ...] = READING_SETTINGS) -> dict[str, Any]:
    """Return the preset's settings, overridden by those of the named options that were given."""
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    settings = PRESETS[options.preset].settings if options.preset else DEFAULTS
    if "lines" in settings:  # the trainer reads lines in its own way
        given.pop("lines", None)
    return {**settings, **given}


def count_files(options: argparse.Namespace, request: TrainingRequest) -> dict[str, int]:
    """Return the frequency of every pre-token of the files. Reports progress to standard error."""
    characters = 0
    with workers(options.workers) as executor, progress_reports() as report:

        def on_chunk(more: int) -> None:
            nonlocal characters
            characters += more
            report(f"{characters:,} characters counted")

        with files_of(options.files) as files:
            words = count_words(files, request.variant, executor, on_chunk, request.documents)
    print(f"{characters:,} characters counted: {len(words):,} distinct words", file=sys.stderr)
    return words


@contextmanager
def files_of(files: Sequence[str]) -> Iterator[list[str]]:
    """Yield the files, with a copy of standard input in the place of its name: files are read in chunks."""
    if STANDARD not in files:
        yield list(files)
        return
    with tempfile.TemporaryDirectory(prefix="merge-by-merge-") as folder:
        copy = Path(folder) / "standard input"
        with copy.open("wb") as target:
            shutil.copyfileobj(sys.stdin.buffer, target)
        try:
            yield [str(copy) if file == STANDARD else file for file in files]
        except BPEError as error:
            raise BPEError(str(error).replace(str(copy), copy.name)) from None


def read_words(options: argparse.Namespace, request: TrainingRequest) -> dict[str, int] | list[str]:
    """Return the counted words of the files: of texts, or of one .json that the command `count` wrote.

    For a training of two stages, which reads a text twice, return the texts.
    """
    files: Sequence[str] = options.files
    if len(files) == 1 and files[0].lower().endswith(".json"):
        return _read_counts(files[0], request)
    return [read_text(file) for file in files] if request.second else count_files(options, request)


def _read_counts(file: str, request: TrainingRequest) -> dict[str, int]:
    """Return the counted words of a file. Raises BPEError for a word that is no pre-token of the variant."""
    try:
        words = json.loads(Path(file).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BPEError(f"{file}: cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError) as error:
        raise BPEError(f"{file}: expected JSON: {error}.") from None
    if not isinstance(words, dict):
        raise BPEError(f"{file}: expected an object {{word: frequency}}, got {type(words).__name__}.")
    split = request.variant.split
    for word in words:
        alone = split(word) in ([word], [f" {word}"])  # char-metaspace adds a missing space
        # A \r at the end of a line is dropped, so such a word is tried in the middle of a text.
        if not (alone or split(f"{word} .")[:1] == [word]):
            raise BPEError(
                f"{file}: {shortened_repr(word)} is not a pre-token of the variant {request.variant.slug!r}. "
                "Name the variant or preset that the words were counted for."
            )
    return words
