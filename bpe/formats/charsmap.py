"""Characters map: the table with which SentencePiece changes characters, as its files hold it, precompiled.

The table is a trie of byte strings in a double array, and behind it the replacements, each ended by a zero byte.
Sources: google/sentencepiece, src/normalizer.cc (PrecompileCharsMap); s-yata/darts-clone, include/darts.h.
"""

from array import array
from collections.abc import Callable, Iterator
from sys import byteorder

import regex

from bpe.symbols import BPEError, Place
from bpe.text.normalizing import Aligned, Normalizer

_LONGEST = 256  # bytes that one key may have

# (text, position) -> (replacement, number of characters it replaces), or None where nothing is replaced
_Replace = Callable[[str, int], tuple[str, int] | None]
_SHORT = 6  # bytes; a longer grapheme is looked up character by character


def replacements(charsmap: bytes, file: str) -> _Replace:
    """Return the function that looks up the longest key at a position of a text. Raises BPEError for a broken table."""
    place = (file, "normalizer_spec.precompiled_charsmap")
    units, text_at = _table(charsmap, place)
    ends = len(units)

    def longest(text: str, start: int) -> tuple[str, int] | None:
        position = _offset(units[0])
        key_end, value, read = start, -1, 0
        for at in range(start, len(text)):
            for byte in text[at].encode():
                position ^= byte
                read += 1
                if position >= ends or read > _LONGEST or units[position] & 0x8000_00FF != byte:
                    return (text_at(value), key_end - start) if value >= 0 else None
                unit = units[position]
                position ^= _offset(unit)
                if unit >> 8 & 1:
                    if position >= ends:
                        raise BPEError("the table points past its end.", *place)
                    value_here = units[position] & 0x7FFF_FFFF
                else:
                    value_here = -1
            if value_here >= 0:
                key_end, value = at + 1, value_here
        return (text_at(value), key_end - start) if value >= 0 else None

    return longest


def _first_replacement(charsmap: bytes, place: Place) -> Callable[[str], str | None]:
    """Return the function that replaces a text by what the shortest key at its beginning becomes; None without one.

    So Hugging Face's tokenizers reads the table (its crate spm_precompiled), not as SentencePiece does.
    """
    units, text_at = _table(charsmap, place)

    def first(text: str) -> str | None:
        position = _offset(units[0])
        for byte in text.encode():
            position ^= byte
            if position >= len(units) or units[position] & 0x8000_00FF != byte:
                return None
            unit = units[position]
            position ^= _offset(unit)
            if unit >> 8 & 1:
                if position >= len(units):
                    raise BPEError("the table points past its end.", *place)
                return text_at(units[position] & 0x7FFF_FFFF)
        return None

    return first


def plain_characters(charsmap: bytes) -> str:
    """Return the ASCII characters that begin no key which is one character long, or whose second one is ASCII too.

    A run of them stays as it is, but for the last one if a character beyond ASCII follows. Call `replacements` first:
    it checks the table.
    """
    units = array("I")
    units.frombytes(charsmap[4 : 4 + int.from_bytes(charsmap[:4], "little")])
    if byteorder == "big":
        units.byteswap()

    def child(position: int, byte: int) -> int | None:
        """Return the unit of a byte below a node, if there is one."""
        at = position ^ byte
        return at if at < len(units) and units[at] & 0x8000_00FF == byte else None

    plain = ""
    for byte in range(1, 0x80):
        at = child(_offset(units[0]), byte)
        if at is not None:
            below = at ^ _offset(units[at])
            if units[at] >> 8 & 1 or any(child(below, second) is not None for second in range(1, 0x80)):
                continue
        plain += chr(byte)
    return plain


def by_graphemes(charsmap: bytes, place: Place) -> Normalizer:
    """Return the normalizer that replaces graphemes or, where the table has none of them, characters."""
    pieces = _pieces_of(_first_replacement(charsmap, place))

    def apply(text: str, begins: int) -> str:
        return "".join(changed for _, changed in pieces(text))

    def align(text: str, begins: int) -> Aligned:
        origins, at = list[int](), 0
        for before, changed in pieces(text):
            origins += [at + min(number, len(before) - 1) for number in range(len(changed))]
            at += len(before)
        return apply(text, begins), [(start, start + 1) for start in origins]

    return Normalizer("SentencePiece's table of characters", apply, align)


def _table(charsmap: bytes, place: Place) -> tuple["array[int]", Callable[[int], str]]:
    """Return the units of the trie, and the function that reads the replacement at a byte."""
    size = int.from_bytes(charsmap[:4], "little")
    if size % 4 or not 4 <= size <= len(charsmap) - 4:
        raise BPEError(f"expected a table and replacements, got {len(charsmap):,} bytes.", *place)
    units = array("I")
    units.frombytes(charsmap[4 : 4 + size])
    if byteorder == "big":
        units.byteswap()
    texts = charsmap[4 + size :]

    def text_at(start: int) -> str:
        end = texts.find(b"\0", start)
        if end < 0:
            raise BPEError(f"a replacement at byte {start:,} does not end.", *place)
        return texts[start:end].decode("utf-8", "replace")

    return units, text_at


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


def _pieces_of(first: Callable[[str], str | None]) -> Callable[[str], Iterator[tuple[str, str]]]:
    """Return the function that yields (piece of a text, what it becomes)."""

    def pieces(text: str) -> Iterator[tuple[str, str]]:
        for match in regex.finditer(r"\X", text):
            grapheme = match.group()
            changed = first(grapheme) if len(grapheme.encode()) < _SHORT else None
            if changed is not None:
                yield grapheme, changed
                continue
            for character in grapheme:
                changed = first(character)
                yield character, character if changed is None else changed

    return pieces
