r"""Patterns for JavaScript: a pattern of the package `regex`, written so that JavaScript finds the same matches.

Three things differ. JavaScript has no possessive repeats: a greedy one must give the same matches, because nothing
after it can match what it would give back. (A lookahead with a back reference would do for every repeat, but WebKit
matches it differently.) Not every browser knows `(?i:…)`: each letter becomes the set of characters that `regex` finds
for it. And `\s` means other characters there, and `\p{L}` those of another version of Unicode: white space is written
out, and a class of Unicode stays as `\p{L}` for the page to replace by a table that Python wrote
(film/live/character_table.py).
"""

from functools import cache

import regex

from film.live.character_table import every_character

__all__ = ["PatternError", "js_pattern", "unicode_classes"]

_ESCAPES = {"r": "\r", "n": "\n", "t": "\t", "f": "\f", "v": "\v"}
_CLASS = regex.compile(r"\\p\{(\w+)\}")
_QUANTIFIER = regex.compile(r"[?*+]|\{\d*(?:,\d*)?\}")
_GROUP = regex.compile(r"\(\?(:|i:|=|!)")
_FAR = "\U00040000\U000f0000"  # one character of each kind of plane that `every_character` leaves out
_ONE = regex.compile(r"\w|\\u\{[0-9a-f]+\}")


class PatternError(ValueError):
    """The error for a pattern that this module cannot write for JavaScript."""


def js_pattern(pattern: str) -> str:
    r"""Return the pattern in JavaScript's syntax with the flag u, except that the page must replace each `\p{…}`.

    >>> print(js_pattern(r"'(?i:ll)| ?\p{L}++"))
    \u{27}(?:[Ll][Ll])|\u{20}?[\p{L}]+

    Raises PatternError for a part that it does not know.
    """
    reader = _Reader(pattern)
    written = reader.alternatives()
    if reader.at < len(pattern):
        raise PatternError(f"cannot write {pattern[reader.at :]!r} for JavaScript")
    return written


def unicode_classes(pattern: str) -> list[str]:
    r"""Return the names of the classes that a page must replace in a pattern.

    >>> unicode_classes(r" ?[^\s\p{L}\p{N}]+")
    ['L', 'N']
    """
    return sorted(set(_CLASS.findall(pattern)))


class _Reader:
    """A pattern, and how far it has been read."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.folds = False  # inside (?i:…)
        self.depth = 0  # groups around this part

    def alternatives(self) -> str:
        """Read up to the end of a group and return it."""
        branches = [self._sequence()]
        while self._take("|"):
            branches.append(self._sequence())
        return "|".join(branches)

    def _sequence(self) -> str:
        parts: list[str] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            parts.append(self._repeated())
        return "".join(parts)

    def _repeated(self) -> str:
        start = self.at
        atom = self._atom()
        source = self.pattern[start : self.at]
        match = _QUANTIFIER.match(self.pattern, self.at)
        if not match:
            return atom
        self.at = match.end()
        if not self._take("+"):
            return f"{atom}{match[0]}{'?' if self._take('?') else ''}"
        if self.folds or not self._wants_nothing_back(source):
            raise PatternError(f"cannot write the possessive repeat of {source!r} for JavaScript")
        return f"{atom}{match[0]}"

    def _wants_nothing_back(self, repeated: str) -> bool:
        """Return whether what follows matches without a character that a repeat of this set would give back.

        What follows is optional up to the pattern's end, so it matches at once, or begins with a character that is not
        in the set.
        """
        ahead = _Reader(self.pattern)
        ahead.at = start = self.at
        while ahead.at < len(self.pattern) and self.pattern[ahead.at] not in "|)":
            first = ahead.at
            ahead._atom()
            following = self.pattern[first : ahead.at]
            match = _QUANTIFIER.match(self.pattern, ahead.at)
            if not match or match[0] not in ("?", "*"):
                is_next = first == start and "(" not in (repeated[0], following[0])
                return is_next and not regex.search(f"(?={repeated}){following}", every_character() + _FAR)
            ahead.at = match.end()
            ahead.at += self.pattern[ahead.at : ahead.at + 1] in ("+", "?")
        return self.depth == 0

    def _atom(self) -> str:
        character = self.pattern[self.at]
        if group := _GROUP.match(self.pattern, self.at):
            return self._group(group[1], group.end())
        if character == "[":
            return self._set()
        if self._take("\\S"):
            return f"[^{_white_space()}]"
        if character == "\\" or character not in "^$.?*+(){}":
            members = self._member()
            return members if _ONE.fullmatch(members) else f"[{members}]"
        raise PatternError(f"cannot write {self.pattern[self.at :]!r} for JavaScript")

    def _group(self, kind: str, end: int) -> str:
        self.at = end
        folded, self.folds = self.folds, self.folds or kind == "i:"
        self.depth += 1
        inside = self.alternatives()
        self.depth -= 1
        self.folds = folded
        if not self._take(")"):
            raise PatternError("a group has no end")
        return f"(?{':' if kind == 'i:' else kind}{inside})"

    def _set(self) -> str:
        self.at += 1
        members = "^" if self._take("^") else ""
        while not self._take("]"):
            if self.at >= len(self.pattern) or self.pattern[self.at] == "[":
                raise PatternError("cannot write a set inside a set for JavaScript")
            first = self._member()
            if self.pattern[self.at : self.at + 1] == "-" and self.pattern[self.at + 1 : self.at + 2] != "]":
                if self.folds or not _ONE.fullmatch(first):
                    raise PatternError("cannot write this range for JavaScript")
                self.at += 1
                first += f"-{self._member()}"
            members += first
        return f"[{members}]"

    def _member(self) -> str:
        """Read one character or class, as a member of a set."""
        character = self.pattern[self.at]
        if character != "\\":
            self.at += 1
            return self._literal(character)
        if named := _CLASS.match(self.pattern, self.at):
            if self.folds and named[1] not in ("L", "N", "M"):
                raise PatternError(f"cannot write {named[0]} without regard to case for JavaScript")
            self.at = named.end()
            return named[0]
        escaped = self.pattern[self.at + 1 : self.at + 2]
        self.at += 2
        if escaped == "s":
            return _white_space()
        if escaped in _ESCAPES or (escaped and not escaped.isalnum()):
            return self._literal(_ESCAPES.get(escaped, escaped))
        raise PatternError(f"cannot write \\{escaped} for JavaScript")

    def _literal(self, character: str) -> str:
        if not self.folds:
            return _written(character)
        folded = regex.findall(f"(?i:{regex.escape(character)})", _letters())
        return "".join(map(_written, folded)) or _written(character)

    def _take(self, text: str) -> bool:
        is_next = self.pattern.startswith(text, self.at)
        self.at += len(text) * is_next
        return is_next


@cache
def _letters() -> str:
    """Return the characters that can equal an ASCII letter without regard to case."""
    return "".join(regex.findall("(?i:[a-z])", every_character()))


@cache
def _white_space() -> str:
    """Return the white space of `regex`, as members of a set."""
    runs = (match.group() for match in regex.finditer(r"\s+", every_character()))
    return "".join(
        _escaped(run[0]) if len(run) == 1 else f"{_escaped(run[0])}-{_escaped(run[-1])}" for run in runs
    )


def _written(character: str) -> str:
    return character if character.isascii() and character.isalnum() else _escaped(character)


def _escaped(character: str) -> str:
    return f"\\u{{{ord(character):x}}}"
