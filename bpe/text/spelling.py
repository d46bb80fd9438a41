"""Spelling: the functions that variants consist of. Text -> pre-tokens, pre-token -> word, symbols -> text."""

import re
from collections.abc import Iterable

from bpe.checkpoints import PART, with_checkpoints
from bpe.symbols import END_OF_WORD, START_OF_WORD, Symbol, Word

_EVERY_BYTE: tuple[Symbol, ...] = tuple(bytes([value]) for value in range(256))


def characters(pre_token: str) -> Word:
    """Return each character as a symbol."""
    short = len(pre_token) <= PART
    return tuple(map(str.encode, pre_token if short else with_checkpoints(pre_token)))


def characters_then_marker(pre_token: str) -> Word:
    """Return each character as a symbol, then the end-of-word marker as a symbol of its own."""
    return (*characters(pre_token), END_OF_WORD)


def last_character_marked(pre_token: str) -> Word:
    """Return each character as a symbol, the last one with the end-of-word marker attached."""
    symbols = characters(pre_token)
    return (*symbols[:-1], symbols[-1] + END_OF_WORD) if symbols else ()


def marker_then_characters(pre_token: str) -> Word:
    """Return a leading space as the start-of-word marker, then each character as a symbol."""
    if pre_token.startswith(" "):
        return (START_OF_WORD, *characters(pre_token[1:]))
    return characters(pre_token)


def utf8_bytes(pre_token: str) -> Word:
    """Return each UTF-8 byte as a symbol."""
    encoded = pre_token.encode()
    short = len(encoded) <= PART
    return tuple(map(_EVERY_BYTE.__getitem__, encoded if short else with_checkpoints(encoded)))


def lines_at_spaces(text: str) -> list[str]:
    """Split at plain spaces, line by line, as subword-nmt reads a file."""
    lines = (line.strip("\r\n ") for line in text.split("\n"))  # subword-nmt, learn_bpe.get_vocabulary
    return [word for line in lines for word in line.split(" ") if word]


def before_spaces(text: str) -> list[str]:
    """Split before every space, after adding a space in front of a text that does not begin with one."""
    if text and not text.startswith(" "):
        text = " " + text
    return re.findall(" [^ ]*", text)


def whole(text: str) -> list[str]:
    """Return the text as one pre-token; no pre-token for an empty text."""
    return [text] if text else []


def join(symbols: Iterable[Symbol]) -> str:
    """Return the bytes as text."""
    return b"".join(symbols).decode("utf-8", "replace")


def join_words_ended(symbols: Iterable[Symbol]) -> str:
    """Return the bytes as text, with a space for each end-of-word marker except the last."""
    return b"".join(symbols).replace(END_OF_WORD, b" ").decode("utf-8", "replace").removesuffix(" ")


def join_words_started(symbols: Iterable[Symbol]) -> str:
    """Return the bytes as text, with a space for each start-of-word marker except the first."""
    return b"".join(symbols).replace(START_OF_WORD, b" ").decode("utf-8", "replace").removeprefix(" ")
