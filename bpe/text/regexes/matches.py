"""Matches: where a pattern that somebody typed, or that a file brings, matches a text.

Such a pattern can take much time and memory. The time is limited here. An app that has many users can let another
process search, which it can bound and end: `search_with`.
"""

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import regex

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.symbols import BPEError
from bpe.text.regexes import patterns

PART = 1 << 14  # matches between two checkpoints


@dataclass(frozen=True, slots=True)
class Spans:
    """Where a pattern matches a text: three numbers for each match, and no object that keeps its groups.

    A million matches take 12 MB. As objects of `regex` they take 200 MB, and far more with capturing groups.
    """

    numbers: "array[int]"  # start, end, number of the last group that matched (0: none), start, end, ...

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of every match, empty ones included."""
        return iter(with_checkpoints(zip(self.numbers[::3], self.numbers[1::3], strict=True), PART))

    @property
    def last_groups(self) -> "array[int]":
        """The number of the last group of every match, 0 without one."""
        return self.numbers[2::3]

    def texts(self, text: str) -> list[str]:
        """Return what was matched, without empty matches."""
        return [text[start:end] for start, end in self if start < end]


Search = Callable[["regex.Pattern[str]", str, float], Spans]


def find_matches(pattern: "regex.Pattern[str]", text: str, seconds: float = patterns.TIME_LIMIT) -> Spans:
    """Return every match. Raises BPEError if the search takes more than so many seconds or runs out of memory."""
    try:
        return _searches[-1](pattern, text, seconds)
    except TimeoutError:
        raise BPEError(
            f"The pattern took more than {seconds:g} seconds on this text. "
            "Simplify it (nested repeats such as (a+)+ are slow), or use a shorter text."
        ) from None
    except (MemoryError, RecursionError) as error:
        if isinstance(error, BPEError):  # it says more
            raise
        raise BPEError(
            "The pattern used too much memory on this text. Use non-capturing groups, (?:…), or a shorter text."
        ) from None


def search_here(pattern: "regex.Pattern[str]", text: str, seconds: float) -> Spans:
    """Return every match. Raises TimeoutError if the search takes longer than so many seconds, and MemoryError."""
    return patterns.call_with_time_limit(partial(_spans, pattern, text), seconds)


def search_with(search: Search) -> None:
    """Let this function do all searches of this process from now on, as `search_here` does them."""
    _searches[-1] = search


_searches: list[Search] = [search_here]


def _spans(pattern: "regex.Pattern[str]", text: str, **options: Any) -> Spans:
    numbers = array("I")
    for number, match in enumerate(pattern.finditer(text, **options)):
        if not number % PART:
            checkpoint()
        numbers.extend((*match.span(), match.lastindex or 0))
    return Spans(numbers)
