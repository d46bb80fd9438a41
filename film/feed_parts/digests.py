"""Digests: short names of what a feed was made of. `film/browser/trainer/feeds/sha256.js` makes the same."""

import hashlib
import json


def digest_of(*parts: object) -> str:
    r"""Return a name of some values: equal values have equal names. Bytes are read as their hexadecimal digits.

    >>> digest_of("low", [1, 2], b"\xff") == digest_of("low", (1, 2), "ff")
    True
    """
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else repr(value)
