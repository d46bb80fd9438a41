"""The classes of all characters, for a page that trains: Python and `regex` know them, a browser may know others."""

from array import array
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from string import ascii_lowercase as lower
from string import ascii_uppercase, digits
from typing import TypedDict
from unicodedata import category

import regex

from bpe.text.display import INVISIBLE
from film.windows import GLYPHS, class_of


class LiveCharacters(TypedDict):
    """The classes of all characters."""

    runs: str  # lengths in base 36 (none for 1), each with the letter of its class: "9CD2C"
    classes: list[str]  # the names of each class, with spaces between; its letter counts from A
    spaces: str  # the characters at which str.split() splits
    names: dict[
        str, list[str]
    ]  # {invisible character: [abbreviation, name]}, but for variation selectors, which count


_END = 0x11_0000
# All characters but surrogates, which no text may hold, and planes that hold none: unassigned or for private use.
_INSIDE = (range(0xD800), range(0xE000, 0x4_0000), range(0xE_0000, 0xF_0000))
_EMPTY_PLANES = (range(0x4_0000, 0xE_0000), range(0xF_0000, _END))
_Span = tuple[int, int, str]  # first code point, the one after the last, class


def character_table(classes: Iterable[str]) -> LiveCharacters:
    r"""Return the table of some classes of Unicode, such as "L" for \p{L}, and of those that labels show changed.

    A character can belong to several classes. The names of the latter are keys of `film.feed.Characters`.
    """
    characters = _every_character()
    spans = [*_label_classes(characters), *((plane.start, plane.stop, "hidden") for plane in _EMPTY_PLANES)]
    for name in classes:
        runs = regex.finditer(rf"\p{{{name}}}+", characters)
        spans += [(ord(run[0][0]), ord(run[0][-1]) + 1, name) for run in runs]
    letters: dict[str, str] = {}  # {names of a class: its letter}
    lengths = [
        _base_36(length) + letters.setdefault(names, ascii_uppercase[len(letters)])
        for length, names in _runs(spans)
    ]
    return {
        "runs": "".join(lengths),
        "classes": list(letters),
        "spaces": "".join(filter(str.isspace, characters)),
        "names": {
            character: [short, name]
            for character, (short, name) in INVISIBLE.items()
            if not name.startswith("variation selector")
        },
    }


def _label_classes(characters: str) -> Iterator[_Span]:
    """Yield the spans of the characters that labels show changed."""
    # Characters of one category are of one class, except those with a name or a glyph.
    exceptions = sorted({*GLYPHS, *INVISIBLE})
    start = 0
    for _, group in groupby(map(category, characters)):
        end = start + sum(1 for _ in group)
        run = characters[start:end]
        borders = {0, len(run)}
        for exception in exceptions:
            if (at := run.find(exception)) >= 0:
                borders |= {at, at + 1}
        for one, other in pairwise(sorted(borders)):
            if name := class_of(run[one]):
                yield ord(run[one]), ord(run[other - 1]) + 1, name
        start = end


def _runs(spans: Iterable[_Span]) -> Iterator[tuple[int, str]]:
    """Yield (length, names of the classes) of all runs of characters of the same classes, from the first character."""
    changes: dict[int, list[str]] = {0: [], _END: []}
    for start, end, name in spans:
        changes.setdefault(start, []).append(name)
        changes.setdefault(end, []).append(name)
    names: set[str] = set()
    runs: list[tuple[int, str]] = []
    for start, end in pairwise(sorted(changes)):
        for name in changes[start]:  # twice where one span of a class follows another: it stays
            names ^= {name}
        runs.append((end - start, " ".join(sorted(names))))
    for joined, group in groupby(runs, lambda run: run[1]):
        yield sum(length for length, _ in group), joined


def _base_36(number: int) -> str:
    """Return a length in base 36, "" for 1."""
    if number == 1:
        return ""
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = (digits + lower)[digit] + text
    return text


def _every_character() -> str:
    """Return all characters in order, without the surrogates and the empty planes."""
    codes = array("I", (code for plane in _INSIDE for code in plane))
    return codes.tobytes().decode("utf-32")
