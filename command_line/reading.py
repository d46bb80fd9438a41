"""Reading: the options for reading text, and a function that counts the words of files with them."""

import argparse
import io
import json
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from bpe.checks import shortened_repr
from bpe.settings.presets import PRESETS
from bpe.settings.request import OVERLAPS, TrainingRequest
from bpe.settings.tie_breaking import TIE_BREAKS
from bpe.symbols import BPEError
from bpe.text.counting import MOST_FUTURES, count_documents, count_words
from bpe.text.display import counted, listed
from bpe.text.normalizing import NORMALIZATIONS
from bpe.text.records import is_records, is_table, only_field, text_fields, texts_of
from bpe.text.superwords import SECOND_PATTERNS
from bpe.text.variants import VARIANTS
from command_line.terminal import (
    STANDARD,
    number_of_workers,
    progress_reports,
    read_text,
    standard_input,
    workers,
)

# The files of a command that also reads counted words.
COUNTED_FILES = (
    "UTF-8 text, each file is one document, and - is standard input; or one .json file that `count` wrote"
)
DEFAULTS = {"variant": "bytes-gpt2", "tie_break": "first"}  # without --preset
_MERGES = 100  # of a training to be seen, unless another stop rule is given
_READING_SETTINGS = ("variant", "pattern", "unit", "normalization", "lines")
MERGE_SETTINGS = (
    "tie_break",
    "merges",
    "vocab_size",
    "min_count",
    "seed",
    "overlaps",
    "max_token_length",
    "second_pattern",
    "second_words",
)
_ALPHABET_SETTINGS = ("limit_alphabet", "character_coverage")
TRAINING_SETTINGS = (
    *_READING_SETTINGS,
    *MERGE_SETTINGS,
    *_ALPHABET_SETTINGS,
    "second_after",
    "special_tokens",
)


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that reads text."""
    parser.add_argument(
        "--preset", choices=list(PRESETS), help="a real trainer's settings; the options below change them"
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
    add_field_option(parser)
    parser.add_argument(
        "--workers",
        # More processes would wait: no more chunks than these are counted at once.
        type=partial(number_of_workers, most=MOST_FUTURES),
        default=1,
        metavar="N",
        help=f"number of processes that count words, at most {MOST_FUTURES} (1)",
    )


def add_field_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the field to read, of files that hold records."""
    parser.add_argument(
        "--field",
        metavar="NAME",
        help="the field to read of JSON Lines (.jsonl), or the column of a table (.csv, .tsv); each record is a "
        "document. Without it, JSON Lines are read by their only field of text, and a table is one text",
    )


def read_documents(files: Sequence[str], field: str | None) -> list[str]:
    """Return the documents of the files: of each its text, or the texts of one field of its records.

    Raises BPEError as `_documents_in` does.
    """
    return [document for file in files for document in _documents_in(file, read_text(file), field)]


def _documents_in(file: str, text: str, field: str | None) -> Iterator[str]:
    """Yield the documents of a file with this text: it itself, or the texts of one field of its records.

    Reports to standard error which field was taken, if nobody named one, and which file has none. Raises BPEError, with
    the fields, if there are several.
    """
    name = "standard input" if file == STANDARD else file

    def fields() -> dict[str, str]:
        return text_fields(io.StringIO(text, newline=""), name)

    if field is None and not is_records(file):
        if is_table(file):
            _offer_columns(name, io.StringIO(text, newline=""))
        yield text
        return
    if field is not None and not (is_records(file) or is_table(file) or text.lstrip().startswith("{")):
        print(f"{name}: read as one text; --field is for JSON Lines and tables.", file=sys.stderr)
        yield text
        return
    if field is None:
        field = only_field(fields(), name)
        print(f"{name}: only the field {field!r} holds text, so it is read.", file=sys.stderr)
    yield from texts_of(io.StringIO(text, newline=""), field, name)


def _offer_columns(name: str, lines: Iterable[str]) -> None:
    with suppress(BPEError, UnicodeDecodeError):
        columns = listed([*text_fields(lines, name)], "or")
        print(f"{name}: read as one text. --field reads one column: {columns}.", file=sys.stderr)


def settings_of(options: argparse.Namespace, names: tuple[str, ...] = _READING_SETTINGS) -> dict[str, Any]:
    """Return the preset's settings, overridden by those of the named options that were given."""
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    settings = PRESETS[options.preset].settings if options.preset else DEFAULTS
    if "lines" in settings:  # the trainer reads lines in its own way
        given.pop("lines", None)
    return {**settings, **given}


