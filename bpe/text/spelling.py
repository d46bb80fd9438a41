"""Spelling: the functions variants are made of. Text -> pre-tokens, pre-token -> word, symbols -> text."""

import re
from collections.abc import Iterable

from bpe.symbols import END_OF_WORD, START_OF_WORD, Symbol, Word

_EVERY_BYTE: tuple[Symbol, ...] = tuple(bytes([value]) for value in range(256))


def characters(pre_token: str) -> Word:
    """Each character a symbol."""
    return tuple(character.encode() for character in pre_token)


def characters_then_marker(pre_token: str) -> Word:
    """Each character a symbol, then the end of word as one of its own."""
    return (*characters(pre_token), END_OF_WORD)


def last_character_marked(pre_token: str) -> Word:
    """Each character a symbol, the last one carrying the end of word."""
    symbols = characters(pre_token)
    return (*symbols[:-1], symbols[-1] + END_OF_WORD) if symbols else ()


def marker_then_characters(pre_token: str) -> Word:
    """A leading space as the start of word, then each character a symbol."""
    if pre_token.startswith(" "):
        return (START_OF_WORD, *characters(pre_token[1:]))
    return characters(pre_token)


def utf8_bytes(pre_token: str) -> Word:
    """Each UTF-8 byte a symbol."""
    return tuple(map(_EVERY_BYTE.__getitem__, pre_token.encode()))


def lines_at_spaces(text: str) -> list[str]:
    """Words between plain spaces, line by line, as subword-nmt reads a file."""
    lines = (line.strip("\r\n ") for line in text.split("\n"))  # subword-nmt, learn_bpe.get_vocabulary
    return [word for line in lines for word in line.split(" ") if word]


def before_spaces(text: str) -> list[str]:
    """A cut before every space, one put in front if the text has none there."""
    if text and not text.startswith(" "):
        text = " " + text
    return re.findall(" [^ ]*", text)


def whole(text: str) -> list[str]:
    """The text in one piece; none for an empty text."""
    return [text] if text else []


def join(symbols: Iterable[Symbol]) -> str:
    """The bytes as text."""
    return b"".join(symbols).decode("utf-8", "replace")


def join_words_ended(symbols: Iterable[Symbol]) -> str:
    """The bytes as text, each end of word as a space but for the last."""
    return b"".join(symbols).replace(END_OF_WORD, b" ").decode("utf-8", "replace").removesuffix(" ")


def join_words_started(symbols: Iterable[Symbol]) -> str:
    """The bytes as text, each start of word as a space but for the first."""
    return b"".join(symbols).replace(START_OF_WORD, b" ").decode("utf-8", "replace").removeprefix(" ")
