"""Opened tokenizer: the tokenizer of a file, and notes on the parts of the file that are not used.

The first bytes of a file are checked before it is read, so that an error can name an archive or a picture.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from math import isinf
from typing import Any, TypeVar

from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import BPEError
from bpe.text.display import counted
from bpe.text.variants import Variant

_Expected = TypeVar("_Expected")
_NAMES = {dict: "an object", list: "an array", str: "a string", int: "a whole number", bool: "true or false"}
MOST_TOKENS = 1 << 20
MOST_GAPS = 1 << 17  # ids between 0 and the highest that no token has
_MOST_OTHERS = 1 << 18  # values beside the vocabulary and the merges

# What reads the files of two other algorithms
_LIBRARY = "Hugging Face's library “tokenizers”"
_READ_BY = {"WordPiece": _LIBRARY, "Unigram": f"SentencePiece or {_LIBRARY}"}
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


@dataclass(frozen=True, slots=True, weakref_slot=True)
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


def not_bpe(kind: object, file: str = "", at: str = "") -> BPEError:
    """Return the error for a tokenizer of another algorithm, which names a library that reads it if we know one.

    >>> print(not_bpe("WordPiece"))
    expected BPE, which is what Merge by Merge shows, got WordPiece: Hugging Face's library “tokenizers” reads this
    file.
    """
    reader = _READ_BY.get(kind) if isinstance(kind, str) else None
    if reader is None:
        return BPEError(f"expected BPE, got {short_json(kind)}.", file, at)
    what = f"expected BPE, which is what Merge by Merge shows, got {kind}: {reader} reads this file."
    return BPEError(what, file, at)


def read_json(content: str, file: str) -> dict[str, Any]:
    """Return the object that a file holds. Raises BPEError, with line and column, for anything else.

    Refuses what JSON readers disagree about: an object with one key twice, NaN, and numbers that no float can hold.
    """
    try:
        content_object = json.loads(
            content.removeprefix("\ufeff"),
            object_pairs_hook=partial(_object, file),
            parse_constant=partial(_no_number, file),
            parse_float=partial(_finite, file),
        )
    except json.JSONDecodeError as error:
        raise BPEError(
            f"expected JSON{_misfit(error)}.", file, f"line {error.lineno}, column {error.colno}"
        ) from None
    except BPEError:
        raise
    except RecursionError:
        raise BPEError("expected JSON that can be read: it is nested too deeply.", file) from None
    except ValueError:  # of json.loads: only a whole number with more digits than Python reads
        raise BPEError("expected JSON that can be read: a number has too many digits.", file) from None
    return expect(content_object, dict, file, "the file")


def expect(value: object, kind: type[_Expected], file: str, field: str) -> _Expected:
    """Return the value if it has this type. Raises BPEError, with the field, if it is not."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise BPEError(f"expected {_NAMES[kind]}, got {short_json(value)}.", file, field)
    return value


def check_others(others: dict[str, Any], file: str) -> None:
    """Raise BPEError if what a file holds beside its vocabulary and merges, which the tokenizer keeps, is too much."""
    waiting: list[Any] = [others]
    number = 0
    while waiting:
        value = waiting.pop()
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        number += len(inner)
        if number > _MOST_OTHERS:
            raise BPEError(
                f"expected at most {_MOST_OTHERS:,} values beside the vocabulary and the merges.", file
            )
        waiting += inner


def short_json(value: object) -> str:
    """Return a value as JSON, shortened for an error message."""
    if isinstance(value, str):
        value = value[:60]
    try:
        return shortened(json.dumps(value, ensure_ascii=False))
    except ValueError:  # Python spells no whole number of more than 4,300 digits
        return "a number of too many digits"


def shortened(text: str) -> str:
    """Return a text of at most 60 characters."""
    short = text if len(text) <= 60 else text[:57] + "…"
    return short.encode("utf-8", "backslashreplace").decode()


def in_id_order(vocabulary: dict[str, Any], file: str, field: str) -> list[str | None]:
    """Return the tokens of {token: id}, in id order; None for an id that no token has.

    Raises BPEError, with the token, for an id that is no whole number from 0 on or that two tokens have, and for a
    vocabulary of too many tokens or ids too far apart.
    """
    if len(vocabulary) > MOST_TOKENS:
        raise BPEError(f"expected at most {MOST_TOKENS:,} tokens, got {len(vocabulary):,}.", file, field)
    last = len(vocabulary) + MOST_GAPS
    tokens: dict[int, str] = {}
    for token, number in vocabulary.items():
        if type(number) is not int or not 0 <= number < last:
            where = f"{field}, {short_json(token)}"
            expect(number, int, file, where)
            raise BPEError(f"expected an id from 0 to {last - 1:,}, got {short_json(number)}.", file, where)
        if number in tokens:
            raise BPEError(
                f"the id {number} is given to {short_json(tokens[number])} and {short_json(token)}.",
                file,
                field,
            )
        tokens[number] = token
    return list(map(tokens.get, range(max(tokens, default=-1) + 1)))


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


def _misfit(error: json.JSONDecodeError) -> str:
    """Return what is wrong there. A download that stopped is the usual reason, and Python's words do not name it."""
    if error.msg.startswith("Unterminated string"):
        return ", but the file ends within this text"
    return ", but the file ends here" if not error.doc[error.pos :].strip() else f": {error.msg}"


def _object(file: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = max(counts, key=counts.__getitem__)
        raise BPEError(f"an object must have each key once, got {short_json(twice)} twice.", file)
    return members


def _no_number(file: str, name: str) -> float:
    raise BPEError(f"expected JSON, got {name}, which is not a number.", file)


def _finite(file: str, digits: str) -> float:
    number = float(digits)
    if isinf(number):
        raise BPEError(f"expected numbers that can be read, got {shortened(digits)}.", file)
    return number
