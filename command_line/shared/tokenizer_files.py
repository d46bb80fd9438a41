"""Tokenizer files: the options that name them, the tokenizer they hold, and the format of a file to be written."""

import argparse
import sys
from pathlib import Path

from bpe.encoding.tokenizer import Tokenizer
from bpe.formats import Format, format_named
from bpe.formats.opening import open_tokenizer
from bpe.formats.trace_json import write_trace
from bpe.symbols import BPEError
from bpe.text.normalizing import NORMALIZATIONS, Normalization
from bpe.text.variants import VARIANTS
from bpe.trace.trace import Trace
from command_line.shared.named_tokenizers import is_published
from command_line.shared.terminal import ENDINGS, STANDARD, read_bytes, write_whole
from published.opening import open_published
from published.rows import PUBLISHED

FORMAT_HELP = (
    "by default the output's name decides; any .json but vocab.json and trace.json is a tokenizer.json"
)


def add_tokenizer_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a tokenizer's files and say how it splits text."""
    parser.add_argument(
        "-t",
        "--tokenizer",
        required=True,
        action="append",
        metavar="FILE",
        help="tokenizer.json, tokenizer.model, tekken.json, merges.txt or .tiktoken; vocab.json and merges.txt, given "
        f"one by one; or a published tokenizer: {', '.join(PUBLISHED)}",
    )
    parser.add_argument(
        "--variant", choices=list(VARIANTS), help="how text is split and spelled, if the file does not say"
    )


def read_tokenizer_files(options: argparse.Namespace) -> Tokenizer:
    """Return the tokenizer of the files. Reports ignored parts to standard error."""
    variant = VARIANTS[options.variant] if options.variant else None
    if len(options.tokenizer) == 1 and is_published(options.tokenizer[0]):
        return open_published(options.tokenizer[0]).tokenizer
    opened = open_tokenizer({file: read_bytes(file) for file in options.tokenizer}, variant)
    for sentence in opened.ignored:
        print(sentence, file=sys.stderr)
    return opened.tokenizer


def format_of(output: str, asked: str | None) -> str:
    """Return the slug of the requested format, or of the one that the output's name implies."""
    if asked is None and output == STANDARD:
        raise BPEError("standard output: the name does not tell the format; choose one with --format.")
    try:
        row = format_named(output, asked)
    except BPEError:
        raise BPEError(f"{output}: the name does not tell the format; choose one with --format.") from None
    ending = Path(row.file_name).suffix
    if output != STANDARD and Path(output).suffix.lower() in {*ENDINGS, ending} - {ending}:
        raise BPEError(f"{output}: the name of {row.title} must end in {ending}.")
    return row.slug


def write_trained(output: str, row: Format, trace: Trace) -> None:
    """Write what a training learned. If the format cannot hold it, write a trace beside it, and raise BPEError."""
    try:
        content = row.exported(trace, len(trace.steps))
    except BPEError:
        write_whole(f"{output}.trace.json", write_trace(trace))  # keep what was learned
        raise
    write_whole(output, content)
    report_normalization(row, trace.request.normalization)


def report_normalization(row: Format, normalization: Normalization | None) -> None:
    """Report to standard error a normalization that a file of the format does not hold."""
    if normalization and not row.says_normalization:
        print(f"It does not say that {NORMALIZATIONS[normalization].name} comes first.", file=sys.stderr)
