"""Tokenizer files: the options that name them, the tokenizer they hold, and the format of a file to be written."""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from bpe.checks import shortened_repr
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats import Format, format_named
from bpe.formats.opened import Opened, title_of_files
from bpe.formats.opening import open_tokenizer
from bpe.formats.trace_json import write_trace
from bpe.symbols import BPEError
from bpe.text.normalizing import NORMALIZATIONS, Normalization
from bpe.text.variants import VARIANTS, Variant
from bpe.trace.trace import Trace
from command_line.terminal import ENDINGS, PROGRAM, STANDARD, is_stream, read_bytes, write_output
from published.packing import open_published
from published.rows import PUBLISHED

TOGETHER = "+"  # between vocab.json and the merges.txt that belongs to it
# at least, on the scale of difflib, is a name that we offer for a mistyped one: one of four letters
_ALIKE = 0.75
FORMAT_HELP = (
    "by default the output's name decides; any .json but vocab.json and trace.json is a tokenizer.json"
)


def exists(path: str) -> bool:
    """Return whether there is such a file. A name that the system cannot have, such as one too long, has none."""
    try:
        return Path(path).exists()
    except OSError:
        return False


def names_tokenizer(name: str) -> bool:
    """Return whether a name can only be that of a tokenizer, whether there is one or not: a slug, or that of files."""
    return name in PUBLISHED or exists(name) or bool(Path(name).suffix) or TOGETHER in name


@dataclass(frozen=True, slots=True)
class NamedTokenizer:
    """The tokenizer of a name."""

    title: str
    opened: Opened
    files: Mapping[str, bytes]


def open_named(*names: str, variant: Variant | None = None) -> NamedTokenizer:
    """Open a published tokenizer by its slug, or files that belong together: each a name, or with + between them.

    Reports unused parts of a file to standard error. Raises BPEError for what cannot be opened.
    """
    paths: list[str] = []
    for name in names:
        paths += [name] if exists(name) or name == STANDARD else name.split(TOGETHER)
    if len(paths) == 1 and paths[0] in PUBLISHED and not exists(paths[0]):
        row = PUBLISHED[paths[0]]
        return NamedTokenizer(row.title, open_published(row.slug), {row.path.name: row.path.read_bytes()})
    _refuse_unknown(paths)
    files = {path: read_bytes(path) for path in paths}
    opened = open_tokenizer(files, variant)
    title = title_of_files([Path(path).name for path in files])
    for sentence in opened.ignored:
        print(f"{title}: {sentence}", file=sys.stderr)
    return NamedTokenizer(title, opened, files)


def near_names(name: str, names: Iterable[str]) -> str:
    """Return a question that offers the names that are most like a mistyped one, in front of it a space; else "".

    The name of a model is no mistyped one: GPT-5 is more like GPT-4, and has the tokenizer of GPT-4o. Other digits name
    another model, whose tokenizer may be another one too.

    >>> near_names("gpt2", ["gpt-4", "gpt-2"]), near_names("novel.txt", ["gpt-4", "gpt-2"])
    (' Did you mean gpt-2?', '')
    >>> near_names("qwenn", ["qwen"]), near_names("qwen2.5", ["qwen"])
    (' Did you mean qwen?', '')
    >>> near_names("gpt-5", ["gpt-4", "gpt-2"]), near_names("cl100k_base", ["gpt-4", "gpt-2"])
    (' Did you mean gpt-4o, the tokenizer of GPT-5?', ' Did you mean gpt-4?')
    """
    known = {_plain(one): one for one in names}
    asked = _plain(name)
    if asked in known:
        return f" Did you mean {known[asked]}?"
    for row in PUBLISHED.values():
        for model in row.models.split(", "):
            if _plain(model) == asked:
                return f" Did you mean {row.slug}, the tokenizer of {model}?"
        if _plain(row.title.partition("(")[2]) == asked:  # what tiktoken calls it
            return f" Did you mean {row.slug}?"
    near = [
        known[one]
        for one in get_close_matches(asked, known, cutoff=_ALIKE)
        if list(filter(str.isdigit, one)) == list(filter(str.isdigit, asked))
    ]
    return f" Did you mean {' or '.join(near)}?" if near else ""


def add_tokenizer_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a tokenizer's files and say how it splits text."""
    add_tokenizer_option(parser, required=True)
    parser.add_argument(
        "--variant", choices=list(VARIANTS), help="how text is split and spelled, if the file does not say"
    )


def add_tokenizer_option(parser: argparse.ArgumentParser, required: bool, use: str = "") -> None:
    """Add the option that names a tokenizer's files; `use` is what its help begins with."""
    parser.add_argument(
        "-t",
        "--tokenizer",
        required=required,
        action="append",
        metavar="FILE",
        help=f"{use}tokenizer.json, tokenizer.model, tekken.json, merges.txt, codes, minbpe's .model or "
        f".tiktoken; vocab.json and merges.txt, each with its own -t; or a published tokenizer: {', '.join(PUBLISHED)}",
    )


def read_tokenizer_files(options: argparse.Namespace) -> Tokenizer:
    """Return the tokenizer of the option. Reports ignored parts to standard error."""
    variant = VARIANTS[options.variant] if options.variant else None
    return open_named(*options.tokenizer, variant=variant).opened.tokenizer


def format_of(output: str, asked: str | None) -> str:
    """Return the slug of the requested format, or of the one that the output's name implies."""
    name = "standard output" if output == STANDARD else output
    if ENDINGS.get(Path(output).suffix.lower()) == "HTML":
        raise BPEError(
            f"{output}: the name's ending says HTML, but a tokenizer or a trace would be written; "
            f"{PROGRAM} film FILE -o {output} makes a film."
        )
    try:
        row = format_named(output, asked)
    except BPEError:
        raise BPEError(f"{name}: the name does not tell the format; choose one with --format.") from None
    ending = Path(row.file_name).suffix
    if output != STANDARD and Path(output).suffix.lower() in {*ENDINGS, ending} - {ending}:
        raise BPEError(f"{output}: the name of {row.title} must end in {ending}.")
    return row.slug


def write_trained(output: str, row: Format, trace: Trace) -> None:
    """Write what a training learned. If the format cannot hold it, write a trace beside it, and raise BPEError."""
    try:
        content = row.trace_content(trace, len(trace.steps))
    except BPEError:
        if not is_stream(output):  # keep what was learned
            write_output(f"{output}.trace.json", write_trace(trace))
        raise
    write_output(output, content)
    report_normalization(row, trace.request.normalization)


def report_normalization(row: Format, normalization: Normalization | None) -> None:
    """Report to standard error a normalization that a file of the format does not hold."""
    if normalization and not row.says_normalization:
        print(f"It does not say that {NORMALIZATIONS[normalization].name} comes first.", file=sys.stderr)


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _refuse_unknown(paths: Sequence[str]) -> None:
    """Raise BPEError if there is no file of one of the names. It offers the published tokenizers with such names."""
    for path in paths:
        if path == STANDARD or exists(path):
            continue
        if near := near_names(path, PUBLISHED):
            raise BPEError(f"{path[:60]}: there is no such file.{near}")
        if len(paths) == 1 and not any(map(str.isalpha, Path(path).suffix)):
            raise BPEError(
                f"There is no file or published tokenizer {shortened_repr(path)}; "
                f"the published ones are {', '.join(PUBLISHED)}."
            )
