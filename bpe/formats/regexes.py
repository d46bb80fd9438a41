r"""Shared patterns: regular expressions of other libraries' files, and what they mean to the package `regex`.

Hugging Face's tokenizers reads the patterns in its files with Oniguruma. The two agree on literals, \s, \p{L}, plain
sets, groups, look-around and most repeats. Letters in any case and sets in sets are translated. What else differs is
refused: `$`, for example, ends a line in Oniguruma, and {1,3}+ is possessive in `regex` only. The table CONSTRUCTS in
`tests/bpe/formats/test_regexes.py` lists every construct of both.

Source: Oniguruma, doc/RE and doc/SYNTAX.md.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import regex

from bpe.checks import shortened_repr
from bpe.settings.pieces import SCRIPTS
from bpe.symbols import BPEError, Place
from bpe.text.patterns import MOST_GROUPS, compile_once, find_matches

# Sets of a shared pattern: read as Oniguruma reads them, and written so that `regex` reads the same.
#
# Oniguruma has sets in sets, their union and their intersection, which `regex` reads only in its version 1,
# where other parts change their meaning. So they are written with look-ahead:
#
#     [\p{L}&&[^a]]   ->   (?:(?=[\p{L}])[^a])
#     [^x[yz]]        ->   [^xyz]
#     [^x[^yz]]       ->   (?:(?![^yz])[^x])

# General categories, such as L and Lu, and scripts
_PROPERTY = rf"\\[pP]\{{\^?(?:[LMNPSZC][a-z]?|{'|'.join(SCRIPTS)})\}}"
_KIND = r"\\[sSdD]"  # of characters
_CONTROL = r"\\[rntf]"
_SIGN = r"\\[^\w\s]"  # an escaped one stands for itself
_ONE = rf"(?:{_CONTROL}|{_SIGN}|&(?!&)|[^\\\[\]&-])"
_ITEM = re.compile(
    rf"(?P<kind>{_PROPERTY}|{_KIND})|(?P<first>{_ONE})-(?P<last>{_ONE})(?!-)|(?P<one>{_ONE})", re.DOTALL
)
_CHARACTERS = {r"\r": "\r", r"\n": "\n", r"\t": "\t", r"\f": "\f"}
_ANY = r"[\s\S]"
_MOST_NESTED = 5


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
    if depth == _MOST_NESTED or pattern.startswith("[:", start):
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
        return f"(?:{''.join(f'(?!{one})' for one in inner)}{f'[^{items}]' if items else _ANY})"
    unions = [_union(items, inner) for items, inner in parts]
    both = "".join(f"(?={union})" for union in unions[:-1]) + unions[-1]
    return f"(?:(?!{both}){_ANY})" if negated else f"(?:{both})"


def _union(items: str, inner: list[str]) -> str:
    sets = [*([f"[{items}]"] if items else ()), *inner]
    return sets[0] if len(sets) == 1 else f"(?:{'|'.join(sets)})"


def _written(item: "re.Match[str]", any_case: bool) -> str:
    if item["kind"]:
        if any_case and item["kind"][1] not in "sSdD":
            raise BPEError  # the two disagree on which letters have another case
        return item["kind"]
    if item["one"]:
        return _in_any_case(item["one"]) if any_case else _literal(_character(item["one"]))
    first, last = _character(item["first"]), _character(item["last"])
    if any_case:
        if first > last or last > "\x7f":
            raise BPEError
        return "".join(_in_any_case(chr(number)) for number in range(ord(first), ord(last) + 1))
    return f"{_literal(first)}-{_literal(last)}"


def _character(spelled: str) -> str:
    r"""Return the character that one part of a pattern stands for, such as "a", "\n" or "\."."""
    return _CHARACTERS.get(spelled, spelled[-1])


def _in_any_case(spelled: str) -> str:
    """Return a character in all its cases, for a set. Raises BPEError if one of them is several characters.

    >>> _in_any_case("k"), _in_any_case("1")
    ('Kk\u212a', '1')
    """
    one = _character(spelled)
    folded = one.casefold()
    if len(folded) > 1 or one in "ıİ":  # only Turkish pairs those with i and I
        raise BPEError
    return "".join(map(_literal, _cases().get(folded, one)))


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


_MOST_CHARACTERS = 4_000
_MOST_REPEATS = 1_000  # all numbers in braces, multiplied: a larger pattern takes too much memory to compile

_LOOKS = {"(?=", "(?!", "(?<=", "(?<!"}
_REPEAT = r"(?:[*+?][+?]?|\{(?:\d+,?\d*|,\d+)\}(?![+?]))"
# What both read the same, as a part of a pattern
_SAME = re.compile(
    rf"(?P<same>{_PROPERTY}|{_KIND})|(?P<literal>{_CONTROL}|{_SIGN}|[^\\\[\](){{}}*+?|.^$])"
    rf"|(?P<group>\((?!\?)|\(\?(?:[:=!>]|<[=!]))|(?P<any_case>\(\?i:)|(?P<end>\))|(?P<sign>[|.])|(?P<repeat>{_REPEAT})",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of a pattern that is open, or the whole pattern."""

    any_case: bool = False  # whether it matches letters in any case
    behind: bool = False  # whether it looks at what comes before
    looks: bool = False  # whether it looks at what comes before or after it, and matches none of that
    ahead: bool = False  # whether it looks at what must come after it


