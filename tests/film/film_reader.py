"""Reads what a film's page holds packed."""

import base64
import gzip
import json
import re
from typing import Any

_LETTERS = bytes.maketrans(b",./:", b"<>&`")


def unpacked(letters: str) -> bytes:
    """Return what packed letters hold."""
    return gzip.decompress(base64.b85decode(letters.encode().translate(_LETTERS)))


def text_of(page: str, name: str) -> str:
    """Return a text that a film's page holds: its data are `film`, its script is `player`."""
    match = re.search(rf'<script type="text/plain" id="{name}">([^<]*)</script>', page)
    assert match
    return unpacked(match[1]).decode()


def data_of(page: str) -> dict[str, Any]:
    """Return the data of a film."""
    data: dict[str, Any] = json.loads(text_of(page, "film"))
    return data
