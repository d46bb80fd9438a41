r"""Shared patterns: regular expressions of other libraries' files, and what they mean to the package `regex`.

Hugging Face's tokenizers reads the patterns in its files with Oniguruma. The two agree on literals, \s, \p{L}, plain
sets, groups, look-around and most repeats. Letters in any case and sets in sets are translated. What else differs is
refused: `$`, for example, ends a line in Oniguruma, and {1,3}+ is possessive in `regex` only. `shared_syntax` lists
every construct of both.

Source: Oniguruma, doc/RE and doc/SYNTAX.md.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from bpe.checks import shortened_repr
from bpe.formats.shared_patterns.shared_sets import (
    CONTROL,
    KIND,
    PROPERTY,
    SIGN,
    character,
    folds_to_one,
    in_any_case,
    read_set,
)
from bpe.symbols import BPEError, Place
from bpe.text.patterns import MOST_GROUPS, compile_once, find_matches

MOST_CHARACTERS = 4_000
MOST_REPEATS = 1_000  # all numbers in braces, multiplied: a larger pattern takes too much memory to compile

LOOKS = {"(?=", "(?!", "(?<=", "(?<!"}
_REPEAT = r"(?:[*+?][+?]?|\{(?:\d+,?\d*|,\d+)\}(?![+?]))"
# What both read the same, as a part of a pattern
_SAME = re.compile(
    rf"(?P<same>{PROPERTY}|{KIND})|(?P<literal>{CONTROL}|{SIGN}|[^\\\[\](){{}}*+?|.^$])"
    rf"|(?P<group>\((?!\?)|\(\?(?:[:=!>]|<[=!]))|(?P<any_case>\(\?i:)|(?P<end>\))|(?P<sign>[|.])|(?P<repeat>{_REPEAT})",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Group:
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
    if len(pattern) > MOST_CHARACTERS:
        raise BPEError(f"expected a pattern of at most {MOST_CHARACTERS:,} characters.", *place)
    translated = translate(pattern, place)
    repeats = 1
    for number in re.findall(r"(\d+)\}", pattern):
        repeats *= max(int(number[:9]), 1)
    if repeats > MOST_REPEATS:
        raise BPEError(f"expected repeats of at most {MOST_REPEATS:,} in all, got {repeats:,}.", *place)
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
    position, groups = 0, [Group()]  # those that are open
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


def _part(pattern: str, position: int, groups: "list[Group]", *, looked: bool) -> tuple[str, int]:
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
        behind, looks = match["group"].startswith("(?<"), match["group"] in LOOKS
        groups.append(Group(group.any_case, group.behind or behind, looks, match["group"] == "(?="))
    elif match["any_case"]:
        groups.append(Group(True, group.behind))
        part = "(?:"
    elif match["end"] and len(groups) > 1:
        groups.pop()
    elif match["literal"] and group.any_case:
        cases = in_any_case(part)
        part = f"[{cases}]" if cases != part else part
    return part, match.end()


def _followed(letters: str, part: str, any_case: bool) -> str:
    """Return the letters in any case so far. Raises BPEError if several of them are one character elsewhere."""
    if not any_case or part in ("(?i:", "(?:", ")"):
        return letters
    literal = _SAME.fullmatch(part)
    letters = letters + character(part) if literal and literal["literal"] else ""
    if folds_to_one(letters):
        raise BPEError
    return letters


def compile_literal(text: str) -> "regex.Pattern[str]":
    """Return a pattern that matches exactly this text."""
    return regex.compile(regex.escape(text))
