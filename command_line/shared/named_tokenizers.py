"""Named tokenizers: a published one by its slug, or files by their paths."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bpe.checks import shortened_repr
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.opened import Opened, title_of_files
from bpe.formats.opening import open_tokenizer
from bpe.formats.opening_any import open_any
from bpe.formats.piece_tokenizers import PieceTokenizer
from bpe.symbols import BPEError
from bpe.text.variants import Variant
from command_line.shared.terminal import STANDARD, read_bytes
from published.opening import open_published
from published.rows import PUBLISHED

TOGETHER = "+"  # between vocab.json and the merges.txt that belongs to it


def exists(path: str) -> bool:
    """Return whether there is such a file. A name that the system cannot have, such as one too long, has none."""
    try:
        return Path(path).exists()
    except OSError:
        return False


def is_published(name: str) -> bool:
    """Return whether a name is the slug of a published tokenizer, and no file."""
    return name in PUBLISHED and not exists(name)


def open_named(name: str, variant: Variant | None = None) -> tuple[str, Opened, Mapping[str, bytes]]:
    """Return title, tokenizer and files of a slug, a path, or two paths with + between them.

    Reports unused parts of a file to standard error. Raises BPEError for what cannot be opened.
    """
    if is_published(name):
        row = PUBLISHED[name]
        return row.title, open_published(name), {row.path.name: row.path.read_bytes()}
    paths = [name] if exists(name) or name == STANDARD else name.split(TOGETHER)
    _refuse_unknown(name, paths)
    files = {path: read_bytes(path) for path in paths}
    opened = open_tokenizer(files, variant)
    title = title_of_files([Path(path).name for path in files])
    _report(title, opened.ignored)
    return title, opened, files


def open_to_measure(name: str, variant: Variant | None = None) -> tuple[Tokenizer | PieceTokenizer, str]:
    """Return the tokenizer of a name, one that only encodes included, and what it is. Raises BPEError likewise."""
    if is_published(name):
        opened = open_published(name)
        return opened.tokenizer, opened.about
    paths = [name] if exists(name) or name == STANDARD else name.split(TOGETHER)
    _refuse_unknown(name, paths)
    any_opened = open_any({path: read_bytes(path) for path in paths}, variant)
    if isinstance(any_opened, PieceTokenizer):
        _report(name, any_opened.notes)
        return any_opened, any_opened.about
    _report(name, any_opened.ignored)
    return any_opened.tokenizer, any_opened.about


def _refuse_unknown(name: str, paths: Sequence[str]) -> None:
    """Raise BPEError for a name that is neither a path nor a slug."""
    if len(paths) == 1 and not exists(name) and name != STANDARD and not Path(name).suffix:
        raise BPEError(
            f"There is no file and no published tokenizer {shortened_repr(name)}; published are {', '.join(PUBLISHED)}."
        )


def _report(title: str, notes: Sequence[str]) -> None:
    for sentence in notes:
        print(f"{title}: {sentence}", file=sys.stderr)
