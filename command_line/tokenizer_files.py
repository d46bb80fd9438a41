"""Tokenizer files: the options that name them, the tokenizer they hold, and the format of a file to be written."""

import argparse
import sys
from pathlib import Path

from bpe.encoding.tokenizer import Tokenizer
from bpe.formats import FORMATS, Format
from bpe.formats.opening import open_tokenizer
from bpe.formats.trace_json import write_trace
from bpe.symbols import BPEError
from bpe.text.normalizations import NORMALIZATIONS, Normalization
from bpe.text.variants import VARIANTS
from bpe.trace.trace import Trace
from command_line.named_tokenizers import is_published
from command_line.terminal import STANDARD, read_bytes, write_whole
from published.opening import open_published
from published.rows import PUBLISHED

_ENDINGS = {".txt": "merges-txt", ".tiktoken": "tiktoken", ".json": "tokenizer-json"}
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
    path = Path(output)
    by_name = (
        slug
        for slug, row in FORMATS.items()
        if path.name == row.file_name or path.name.endswith(tuple(sign + row.file_name for sign in "-_."))
    )
    slug = asked or next(by_name, None) or _ENDINGS.get(path.suffix)
    if slug is None:
        name = "standard output" if output == STANDARD else output
        raise BPEError(f"{name}: the name does not tell the format; choose one with --format.")
    return slug


def write_trained(output: str, row: Format, trace: Trace) -> None:
    """Write what a training learned. If the format cannot hold it, write a trace beside it, and raise BPEError."""
    try:
        content = row.export(trace, len(trace.steps))
    except BPEError:
        write_whole(f"{output}.trace.json", write_trace(trace))  # keep what was learned
        raise
    write_whole(output, content)
    report_normalization(row, trace.request.normalization)


def report_normalization(row: Format, normalization: Normalization | None) -> None:
    """Report to standard error a normalization that a file of the format does not hold."""
    if normalization and not row.says_normalization:
        print(f"It does not say that {NORMALIZATIONS[normalization].name} comes first.", file=sys.stderr)
