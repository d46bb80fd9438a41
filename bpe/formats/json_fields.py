"""JSON fields: reading JSON of unknown origin, with errors that name the file and the field."""

import json
from collections import Counter
from functools import partial
from math import isinf
from typing import Any, TypeVar

from bpe.symbols import BPEError

Expected = TypeVar("Expected")

_NAMES = {dict: "an object", list: "an array", str: "a text", int: "a whole number", bool: "true or false"}


MOST_TOKENS = 1 << 20
MOST_GAPS = 1 << 17  # ids between 0 and the highest that no token has
MOST_OTHERS = 1 << 18  # values beside the vocabulary and the merges


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


def expect(value: object, kind: type[Expected], file: str, field: str) -> Expected:
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
        if number > MOST_OTHERS:
            raise BPEError(
                f"expected at most {MOST_OTHERS:,} values beside the vocabulary and the merges.", file
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
