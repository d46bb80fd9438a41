"""The command `script`: a training as a short Python file that learns the same merges without this package."""

import argparse
import os
from pathlib import Path

from bpe.settings.request import Text, TrainingRequest, read_request
from bpe.symbols import BPEError
from bpe.text.records import is_records
from bpe.training.script import GAPS, MOST_HELD, training_script
from command_line.reading import (
    COUNTED_FILES,
    add_reading_options,
    add_training_options,
    is_counted,
    read_documents,
    read_words,
    with_an_end,
)
from command_line.terminal import PROGRAM, STANDARD, Command, is_stream, write_output

_ENDING = ".py"


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_reading_options(parser)
    add_training_options(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help=COUNTED_FILES)
    parser.add_argument(
        "-o", "--output", default=STANDARD, metavar="FILE", help="a .py file; by default standard output"
    )
    parser.add_argument(
        "--gap",
        choices=list(GAPS),
        help="leave these lines to a student; the script ends by saying what is wrong",
    )


def _run(options: argparse.Namespace) -> int:
    if not is_stream(options.output) and Path(options.output).suffix != _ENDING:
        raise BPEError(f"{options.output}: the name of a script must end in {_ENDING}.")
    request = read_request(**with_an_end(options))
    text = _text(options, request)
    write_output(
        options.output, training_script(text, request, beside=_beside(options, text), gap=options.gap)
    )
    return 0


def _text(options: argparse.Namespace, request: TrainingRequest) -> Text:
    if is_counted(options.files):
        return read_words(options, request)
    return read_documents(options.files, options.field)


def _beside(options: argparse.Namespace, text: Text) -> str:
    """Return the file from which the script reads a long text, seen from the script; "" if it holds the text."""
    (file, *others) = options.files
    if (
        others
        or options.field is not None
        or is_records(file)
        or STANDARD in (file, options.output)
        or not isinstance(text, list)
        or len(text[0]) <= MOST_HELD
    ):
        return ""
    return Path(os.path.relpath(file, Path(options.output).parent)).as_posix()


COMMAND = Command(
    name="script",
    help="write a training as a short Python script",
    description=(
        "Write a training as a short Python script that learns the same merges with the standard library alone (and "
        f"regex, if a pattern splits the text). It holds a text of up to {MOST_HELD:,} characters, and reads a longer "
        "file from where it is."
    ),
    add_options=_add_options,
    run=_run,
    examples=f"""examples:
  {PROGRAM} script text.txt --variant char-eow --merges 20 -o script.py
  {PROGRAM} script text.txt --preset cs336 --merges 20 --gap choose -o exercise.py""",
)