def compile_shared(pattern: str, place: Place) -> "regex.Pattern[str]":
    r"""Return the compiled pattern. Raises BPEError, with its place, if Oniguruma may read it differently.

    >>> compile_shared(r"\p{L}+|\s+(?!\S)", ("", "the file")).findall("ab  c")
    ['ab', ' ', 'c']
    """
    if len(pattern) > _MOST_CHARACTERS:
        raise BPEError(f"expected a pattern of at most {_MOST_CHARACTERS:,} characters.", *place)
    translated = translate(pattern, place)
    repeats = 1
    for number in re.findall(r"(\d+)\}", pattern):
        repeats *= max(int(number[:9]), 1)
    if repeats > _MOST_REPEATS:
        raise BPEError(f"expected repeats of at most {_MOST_REPEATS:,} in all, got {repeats:,}.", *place)
    try:
        compiled = compile_once(translated)
    except (regex.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise BPEError(f"the pattern does not compile: {error}.", *place) from None
    if compiled.groups > MOST_GROUPS:
        raise BPEError(
            f"expected a pattern of at most {MOST_GROUPS} capturing groups, got {compiled.groups}.", *place
        )
    return compiled


def shared_matches(pattern: "regex.Pattern[str]", text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of every match.

    Raises BPEError where a match of nothing comes before a match at the same position: Oniguruma goes on after it.
    """
    before = -1  # where nothing was matched last
    for start, end in find_matches(pattern, text):
        if start == before and end > start:
            raise BPEError(
                f"{shortened_repr(pattern.pattern)} matches nothing where it could match {text[start:end][:20]!r}: "
                "other libraries may read this differently; it is not supported."
            )
        before = start if start == end else -1
        yield start, end


def translate(pattern: str, place: Place) -> str:
    r"""Return the pattern that means to `regex` what this one means to Oniguruma. Raises BPEError as `compile_shared`.

    >>> translate(r"(?i:'s)|[a[^b]]", ("", "the file"))
    "(?:'[Ssſ])|(?:(?:[a]|[^b]))"
    """
    parts: list[str] = []
    position, groups = 0, [_Group()]  # those that are open
    letters = ""  # in any case, one after the other
    looked = False  # whether a group that looks has just ended
    ahead = False  # whether nothing was matched since a group that looks at what must come after it
    while position < len(pattern):
        start, group, depth = position, groups[-1], len(groups)
        try:
            # Oniguruma may search for `.+` after it at begins of lines only.
            if ahead and pattern[start] == ".":
                raise BPEError
            part, position = _part(pattern, position, groups, looked=looked)
            has_ended = len(groups) < depth
            looked = group.looks and has_ended
            ahead = (group.ahead and has_ended) or (ahead and pattern[start] in "()")
            letters = _followed(letters, pattern[start:position], groups[-1].any_case)
        except BPEError:
            raise BPEError(
                f"the pattern has {pattern[start : start + 8]!r} at position {start}, "
                "which other libraries may read differently; it is not supported.",
                *place,
            ) from None
        parts.append(part)
    return "".join(parts)


def _part(pattern: str, position: int, groups: "list[_Group]", *, looked: bool) -> tuple[str, int]:
    """Return the next part, translated, and where it ends. Raises BPEError if it is not supported."""
    group = groups[-1]
    if pattern[position] == "[":
        return read_set(pattern, position, any_case=group.any_case)
    match = _SAME.match(pattern, position)
    if match is None or (match["same"] and group.any_case and match["same"][1] not in "sSdD"):
        raise BPEError
    if match["repeat"] and (
        group.behind or looked
    ):  # Oniguruma looks for fewer lengths, and for no look twice
        raise BPEError
    part = match[0]
    if match["group"]:
        behind, looks = match["group"].startswith("(?<"), match["group"] in _LOOKS
        groups.append(_Group(group.any_case, group.behind or behind, looks, match["group"] == "(?="))
    elif match["any_case"]:
        groups.append(_Group(True, group.behind))
        part = "(?:"
    elif match["end"] and len(groups) > 1:
        groups.pop()
    elif match["literal"] and group.any_case:
        cases = _in_any_case(part)
        part = f"[{cases}]" if cases != part else part
    return part, match.end()


def _followed(letters: str, part: str, any_case: bool) -> str:
    """Return the letters in any case so far. Raises BPEError if several of them are one character elsewhere."""
    if not any_case or part in ("(?i:", "(?:", ")"):
        return letters
    literal = _SAME.fullmatch(part)
    letters = letters + _character(part) if literal and literal["literal"] else ""
    if any(several in letters.casefold() for several in _several()):  # as ss is ß
        raise BPEError
    return letters


def compile_literal(text: str) -> "regex.Pattern[str]":
    """Return a pattern that matches exactly this text."""
    return regex.compile(regex.escape(text))
