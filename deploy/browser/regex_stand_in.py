r"""The part of the package `regex` that the core needs, for Pyodide, where that package may be missing.

It turns `\p{L}` and its like into the characters that Python's own tables list, and leaves the rest to `re`. A pattern
that needs more, such as `\X`, is refused. Python's and `regex`'s versions of Unicode may differ in new characters.
"""

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any

error = re.error
escape = re.escape
Match = re.Match
VERBOSE = re.VERBOSE
REVERSE = 0  # no pattern of `re` searches backwards
__version__ = "stand-in"

# Characters that `regex` takes for white space; `re` adds U+001C to U+001F.
SPACE = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_ESCAPE = re.compile(r"\\(?:[pP]\{(\^?)([^}]*)\}|(.))|(\[\^?|\])", re.DOTALL)
_CATEGORY = re.compile(r"[CLMNPSZ][a-z]?")


class Pattern:
    """A compiled pattern, with the arguments that `regex` takes besides those of `re`."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self._pattern = re.compile(translated(pattern), flags)
        self.flags, self.groups = self._pattern.flags, self._pattern.groups

    def findall(
        self, text: str, *, concurrent: bool | None = None, timeout: float | None = None
    ) -> list[Any]:
        """Return all matches. No other thread runs, and no time limit can be kept."""
        return self._pattern.findall(text)

    def finditer(
        self, text: str, *, concurrent: bool | None = None, timeout: float | None = None
    ) -> "Iterator[re.Match[str]]":
        """Yield all matches, as `findall` does."""
        return self._pattern.finditer(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pattern, name)


def compile(pattern: str, flags: int = 0) -> Pattern:
    """Return the compiled pattern. Raises `error` for one that needs the package itself."""
    return Pattern(pattern, flags)


def findall(pattern: str, text: str) -> list[Any]:
    """Return all matches of a pattern."""
    return _compiled(pattern).findall(text)


def fullmatch(pattern: str, text: str) -> "re.Match[str] | None":
    """Return the match of the whole text, if there is one."""
    return re.fullmatch(translated(pattern), text)


def search(pattern: str, text: str) -> "re.Match[str] | None":
    """Return the first match."""
    return re.search(translated(pattern), text)


def split(pattern: str, text: str) -> list[str | Any]:
    """Return the text between the matches."""
    return re.split(translated(pattern), text)


def translated(pattern: str) -> str:
    r"""Return a pattern for `re` that matches the same.

    >>> translated(r"[^\s\d]+\S") == rf"[^{SPACE}\d]+[^{SPACE}]"
    True
    """
    inside = False  # a class
    parts: list[str] = []
    end = 0
    for match in _ESCAPE.finditer(pattern):
        parts.append(pattern[end : match.start()])
        end = match.end()
        negated, name, letter, bracket = match.groups()
        if bracket:
            is_first = inside and parts[-1] == "" and len(parts) > 1 and parts[-2] in ("[", "[^")
            parts.append(bracket if bracket == "]" or not inside else "\\" + bracket)
            inside = inside if is_first else bracket != "]"
            continue
        if name is not None:
            is_negative = (match[0][1] == "P") != (negated == "^")
            parts.append(_class(_ranges(name), is_negative, inside, match[0]))
        elif letter in "sS":
            parts.append(_class(SPACE, letter == "S", inside, match[0]))
        elif letter in "XRKGhHLmM":
            raise error(f"{match[0]} needs the package regex, which this page does not have")
        else:
            parts.append(match[0])
    return "".join(parts) + pattern[end:]


def _class(ranges: str, is_negative: bool, inside: bool, written: str) -> str:
    if not inside:
        return f"[{'^' * is_negative}{ranges}]"
    if is_negative:
        raise error(f"{written} inside [...] needs the package regex, which this page does not have")
    return ranges


@cache
def _compiled(pattern: str) -> Pattern:
    return compile(pattern)


@cache
def _ranges(name: str) -> str:
    """Return the characters of a general category, such as L or Nd, as ranges of a class."""
    if name == "White_Space":
        return SPACE
    if not _CATEGORY.fullmatch(name):
        raise error(f"\\p{{{name}}} needs the package regex, which this page does not have")
    ranges: list[str] = []
    start = 0
    for belongs, run in groupby(_categories(), key=lambda category: category.startswith(name)):
        end = start + sum(1 for _ in run)
        if belongs:
            ranges.append(f"\\U{start:08x}-\\U{end - 1:08x}")
        start = end
    if not ranges:
        raise error(f"there is no category {name}")
    return "".join(ranges)


@cache
def _categories() -> list[str]:
    return [unicodedata.category(chr(code)) for code in range(sys.maxunicode + 1)]
