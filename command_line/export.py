"""The command `export`: a tokenizer's file in another format, or its merges replayed over a text."""

import argparse

from bpe.formats import FORMATS
from bpe.symbols import BPEError
from bpe.training.replay import replay
from command_line.reading import add_field_option, read_documents
from command_line.terminal import PROGRAM, Command, write_output
from command_line.tokenizer_files import (
    FORMAT_HELP,
    add_tokenizer_options,
    format_of,
    read_tokenizer_files,
    report_normalization,
)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_tokenizer_options(parser)
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="by default standard output")
    parser.add_argument("-f", "--format", choices=list(FORMATS), help=FORMAT_HELP)
    parser.add_argument(
        "--replay",
        metavar="TEXT",
        help="a file of text to replay the merges over, for formats that hold counts",
    )
    add_field_option(parser)


def _run(options: argparse.Namespace) -> int:
    row = FORMATS[format_of(options.output, options.format)]
    if row.write_trace is not None and options.replay is None:
        raise BPEError(f"The format {row.slug} needs a text to replay, named with --replay.")
    if row.write_trace is None and options.replay is not None:
        raise BPEError(f"The format {row.slug} needs no text: leave --replay out.")
    tokenizer = read_tokenizer_files(options)
    if options.replay is None:
        content = row.content(tokenizer)
    else:
        row.check(tokenizer.variant)
        trace = replay(read_documents([options.replay], options.field), tokenizer)
        content = row.trace_content(trace, len(trace.steps))
    write_output(options.output, content)
    report_normalization(row, tokenizer.normalization)
    return 0


COMMAND = Command(
    name="export",
    help="write a tokenizer in another format",
    description="Write a tokenizer in another format, or the trace of its merges over a text.",
    add_options=_add_options,
    run=_run,
    examples=f"""examples:
  {PROGRAM} export -t tokenizer.json -o merges.txt
  {PROGRAM} export -t vocab.json -t merges.txt -o tokenizer.json
  {PROGRAM} export -t ranks.tiktoken --replay corpus.txt -o trace.json""",
)
