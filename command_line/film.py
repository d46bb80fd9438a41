"""The command `film`: save a training, or the merges of a tokenizer, as an HTML file that any browser plays."""

import argparse
import sys
from pathlib import Path

from bpe.analysis.compression import ending
from bpe.symbols import BPEError
from bpe.text.display import counted
from bpe.training.replay import replay_steps
from bpe.training.trainer import Training, train_steps
from command_line.ctrl_c import INTERRUPTED
from command_line.reading import (
    TRAINING_SETTINGS,
    add_reading_options,
    add_training_options,
    read_documents,
    with_an_end,
)
from command_line.terminal import (
    NAMES,
    STANDARD,
    Command,
    finish,
    is_standard_output,
    is_stream,
    write_output,
)
from command_line.tokenizer_files import add_tokenizer_option, read_tokenizer_files
from film.page import FilmOptions, film_page  # the command line may import core and films

# Those that -t rules out: a variant says how text is split, if a file does not.
_SETTINGS_OF_TRAINING = [name for name in TRAINING_SETTINGS if name != "variant"]


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_reading_options(parser)
    add_training_options(parser)
    add_tokenizer_option(parser, required=False, use="play the merges of a tokenizer instead of training: ")
    parser.add_argument("files", nargs="+", metavar="FILE", help="UTF-8 text; each file is a document")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the film to write, an .html file, or - for standard output",
    )
    parser.add_argument("--title", help="title above the film; by default the name of the first file")
    parser.add_argument("--step", type=_step, default=0, metavar="N", help="begin after this many merges (0)")
    parser.add_argument(
        "--fixed",
        action="store_true",
        help="play the recording only, without a field for the viewer's own words",
    )


def _step(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a whole number, at least 0, got {text!r}")
    return int(text)


def _run(options: argparse.Namespace) -> int:
    if not is_stream(options.output) and Path(options.output).suffix.lower() not in (".html", ".htm"):
        raise BPEError(f"{options.output}: the name of a film must end in .html.")
    documents = read_documents(options.files, options.field)
    trace, interrupted = finish(_training(options, documents))
    title = options.title
    if title is None:
        file = options.files[0]
        title = "Standard input" if file == STANDARD else Path(file).name.encode(errors=NAMES).decode()
    page = film_page(trace, documents, FilmOptions(title=title, step=options.step), fixed=options.fixed)
    write_output(options.output, page)
    where = "standard output" if is_standard_output(options.output) else options.output
    print(f"{counted(len(trace.steps), 'merge')} in {where}: {ending(trace)}.", file=sys.stderr)
    return INTERRUPTED if interrupted else 0


def _training(options: argparse.Namespace, documents: list[str]) -> Training:
    if options.tokenizer:
        if options.preset or any(getattr(options, name) is not None for name in _SETTINGS_OF_TRAINING):
            raise BPEError(
                "film: a tokenizer brings its own merges and settings, so -t takes no options of a training."
            )
        return replay_steps(documents, read_tokenizer_files(options))
    return train_steps(documents, **with_an_end(options))


COMMAND = Command(
    name="film",
    help="save a training as an HTML file that plays",
    description=(
        "Train on files and save one HTML file that plays the merges in any browser, even offline; with -t, play those "
        "merges of a tokenizer that apply to the files."
    ),
    add_options=_add_options,
    run=_run,
)
