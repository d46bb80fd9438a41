"""Parts of a tokenizer.json: reading an object with a "type" whose fields are of a known kind."""

from collections.abc import Iterable
from typing import Any, TypeVar

import regex

from bpe.formats.opened import expect, short_json
from bpe.formats.regexes import compile_literal, compile_shared
from bpe.symbols import BPEError

FILE = "tokenizer.json"

Part = dict[str, Any]
_Expected = TypeVar("_Expected")


def option(part: Part, name: str, kind: type[_Expected], default: _Expected, field: str) -> _Expected:
    """Return an option of a part, or its default. Raises BPEError, with the field, for a wrong kind."""
    value = part.get(name)
    return default if value is None else expect(value, kind, FILE, f"{field}.{name}")


def type_of(part: object, field: str) -> str:
    """Return the type of a part. Raises BPEError, with the field, if it has none."""
    return expect(expect(part, dict, FILE, field).get("type"), str, FILE, f"{field}.type")


def model_type(model: Part) -> object:
    """Return the type of a model: "BPE", "WordPiece" and so on. Older files do not name it; it is told from the fields.

    As in the library: a list of pieces is Unigram's, and WordPiece has all of its fields.
    """
    if "type" in model:
        return model["type"]
    if isinstance(model.get("vocab"), list):
        return "Unigram"
    if isinstance(model.get("merges"), list) or "unk_token" not in model:
        return "BPE"
    return "WordPiece" if model.keys() >= _WORD_PIECE else "WordLevel"


_WORD_PIECE = {"continuing_subword_prefix", "max_input_chars_per_word"}


def parts_of(part: Part, name: str, field: str) -> list[object]:
    """Return the parts of a Sequence."""
    return expect(part.get(name), list, FILE, f"{field}.{name}")


def pattern_of(part: Part, field: str) -> "regex.Pattern[str]":
    """Return the compiled pattern of a Split or a Replace: {"Regex": ...} or {"String": ...}."""
    where = f"{field}.pattern"
    match part.get("pattern"):
        case {"String": str(text)} if text:
            return compile_literal(text)
        case {"Regex": str(text)} if text:
            return compile_shared(text, (FILE, where))
    raise BPEError(f"expected a string or a pattern, got {short_json(part.get('pattern'))}.", FILE, where)


def unsupported(field: str, kind: str, known: Iterable[str]) -> BPEError:
    """Return the error for a part of a type that is not supported."""
    return BPEError(f"{short_json(kind)} is not supported; supported are {', '.join(known)}.", FILE, field)
