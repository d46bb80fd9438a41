"""Packing: whole numbers as little-endian integers of 1, 2 or 4 bytes, whichever is enough, in base64."""

import hashlib
import json
import sys
from array import array
from base64 import b64encode
from collections.abc import Sequence

from film.feed import Packed

# Bytes per number -> type code of `array`.
CODES = {1: "B", 2: "H", 4: "I"}
MOST = 2**32 - 1


def packed(numbers: Sequence[int]) -> Packed:
    """Return bytes per number, a colon and the numbers in base64. Numbers above 2**32 - 1 are packed as 2**32 - 1.

    >>> packed([1, 300])
    '2:AQAsAQ=='
    """
    most = max(numbers, default=0)
    size = 1 if most < 1 << 8 else 2 if most < 1 << 16 else 4
    column = array(CODES[size], numbers if most <= MOST else [min(number, MOST) for number in numbers])
    if sys.byteorder == "big":
        column.byteswap()
    return Packed(f"{size}:{b64encode(column).decode()}")


# Digests: short names of what a feed was made of. `film/browser/trainer/sha256.js` makes the same.


def feed_digest(*parts: object) -> str:
    r"""Return a name of some values: equal values have equal names. Bytes are read as their hexadecimal digits.

    >>> feed_digest("low", [1, 2], b"\xff") == feed_digest("low", (1, 2), "ff")
    True
    """
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else repr(value)
