"""Opened tokenizer: the tokenizer of a file, and notes on the parts of the file that are not used.

The first bytes of a file are checked before it is read, so that an error can name an archive or a picture.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.json_fields import read_json
from bpe.symbols import BPEError
from bpe.text.display import counted
from bpe.text.variants import Variant

MOST_BYTES = 1 << 27  # of one file: several times the largest tokenizer.json that we know

_KINDS = {
    b"\x1f\x8b": "a gzip archive: unpack it first",
    b"PK": "a zip archive: unpack it first",
    b"7z\xbc\xaf": "a 7z archive: unpack it first",
    b"Rar!": "a RAR archive: unpack it first",
    b"BZh": "a bzip2 archive: unpack it first",
    b"\xfd7zXZ": "an xz archive: unpack it first",
    b"\x28\xb5\x2f\xfd": "a zstandard archive: unpack it first",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"RIFF": "a RIFF file, such as a WebP picture or a sound",
    b"%PDF": "a PDF document",
    b"SQLite format 3": "a database",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    **{bytes([0x80, version]): "a pickle, which is never opened" for version in range(2, 6)},
    b"GGUF": "the weights of a model",
    b"\x89HDF": "the weights of a model",
    b"\x93NUMPY": "an array of numbers",
    b"\xd0\xcf\x11\xe0": "a document of an office program",
    b"\xff\xfe": "a text in UTF-16 or UTF-32: save it as UTF-8",
    b"\xfe\xff": "a text in UTF-16: save it as UTF-8",
    b"\0\0\xfe\xff": "a text in UTF-32: save it as UTF-8",
    b"version https://git-lfs": "a pointer of Git LFS: download the file itself",
    b"<!DOCTYPE": "a web page",
    b"<!doctype": "a web page",
    b"<html": "a web page",
    b"<?xml": "an XML document",
}
_SHARE_FILE = re.compile(r'\{\s*"format": *"merge-by-merge ')


@dataclass(frozen=True, slots=True)
class Opened:
    """A tokenizer read from a file."""

    tokenizer: Tokenizer
    ignored: tuple[str, ...] = ()  # one sentence for each part of the file that is not used here
    kind: str = "tokenizer.json"  # what the file is, in a word or two
    says_split: bool = True  # whether the file says how text is split; if not, a variant can be chosen

    @property
    def about(self) -> str:
        """What the file is, and how many merges and tokens it has, as a part of a sentence."""
        tokens = len(self.tokenizer.vocabulary) - len(self.tokenizer.gaps)
        return f"{self.kind}; {counted(len(self.tokenizer.merges), 'merge')}, {counted(tokens, 'token')}"


def title_of_files(names: Iterable[str]) -> str:
    """Return the names of the files of one tokenizer as its title.

    >>> title_of_files(["merges.txt", "vocab.json"])
    'vocab.json and merges.txt'
    """
    return " and ".join(sorted(names, key=lambda name: not name.endswith(".json")))


def guess(row: Variant, variant: Variant | None) -> tuple[str, ...]:
    """Return the note on a file that is split as in this row, unless somebody has chosen a variant."""
    if variant is not None:
        return ()
    return (f"The file does not say how text is split; it is split as in “{row.title}”.",)


@dataclass(frozen=True)
class File:
    """A file to open, read as far as somebody asks."""

    name: str
    content: bytes

    @cached_property
    def text(self) -> str:
        """Its text. Raises BPEError for one that is too large, or that is no text in UTF-8."""
        return text_of(self.name, self.content)

    @cached_property
    def json(self) -> dict[str, Any] | None:
        """The JSON object that it holds; None for another text. Raises BPEError for JSON that is no tokenizer."""
        start = self.text[:200].lstrip()
        if start.startswith("[") and self.text.rstrip().endswith("]"):
            raise BPEError("expected the file of a tokenizer, got a JSON array.")
        if not start.startswith("{"):
            return None
        if _SHARE_FILE.match(start):
            raise BPEError("expected a tokenizer, got a share file, which holds a text and settings.")
        if '"steps"' in self.text[:100_000] and '"schema"' in self.text[:1000]:
            raise BPEError("expected a tokenizer, got a trace: it is for programs, and cannot be opened.")
        return read_json(self.text, self.name)


def kind_of(content: bytes) -> str:
    r"""Return what a file is by its first bytes, such as "a PNG picture"; "" if it may be a text in UTF-8.

    >>> kind_of(b"PK\x03\x04")
    'a zip archive: unpack it first'
    """
    return next((kind for start, kind in _KINDS.items() if content.startswith(start)), "")


def text_of(name: str, content: bytes) -> str:
    """Return the text of a file. Raises BPEError for one that is too large, or that is no text in UTF-8."""
    if len(content) > MOST_BYTES:
        raise BPEError(
            f"expected a file of at most {MOST_BYTES >> 20} MB, got {len(content) >> 20} MB.", name
        )
    kind = kind_of(content)
    if kind:
        raise BPEError(f"expected the file of a tokenizer, got {kind}.", name)
    if b"\0" in content[:4096]:
        raise BPEError(
            "expected the file of a tokenizer, got a file that is not text: it contains the byte 0.", name
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BPEError(
            f"expected UTF-8, got the byte 0x{content[error.start]:02X}.", name, f"line {line}"
        ) from None
