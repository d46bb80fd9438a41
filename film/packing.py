"""Packing: whole numbers as digits of base 91, each of which is one printable letter."""

import hashlib
import json
from collections.abc import Sequence

from film.feed import Packed

# All of ASCII from "#" to "}" that JSON writes as it is.
_DIGITS = "".join(chr(code) for code in range(ord("#"), ord("~") + 1) if chr(code) != "\\")
_BASE = len(_DIGITS)
_PAIRS = [left + right for left in _DIGITS for right in _DIGITS]  # all numbers of two digits
_MOST = 2**32 - 1


def packed(numbers: Sequence[int]) -> Packed:
    """Return digits per number, a colon and the numbers. Numbers above 2**32 - 1 are packed as 2**32 - 1.

    Digits are letters, so that a column compresses well: its bits are not shifted as base64 shifts them.

    >>> packed([1, 90]), packed([1, 300])
    ('1:$~', '2:#$&>')
    """
    most = max(numbers, default=0)
    if most < _BASE:
        return Packed("1:" + "".join(map(_DIGITS.__getitem__, numbers)))
    if most < _BASE**2:
        return Packed("2:" + "".join(map(_PAIRS.__getitem__, numbers)))
    if most < _BASE**3:
        return Packed("3:" + "".join([_three(number) for number in numbers]))
    capped = (divmod(min(number, _MOST), _BASE**3) for number in numbers)
    return Packed("5:" + "".join([_PAIRS[upper] + _three(lower) for upper, lower in capped]))


def feed_digest(*parts: object) -> str:
    r"""Return a name of some values: equal values have equal names. Bytes are read as their hexadecimal digits.

    >>> feed_digest("low", [1, 2], b"\xff") == feed_digest("low", (1, 2), "ff")
    True
    """
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _three(number: int) -> str:
    return _DIGITS[number // _BASE**2] + _PAIRS[number % _BASE**2]


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else repr(value)
