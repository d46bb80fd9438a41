"""The command `train`: learn merges from files or from words already counted."""

import argparse
import sys

from bpe.formats import FORMATS
from bpe.settings.request import read_request
from bpe.text.display import ENDINGS, counted
from bpe.training.trainer import train_steps
from command_line.command import Command
from command_line.shared.interruptible import finish
from command_line.shared.reading import COUNTED_FILES, add_reading_options, read_words, settings_of
from command_line.shared.terminal import INTERRUPTED
from command_line.shared.tokenizer_files import FORMAT_HELP, format_of, write_trained
from command_line.shared.training_options import TRAINING_SETTINGS, add_training_options


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
    parser.add_argument("--format", choices=[*FORMATS, "trace"], help=FORMAT_HELP)
    add_training_options(parser)


def _run(options: argparse.Namespace) -> int:
    settings = settings_of(options, TRAINING_SETTINGS)
    slug = format_of(options.output, "trace-json" if options.format == "trace" else options.format)
    request = read_request(**settings)
    FORMATS[slug].check(request.second or request.variant)
    training = train_steps(read_words(options, request), **settings)
    trace, interrupted = finish(training)
    print(f"{counted(len(trace.steps), 'merge')} learned: {ENDINGS[trace.stopped]}.", file=sys.stderr)
    write_trained(options.output, FORMATS[slug], trace)
    return INTERRUPTED if interrupted else 0


COMMAND = Command(
    name="train",
    help="learn merges",
    description="Learn merges from files or counted words; write the tokenizer or the whole trace.",
    add_options=_add_options,
    run=_run,
)
