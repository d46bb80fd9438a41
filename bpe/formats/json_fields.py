"""JSON fields: reading JSON of unknown origin, with errors that name the file and the field."""

import json
from typing import Any, TypeVar

from bpe.symbols import BPEError

Expected = TypeVar("Expected")

_NAMES = {dict: "an object", list: "an array", str: "a text", int: "a whole number", bool: "true or false"}


def read_json(content: str, file: str) -> dict[str, Any]:
    """Return the object that a file holds. Raises BPEError, with the line, for anything else."""
    try:
        content_object = json.loads(content.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise BPEError(f"{file}, line {error.lineno}: expected JSON: {error.msg}.") from None
    except (RecursionError, ValueError) as error:
        raise BPEError(f"{file}: expected JSON that can be read: {error}.") from None
    return expect(content_object, dict, file, "the file")


def expect(value: object, kind: type[Expected], file: str, field: str) -> Expected:
    """Return the value if it has this type. Raises BPEError, with the field, if it is not."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise BPEError(f"{file}, {field}: expected {_NAMES[kind]}, got {short_json(value)}.")
    return value


def short_json(value: object) -> str:
    """Return a value as JSON, shortened for an error message."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"


def in_id_order(vocabulary: dict[str, Any], file: str, field: str) -> list[str]:
    """Return the tokens of {token: id}, in id order. Raises BPEError unless the ids run from 0 without gaps."""
    tokens: dict[int, str] = {}
    for token, number in vocabulary.items():
        expect(number, int, file, f"{field}, {short_json(token)}")
        if number in tokens:
            raise BPEError(
                f"{file}, {field}: the id {number} is given to {short_json(tokens[number])} and {short_json(token)}."
            )
        tokens[number] = token
    missing = next((number for number in range(len(tokens)) if number not in tokens), None)
    if missing is not None:
        raise BPEError(f"{file}, {field}: ids must run from 0 without gaps, got none of number {missing}.")
    return [tokens[number] for number in range(len(tokens))]
