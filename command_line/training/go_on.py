"""The command `continue`: learn further merges on top of an existing tokenizer."""

import argparse
import sys

from bpe.formats import FORMATS
from bpe.text.display import counted
from bpe.text.superwords import superword_variant
from bpe.training.replay import continue_training_steps
from command_line.command import Command
from command_line.shared.interruptible import finish
from command_line.shared.terminal import INTERRUPTED, read_text
from command_line.shared.tokenizer_files import (
    FORMAT_HELP,
    add_tokenizer_options,
    format_of,
    read_tokenizer_files,
    write_trained,
)
from command_line.shared.training_options import MERGE_SETTINGS, add_merge_options


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_tokenizer_options(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help="UTF-8 text; each file is a document")
    add_merge_options(parser)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write")
    parser.add_argument("-f", "--format", choices=list(FORMATS), help=FORMAT_HELP)


def _run(options: argparse.Namespace) -> int:
    row = FORMATS[format_of(options.output, options.format)]
    given = {name: value for name in MERGE_SETTINGS if (value := getattr(options, name)) is not None}
    tokenizer = read_tokenizer_files(options)
    pattern = given.get("second_pattern")
    row.check(superword_variant(tokenizer.variant, pattern) if pattern else tokenizer.variant)
    documents = [read_text(file) for file in options.files]
    trace, interrupted = finish(continue_training_steps(documents, tokenizer, **given))
    new = trace.replayed.learned if trace.replayed else 0
    print(f"{counted(new, 'new merge')} learned", file=sys.stderr)
    write_trained(options.output, row, trace)
    return INTERRUPTED if interrupted else 0


COMMAND = Command(
    name="continue",
    help="learn further merges on top of a tokenizer",
    description=(
        "Learn further merges from files, on top of a tokenizer. It keeps its ids and merges; the new ones rank after "
        "them. --merges is the number of new merges, --vocab-size the size of the whole vocabulary. With "
        "--second-pattern the new merges may join whole words."
    ),
    add_options=_add_options,
    run=_run,
    examples="""examples:
  python -m bpe continue -t tokenizer.json novel.txt --merges 500 -o longer.json
  python -m bpe continue -t ranks.tiktoken novel.txt --vocab-size 60000 -o longer.tiktoken
  python -m bpe continue -t tokenizer.json novel.txt --merges 500 --second-pattern lines -o superwords.json""",
)
