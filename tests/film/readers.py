"""Functions that read in Python what films, feeds and reports hold packed, as the browser does."""

import base64
import gzip
import json
import re
from typing import Any

from film.feed import Column, Feed

_LETTERS = bytes.maketrans(b",./:", b"<>&`")


def unpacked_letters(letters: str) -> bytes:
    """Return what packed letters hold."""
    return gzip.decompress(base64.b85decode(letters.encode().translate(_LETTERS)))


def text_of(page: str, name: str) -> str:
    """Return a text that a film's page holds: its data are `film`, its script is `player`."""
    match = re.search(rf'<script type="text/plain" id="{name}">([^<]*)</script>', page)
    assert match
    return unpacked_letters(match[1]).decode()


def data_of(page: str) -> dict[str, Any]:
    """Return the data of a film."""
    data: dict[str, Any] = json.loads(text_of(page, "film"))
    return data


# Functions that read a feed in Python as the browser does.

NEVER = 1 << 40


def unpacked(numbers: Column) -> list[int]:
    """Return the numbers that `film.packing.packed` wrote, or those of a column that is not packed."""
    if isinstance(numbers, list):
        return numbers
    if not numbers:
        return []
    width, digits = int(numbers[0]), [ord(letter) - 35 - (letter > "\\") for letter in numbers[2:]]
    places = range(width)
    return [
        sum(91 ** (width - 1 - place) * digits[at + place] for place in places)
        for at in range(0, len(digits), width)
    ]


def words_of(feed: Feed, k: int) -> list[list[bytes]]:
    """Return the distinct words of the window as tokens after k steps."""
    symbols = [bytes.fromhex(spelled) for spelled in feed["symbols"]["hex"].split()]
    spelled, closes = unpacked(feed["words"]["symbols"]), unpacked(feed["words"]["closes"])
    words: list[list[bytes]] = []
    start = 0
    for length in unpacked(feed["words"]["lengths"]):
        tokens = [symbols[spelled[start]]]
        for position in range(start + 1, start + length):
            if (closes[position - 1] or NEVER) <= k:
                tokens[-1] += symbols[spelled[position]]
            else:
                tokens.append(symbols[spelled[position]])
        words.append(tokens)
        start += length
    return words


def tokens_of(feed: Feed, k: int) -> list[bytes]:
    """Return the tokens of the running text, or else of the distinct words, after k steps."""
    words = words_of(feed, k)
    reading = [words[number] for number in unpacked(feed["text"]["words"])] or words
    return [token for word in reading for token in word]
