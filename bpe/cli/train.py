"""The command `train`: learn merges from files or from words already counted."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bpe.cli.command import Command
from bpe.cli.interruptible import finish
from bpe.cli.reading import add_reading_options, count_files, settings_of
from bpe.cli.terminal import INTERRUPTED, write_whole
from bpe.cli.tokenizer_files import format_of
from bpe.cli.training_options import TRAINING_SETTINGS, add_training_options
from bpe.formats import FORMATS
from bpe.formats.trace_json import write_trace
from bpe.settings.read_request import read_request
from bpe.settings.request import TrainingRequest
from bpe.symbols import BPEError
from bpe.text.display import ENDINGS, counted
from bpe.trace.trace import Trace
from bpe.training.trainer import train_steps


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_reading_options(parser)
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="UTF-8 text, each file a document; or one .json that `count` wrote",
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the file to write",
    )
    parser.add_argument("--format", choices=[*FORMATS, "trace"], help="by default the output's name decides")
    add_training_options(parser)


def _run(options: argparse.Namespace) -> int:
    settings = settings_of(options, TRAINING_SETTINGS)
    write = _writer(options)
    request = read_request(**settings)
    training = train_steps(_read_words(options, request), **settings)
    trace, interrupted = finish(training)
    print(f"{counted(len(trace.steps), 'merge')} learned: {ENDINGS[trace.stopped]}.", file=sys.stderr)
    try:
        content = write(trace)
    except BPEError:
        write_whole(f"{options.output}.trace.json", write_trace(trace))  # keep what was learned
        raise
    write_whole(options.output, content)
    return INTERRUPTED if interrupted else 0


def _read_words(options: argparse.Namespace, request: TrainingRequest) -> dict[str, int]:
    files: Sequence[str] = options.files
    if len(files) == 1 and files[0].lower().endswith(".json"):
        return _read_counts(files[0], request)
    return count_files(options, request)


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
                f"{file}: {word!r} is not a pre-token of the variant {request.variant.slug!r}. "
                "Name the variant or preset that the words were counted for."
            )
    return words


def _writer(options: argparse.Namespace) -> Callable[[Trace], str]:
    """Return the function from a trace to the output file's content."""
    slug = "trace-json" if options.format == "trace" else format_of(options.output, options.format)
    return lambda trace: FORMATS[slug].export(trace, len(trace.steps))


COMMAND = Command(
    name="train",
    help="learn merges",
    description="Learn merges from files or counted words; write the tokenizer or the whole trace.",
    add_options=_add_options,
    run=_run,
)
