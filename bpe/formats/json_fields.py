"""Reading JSON that someone else wrote: every error names the file and the field."""

import json
from typing import Any, TypeVar

from bpe.symbols import BPEError

Expected = TypeVar("Expected")

_NAMES = {dict: "an object", list: "an array", str: "a text", int: "a whole number", bool: "true or false"}


def read_json(content: str, file: str) -> dict[str, Any]:
    """The object a file holds. Raises BPEError with the line for what is no JSON."""
    try:
        found = json.loads(content.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise BPEError(f"{file}, line {error.lineno}: expected JSON: {error.msg}.") from None
    except (RecursionError, ValueError) as error:
        raise BPEError(f"{file}: expected JSON that can be read: {error}.") from None
    return expect(found, dict, file, "the file")


def expect(found: object, kind: type[Expected], file: str, field: str) -> Expected:
    """What was found, if it is of the kind. Raises BPEError naming the field if not."""
    if not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool):
        raise BPEError(f"{file}, {field}: expected {_NAMES[kind]}, got {shown(found)}.")
    return found


def shown(found: object) -> str:
    """A value as an error shows it, cut short."""
    text = json.dumps(found, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"


def in_id_order(vocabulary: dict[str, Any], file: str, field: str) -> list[str]:
    """The tokens of {token: id}. Raises BPEError where the ids do not run from 0 without gaps."""
    tokens: dict[int, str] = {}
    for token, number in vocabulary.items():
        expect(number, int, file, f"{field}, {shown(token)}")
        if number in tokens:
            raise BPEError(
                f"{file}, {field}: the id {number} is given to {shown(tokens[number])} and {shown(token)}."
            )
        tokens[number] = token
    missing = next((number for number in range(len(tokens)) if number not in tokens), None)
    if missing is not None:
        raise BPEError(f"{file}, {field}: ids must run from 0 without gaps, got none of number {missing}.")
    return [tokens[number] for number in range(len(tokens))]