def with_an_end(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of a training that somebody wants to see: by default it ends after MERGES merges."""
    settings = settings_of(options, TRAINING_SETTINGS)
    if settings.get("merges") is None and settings.get("vocab_size") is None:
        settings["merges"] = _MERGES
    return settings


def count_files(options: argparse.Namespace, request: TrainingRequest) -> dict[str, int]:
    """Return the frequency of every pre-token of the files. Reports progress to standard error."""
    if options.field is not None or any(map(is_records, options.files)):
        documents = read_documents(options.files, options.field)
        words = count_documents(request.documents(documents), request.variant)
        _report_counts(sum(map(len, documents)), words)
        return words
    for file in filter(is_table, options.files):
        with suppress(OSError), Path(file).open(encoding="utf-8-sig", newline="") as lines:
            _offer_columns(file, lines)
    characters = 0
    with workers(options.workers) as executor, progress_reports() as report:

        def on_chunk(more: int) -> None:
            nonlocal characters
            characters += more
            report(f"{counted(characters, 'character')} counted")

        with _files_of(options.files) as files:
            words = count_words(files, request.variant, executor, on_chunk, request.documents)
    _report_counts(characters, words)
    return words


def _report_counts(characters: int, words: Sized) -> None:
    found = f"{counted(characters, 'character')} counted: {counted(len(words), 'distinct word')}"
    print(found, file=sys.stderr)


def read_words(options: argparse.Namespace, request: TrainingRequest) -> dict[str, int] | list[str]:
    """Return the counted words of the files: of texts, or of one .json that the command `count` wrote.

    For a training of two stages, which reads a text twice, return the texts.
    """
    files: Sequence[str] = options.files
    if is_counted(files):
        return _read_counts(files[0], request)
    return read_documents(files, options.field) if request.second else count_files(options, request)


def is_counted(files: Sequence[str]) -> bool:
    """Return whether the files are one of counted words."""
    return len(files) == 1 and files[0].lower().endswith(".json")


def add_training_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for breaking ties, for ending a training and for special tokens."""
    add_merge_options(parser)
    parser.add_argument(
        "--second-after", type=int, metavar="N", help="learn superwords after this many merges"
    )
    parser.add_argument(
        "--limit-alphabet",
        type=int,
        metavar="N",
        help="the most characters to use; rarer ones are taken out of the words, as Hugging Face's trainer does (all)",
    )
    parser.add_argument(
        "--character-coverage",
        type=float,
        metavar="SHARE",
        help="the share of the text that characters must cover; rarer ones split words, as in SentencePiece (1)",
    )
    parser.add_argument(
        "--special-token",
        action="append",
        dest="special_tokens",
        metavar="TEXT",
        help="a special token for the vocabulary; may be repeated",
    )


def add_merge_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for breaking ties and for ending a training."""
    parser.add_argument(
        "--tie-break", choices=list(TIE_BREAKS), help="which of the tied pairs is merged (first)"
    )
    parser.add_argument("--merges", type=int, metavar="N", help="stop after this many merges")
    parser.add_argument("--vocab-size", type=int, metavar="N", help="stop at this vocabulary size")
    parser.add_argument("--min-count", type=int, metavar="N", help="stop when no pair occurs this often (1)")
    parser.add_argument(
        "--second-pattern",
        metavar="PATTERN",
        help=f"learn superwords between the matches of this looser pattern: {', '.join(SECOND_PATTERNS)}, or your own",
    )
    parser.add_argument(
        "--second-words",
        type=int,
        metavar="N",
        help="the most words a superword may have, 4 in SuperBPE (no limit)",
    )
    parser.add_argument(
        "--overlaps",
        choices=list(OVERLAPS),
        help="whether occurrences of a pair that overlap count: aaaa holds a + a three times, or twice (count)",
    )
    parser.add_argument(
        "--max-token-length",
        type=int,
        metavar="N",
        help="tokens must be shorter than this, in initial symbols, as in Hugging Face's trainer (any length)",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the rule 'random' (0)")


@contextmanager
def _files_of(files: Sequence[str]) -> Iterator[list[str]]:
    """Yield the files, with a copy of standard input in the place of its name: files are read in chunks."""
    if STANDARD not in files:
        yield list(files)
        return
    with tempfile.TemporaryDirectory(prefix="merge-by-merge-") as folder:
        copy = Path(folder) / "standard input"
        with copy.open("wb") as target:
            shutil.copyfileobj(standard_input(), target)
        try:
            yield [str(copy) if file == STANDARD else file for file in files]
        except BPEError as error:
            raise BPEError(str(error).replace(str(copy), copy.name)) from None


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
