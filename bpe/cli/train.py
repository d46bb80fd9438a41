"""The command `train`: learn merges from files or from words already counted."""

import argparse
import sys
from collections.abc import Callable

from bpe.cli.command import Command
from bpe.cli.interruptible import finish
from bpe.cli.reading import COUNTED_FILES, add_reading_options, read_words, settings_of
from bpe.cli.terminal import INTERRUPTED, write_whole
from bpe.cli.tokenizer_files import format_of
from bpe.cli.training_options import TRAINING_SETTINGS, add_training_options
from bpe.formats import FORMATS
from bpe.formats.trace_json import write_trace
from bpe.settings.read_request import read_request
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
        help=COUNTED_FILES,
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
    training = train_steps(read_words(options, request), **settings)
    trace, interrupted = finish(training)
    print(f"{counted(len(trace.steps), 'merge')} learned: {ENDINGS[trace.stopped]}.", file=sys.stderr)
    try:
        content = write(trace)
    except BPEError:
        write_whole(f"{options.output}.trace.json", write_trace(trace))  # keep what was learned
        raise
    write_whole(options.output, content)
    return INTERRUPTED if interrupted else 0


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
