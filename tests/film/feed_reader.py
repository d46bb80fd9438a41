"""Functions that read a feed in Python as the browser does."""

from array import array
from base64 import b64decode

from film.feed import Feed

NEVER = 1 << 40


def unpacked(numbers: str) -> list[int]:
    """Return the numbers that `film.packing.packed` wrote."""
    size, _, content = numbers.partition(":")
    return list(array({"1": "B", "2": "H", "4": "I"}[size], b64decode(content))) if numbers else []


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
