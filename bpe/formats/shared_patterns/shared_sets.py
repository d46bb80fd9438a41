r"""Sets of a shared pattern: read as Oniguruma reads them, and written so that `regex` reads the same.

Oniguruma has sets in sets, their union and their intersection, which `regex` reads only in its version 1, where other
parts change their meaning. So they are written with look-ahead:

    [\p{L}&&[^a]]   ->   (?:(?=[\p{L}])[^a])
    [^x[yz]]        ->   [^xyz]
    [^x[^yz]]       ->   (?:(?![^yz])[^x])
"""

import re
from collections.abc import Iterator
from functools import cache

from bpe.settings.pieces import SCRIPTS
from bpe.symbols import BPEError

# General categories, such as L and Lu, and scripts
PROPERTY = rf"\\[pP]\{{\^?(?:[LMNPSZC][a-z]?|{'|'.join(SCRIPTS)})\}}"
KIND = r"\\[sSdD]"  # of characters
CONTROL = r"\\[rntf]"
SIGN = r"\\[^\w\s]"  # an escaped one stands for itself
_ONE = rf"(?:{CONTROL}|{SIGN}|&(?!&)|[^\\\[\]&-])"
_ITEM = re.compile(
    rf"(?P<kind>{PROPERTY}|{KIND})|(?P<first>{_ONE})-(?P<last>{_ONE})(?!-)|(?P<one>{_ONE})", re.DOTALL
)
_CHARACTERS = {r"\r": "\r", r"\n": "\n", r"\t": "\t", r"\f": "\f"}
ANY = r"[\s\S]"
MOST_NESTED = 5


def read_set(pattern: str, start: int, *, any_case: bool) -> tuple[str, int]:
    r"""Return what `regex` reads as the set that begins at a position, and where the set ends.

    Raises BPEError, without a sentence, for a set that is not supported.

    >>> read_set(r"[a-z&&[^x]]+", 0, any_case=False)
    ('(?:(?=[a-z])[^x])', 11)
    """
    return _read_set(pattern, start, any_case, 0)


def _read_set(pattern: str, start: int, any_case: bool, depth: int) -> tuple[str, int]:
    if any_case and depth:  # Oniguruma looks for other cases before it takes the complement
        raise BPEError
    if depth == MOST_NESTED or pattern.startswith("[:", start):
        raise BPEError
    position = start + 1
    negated = pattern.startswith("^", position)
    position += negated
    parts: list[tuple[str, list[str]]] = []  # of an intersection: the plain items, and the sets in it
    items, inner = "", list[str]()
    if pattern.startswith("-", position) and not pattern.startswith("--", position):
        items, position = r"\-", position + 1
    while not pattern.startswith("]", position):
        if pattern.startswith("[", position):
            one, position = _read_set(pattern, position, any_case, depth + 1)
            if one.startswith("[") and not one.startswith("[^"):  # plain: it is faster in one set
                items += one[1:-1]
            else:
                inner.append(one)
        elif pattern.startswith("&&", position):
            parts.append((items, inner))
            items, inner, position = "", [], position + 2
        elif pattern.startswith("-]", position):
            items, position = items + r"\-", position + 1
        else:
            item = _ITEM.match(pattern, position)
            if item is None:
                raise BPEError
            items, position = items + _written(item, any_case), item.end()
    parts.append((items, inner))
    return _joined(parts, negated), position + 1


def _joined(parts: list[tuple[str, list[str]]], negated: bool) -> str:
    """Return the intersection of parts, each of which is a union of items and sets."""
    if not all(items or inner for items, inner in parts):
        raise BPEError
    if len(parts) == 1 and not parts[0][1]:
        return f"[{'^' if negated else ''}{parts[0][0]}]"
    if len(parts) == 1 and negated:
        items, inner = parts[0]
        return f"(?:{''.join(f'(?!{one})' for one in inner)}{f'[^{items}]' if items else ANY})"
    unions = [_union(items, inner) for items, inner in parts]
    both = "".join(f"(?={union})" for union in unions[:-1]) + unions[-1]
    return f"(?:(?!{both}){ANY})" if negated else f"(?:{both})"


def _union(items: str, inner: list[str]) -> str:
    sets = [*([f"[{items}]"] if items else ()), *inner]
    return sets[0] if len(sets) == 1 else f"(?:{'|'.join(sets)})"


def _written(item: "re.Match[str]", any_case: bool) -> str:
    if item["kind"]:
        if any_case and item["kind"][1] not in "sSdD":
            raise BPEError  # the two disagree on which letters have another case
        return item["kind"]
    if item["one"]:
        return in_any_case(item["one"]) if any_case else _literal(character(item["one"]))
    first, last = character(item["first"]), character(item["last"])
    if any_case:
        if first > last or last > "\x7f":
            raise BPEError
        return "".join(in_any_case(chr(number)) for number in range(ord(first), ord(last) + 1))
    return f"{_literal(first)}-{_literal(last)}"


def character(spelled: str) -> str:
    r"""Return the character that one part of a pattern stands for, such as "a", "\n" or "\."."""
    return _CHARACTERS.get(spelled, spelled[-1])


def in_any_case(spelled: str) -> str:
    """Return a character in all its cases, for a set. Raises BPEError if one of them is several characters.

    >>> in_any_case("k"), in_any_case("1")
    ('Kk\u212a', '1')
    """
    one = character(spelled)
    folded = one.casefold()
    if len(folded) > 1 or one in "ıİ":  # only Turkish pairs those with i and I
        raise BPEError
    return "".join(map(_literal, _cases().get(folded, one)))


def folds_to_one(text: str) -> bool:
    """Return whether a text without case holds what is one character elsewhere, as ss is ß."""
    return any(several in text.casefold() for several in _several())


def _literal(one: str) -> str:
    return re.escape(one) if one.isascii() else one


def _all() -> Iterator[str]:
    return (chr(number) for number in range(0x110000) if not 0xD800 <= number < 0xE000)


@cache
def _cases() -> dict[str, str]:
    """Return {character without case: all its cases}, where they are more than one."""
    cases: dict[str, str] = {}
    for one in _all():
        folded = one.casefold()
        if folded != one and len(folded) == 1:
            cases[folded] = cases.get(folded, folded) + one
    return {folded: "".join(sorted(ones)) for folded, ones in cases.items()}


@cache
def _several() -> frozenset[str]:
    return frozenset(folded for one in _all() if len(folded := one.casefold()) > 1)
