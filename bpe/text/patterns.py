"""The patterns that split a text into pre-tokens: compiling them, their size, and how long a match may take."""

import re
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from math import prod
from typing import Any, TypeVar

import regex

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.checks import shortened_repr
from bpe.symbols import BPEError

# A pattern that calls itself without end takes up to 1 GB within seconds, and `regex` has no option that bounds it.
# No tokenizer splits text with group calls, so a typed pattern must not have any.
# How a call begins. In a class, in a comment or after a backslash, the same characters are no call. With the flag x,
# white space and comments may stand within it.
_BEGINS_A_CALL = re.compile(r"\(\?(?=R|[0-9]|[+-](?:\s|#.*\n)*[0-9]|&|P(?:\s|#.*\n)*[>&])")

# `regex` writes the least count of a repeat out when it compiles: `a{1000}` becomes a thousand parts of some 300
# bytes each, and repeats inside repeats multiply. So a short pattern can take all memory, before any time limit
# applies.
_MOST_PARTS = 10_000  # 3 to 7 MB when compiled
_PART = re.compile(
    r"(?P<comment>\(\?#[^)]*\)?)"
    r"|(?P<group>\((?:\?[^\s():=!>|]*[:=!>|])?)|(?P<end>\))"
    r"|\{(?P<count>\d+)(?:,\d*)?\}"
    r"|(?P<one>\[\^?\]?(?:\\.|[^\]\\])*\]?|\\.(?:\{[^\d}][^}]*\})?|.)",
    re.DOTALL,
)

# Modes and classes that change what a bracket or a space means: all counts of such a pattern are multiplied.
_OTHER_SYNTAX = re.compile(r"\(\?[a-zA-Z0-9]*(?:x|V1)|\[[^\]]*\[", re.DOTALL)
_COUNT = re.compile(r"\{([\d\s]*\d)[\d\s,]*\}")
_PLAIN_BRACES = re.compile(r"\{[\d\s,]*\}|\{[^\d\s#][^}#]*\}")

# A safe cut is a position where cutting the text in two changes no pre-token. Long files are counted and read in
# chunks that end at safe cuts. The patterns for safe cuts match the empty string there.
_Result = TypeVar("_Result")
TIME_LIMIT = 5.0  # seconds that a typed pattern may take on one text while other threads run
_EXCLUSIVE_TIME = 0.2  # seconds that a typed pattern may first run alone
MOST_GROUPS = 20  # capturing groups of a typed pattern
_LONG_TEXT = 1 << 18  # characters; splitting them takes some 20 ms

# openai/gpt-2, src/encoder.py
GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"

# karpathy/minbpe, minbpe/regex.py. tiktoken has rewritten cl100k_base since: today it splits white space at the end of
# a text otherwise.
GPT4_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]"
    r"|\s+(?!\S)|\s+"
)

# No pre-token of these two patterns continues from a non-space into white space, except GPT-4's punctuation, which
# takes the line ends after it. In a run of white space, only the last character can belong to the next pre-token, and
# only if it is a space; everything before that character is split the same with or without what follows. In GPT-4's
# pattern nothing continues from a line end to a letter or digit. `re` counts U+001C to U+001F as white space, `regex`
# does not. It follows that LAST_SPACE is a safe cut for both patterns.
GPT2_CUT = re.compile(r"(?= \S)|(?<=\S)(?=[^\S\x1c-\x1f])")
GPT4_CUT = re.compile(r"(?= \S)|(?<=[^\W_])(?=\s)|(?<=\n)(?=[^\W_])")
LAST_SPACE = re.compile(r" (?=\S)")
BEFORE_WHITE_SPACE = re.compile(r"(?<=\S)(?=\s)")  # for words between white space
BEFORE_LINE_END = re.compile(r"(?=\n)")  # for words line by line
BEFORE_SPACE = re.compile(r"(?= )")  # for words that begin with their space

# Known alternatives: those of the patterns of GPT-2, GPT-4, GPT-4o, Llama 3, Qwen and Tekken, and what each covers:
# letters, marks, numbers, white space and other characters. A match holds a space before another character only as its
# first character, and takes linear time. Where `\s+(?!\S)` comes before `\s+`, the last space of a run that a word
# follows is left to that word. So a pattern of such alternatives, which cover all characters, can be cut at LAST_SPACE.
_SPACES_BEFORE = r"\s+(?!\S)"
_SPACES = r"\s+"
_KNOWN_ALTERNATIVES = {
    **dict.fromkeys(("'s", "'t", "'re", "'ve", "'m", "'ll", "'d"), ""),
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)": "",
    r"'(?i:[sdmt]|ll|ve|re)": "",
    r" ?\p{L}+": "L",
    r"[^\r\n\p{L}\p{N}]?\p{L}+": "L",
    r"[^\r\n\p{L}\p{N}]?+\p{L}+": "L",
    **dict.fromkeys(
        (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+" + ending
            for ending in ("", "(?i:'s|'t|'re|'ve|'m|'ll|'d)?")
        ),
        "lM",
    ),
    **dict.fromkeys(
        (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*" + ending
            for ending in ("", "(?i:'s|'t|'re|'ve|'m|'ll|'d)?")
        ),
        "uM",
    ),
    **dict.fromkeys((r" ?\p{N}+", r"\p{N}", r"\p{N}{1,3}"), "N"),
    **dict.fromkeys(
        (
            rf" ?[^\s\p{{L}}\p{{N}}]{many}{line_ends}"
            for many in ("+", "++")
            for line_ends in ("", r"[\r\n]*", r"[\r\n/]*")
        ),
        "MO",
    ),
    **dict.fromkeys((r"\s*[\r\n]", r"\s*[\r\n]+", _SPACES_BEFORE), ""),
    _SPACES: "S",
}

# Further alternatives of the patterns of lessons, settings and second stages. Like those above, they have no groups
# that repeat and match one kind of character after another, so a search takes little memory on every text.
_SHIPPED_ALTERNATIVES = {
    *_KNOWN_ALTERNATIVES,
    *(r"\S+", r" ?\S+", r"\p{L}+", r"\p{N}+", r" ?\p{N}", r"[^\s\p{L}\p{N}]+", r"[\r\n]+", r" +(?!\S)"),
    *(r"[^.!?…。！？\r\n]+[.!?…。！？]*", r"[.!?…。！？]+", r" ?[^\s\p{L}\p{N}]{2,}[\r\n/]*"),
}

# Such a pattern can take much time and memory. The time is limited here. An app that has many users can let another
# process search, which it can bound and end: `search_with`.
PART = 1 << 14  # matches between two checkpoints


def splitter(pattern: str) -> Callable[[str], list[str]]:
    """Return a function from a text to the pattern's matches. The pattern must take linear time.

    `regex` releases Python's interpreter lock at every match. Next to a busy thread it then waits milliseconds to get
    the lock back, which makes it up to 75 times slower. So the lock is kept, except for a _LONG_TEXT.
    """
    find_all = regex.compile(pattern).findall

    def split(text: str) -> list[str]:
        return find_all(text, concurrent=None if len(text) > _LONG_TEXT else False)

    return split


def compile_typed(pattern: str) -> "regex.Pattern[str]":
    """Compile a pattern that somebody typed.

    Raises BPEError if it is wrong, has a group call, or is too large.
    """
    compiled = _compile_bounded(pattern)
    if compiled.groups > MOST_GROUPS:  # `regex` stores every repeat of each
        raise BPEError(
            f"The pattern may have at most {MOST_GROUPS} capturing groups, got {compiled.groups}: "
            "write (?:…) instead of (…)."
        )
    _check_calls(pattern)
    return compiled


@lru_cache(maxsize=8)
def compile_once(pattern: str) -> "regex.Pattern[str]":
    """Compile a pattern. The last ones are remembered: `regex` itself would remember 500, of up to 7 MB each."""
    return regex.compile(pattern, cache_pattern=False)


def call_with_time_limit(
    search: Callable[..., _Result], seconds: float, alone: float = _EXCLUSIVE_TIME
) -> _Result:
    """Return the result of `search(timeout=…, concurrent=…)`, a search with a pattern that may be slow.

    The first try keeps the interpreter lock, as `splitter` does, for at most `alone` seconds. The second try releases
    it. Raises TimeoutError if that takes longer than `seconds`.
    """
    with suppress(TimeoutError):
        return search(timeout=min(alone, seconds), concurrent=False)
    return search(timeout=seconds)


def cuts_before_spaces(pattern: str) -> bool:
    r"""Return whether a pattern consists of known alternatives: it takes linear time, and LAST_SPACE is a safe cut.

    Such a pattern matches all of every text.

    >>> cuts_before_spaces(GPT2_PATTERN), cuts_before_spaces(GPT4_PATTERN), cuts_before_spaces(r"\w+|\s+")
    (True, True, False)
    """
    try:
        parts = alternatives(pattern)
    except BPEError:
        return False
    if not _KNOWN_ALTERNATIVES.keys() >= {*parts} >= {_SPACES_BEFORE, _SPACES}:
        return False
    covered = "".join(map(_KNOWN_ALTERNATIVES.__getitem__, parts))
    letters = "L" in covered or {"l", "u"} <= {*covered}
    return letters and {*"MNSO"} <= {*covered} and parts.index(_SPACES_BEFORE) < parts.index(_SPACES)


@lru_cache(maxsize=64)
def takes_little_memory(pattern: str) -> bool:
    r"""Return whether a pattern consists of alternatives that ship with the project.

    A search with it takes little memory on every text.

    >>> takes_little_memory(r"\S+|\s+"), takes_little_memory(r"(\S+)|\s+")
    (True, False)
    """
    try:
        return {*alternatives(pattern)} <= _SHIPPED_ALTERNATIVES
    except BPEError:
        return False


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


def find_matches(pattern: "regex.Pattern[str]", text: str, seconds: float = TIME_LIMIT) -> Spans:
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
    return call_with_time_limit(partial(_spans, pattern, text), seconds)


_Search = Callable[["regex.Pattern[str]", str, float], Spans]


def search_with(search: _Search) -> None:
    """Make this function do all searches of this process from now on, in place of `search_here`."""
    _searches[-1] = search


def alternatives(pattern: str) -> list[str]:
    r"""Split a pattern at every `|` that is in no group, no set and not escaped.

    Raises BPEError for a pattern with capturing groups, since further groups would number them anew, or with the flag
    x, since a comment may hold a `|`.

    >>> alternatives(r"'s| ?\p{L}+|[|]|(?:a|b)|\|")
    ["'s", ' ?\\p{L}+', '[|]', '(?:a|b)', '\\|']
    """
    matcher = compile_typed(pattern)
    if matcher.groups or matcher.flags & regex.VERBOSE:
        raise BPEError(
            f"The pattern must have neither capturing groups nor the flag x, got {shortened_repr(pattern)}."
        )
    parts, depth, at = [""], 0, 0
    while at < len(pattern):
        end = _end_of_unit(pattern, at)
        unit = pattern[at:end]
        depth += {"(": 1, ")": -1}.get(unit, 0)
        if unit == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += unit
        at = end
    return parts


def matched_alternatives(pattern: str, text: str) -> list[tuple[str, int]]:
    r"""Return the pattern's pre-tokens in order, each with the number of the alternative that matched it, from 0.

    Raises BPEError where `alternatives` does, and if the alternatives in groups match another text.

    >>> matched_alternatives(r"'s| ?\p{L}+|\s+", "it's on")
    [('it', 1), ("'s", 0), (' on', 1)]
    """
    numbered = "|".join(f"({part})" for part in alternatives(pattern))
    spans = find_matches(_compile_bounded(numbered), text)
    if spans.texts(text) != find_matches(compile_typed(pattern), text).texts(text):
        raise BPEError(
            f"The pattern must be the same with its alternatives in groups, got {shortened_repr(pattern)}."
        )
    return [
        (text[start:end], group - 1)
        for (start, end), group in zip(spans, spans.last_groups, strict=True)
        if start < end
    ]


_searches: list[_Search] = [search_here]


def _check_calls(pattern: str) -> None:
    r"""Raise BPEError if a pattern that compiles has a group call.

    >>> _check_calls(r"[(?R)]+|\(?R")
    """
    if not _BEGINS_A_CALL.search(pattern):
        return
    # `regex` itself tells a call from a class: it refuses a call of a group that does not exist.
    unknown = "unknown"
    while unknown in pattern:
        unknown += "n"
    try:
        regex.compile(_BEGINS_A_CALL.sub(f"(?&{unknown}", pattern), cache_pattern=False)
    except regex.error:
        raise BPEError(
            "The pattern must not call itself or one of its groups, as (?R), (?1) and (?&name) do."
        ) from None


def _check_size(pattern: str) -> None:
    r"""Raise BPEError if the repeats of a pattern make more than _MOST_PARTS parts of it.

    >>> _check_size(r"\p{L}+|\p{N}{1,3}")
    """
    if _parts_written_out(pattern) > max(_MOST_PARTS, len(pattern)):
        raise BPEError(
            f"The pattern may have at most {_MOST_PARTS:,} parts when its repeats are written out: "
            "use smaller numbers in braces."
        )


def _parts_written_out(pattern: str) -> float:
    """Return the number of parts, or more: `inf` where it cannot be bounded.

    >>> _parts_written_out("(?:ab{3}){100}|c")
    502
    """
    if _OTHER_SYNTAX.search(pattern):
        if any(_PLAIN_BRACES.match(pattern, brace.start()) is None for brace in re.finditer(r"\{", pattern)):
            return float("inf")
        return len(pattern) * prod(_number(count) for count in _COUNT.findall(pattern))
    groups: list[list[float]] = []  # the parts of every group that is open
    parts: list[float] = []  # of the innermost; a repeat multiplies the last
    for part in _PART.finditer(pattern):
        match part.lastgroup:
            case "group":
                groups.append(parts)
                parts = []
            case "end":
                # Without an opening bracket, all parts so far count as the group.
                parts = [*(groups.pop() if groups else ()), 1 + sum(parts)]
            case "count" if parts:
                parts[-1] *= _number(part["count"])
            case "one":
                parts.append(1)
    return sum(parts) + sum(map(sum, groups))


def _number(digits: str) -> float:
    digits = "".join(digits.split())
    return max(1, int(digits)) if len(digits) < 10 else float("inf")


def _compile_bounded(pattern: str) -> "regex.Pattern[str]":
    """Compile a pattern. Raises BPEError if it is wrong, or has too many parts."""
    _check_size(pattern)
    try:
        return compile_once(pattern)
    except (regex.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise BPEError(f"The pattern does not compile: {error}.") from None


def _spans(pattern: "regex.Pattern[str]", text: str, **options: Any) -> Spans:
    numbers = array("I")
    for number, match in enumerate(pattern.finditer(text, **options)):
        if not number % PART:
            checkpoint()
        numbers.extend((*match.span(), match.lastindex or 0))
    return Spans(numbers)


def _end_of_unit(pattern: str, at: int) -> int:
    """Return where the set, the escaped character or the plain character at a position ends."""
    if pattern[at] == "\\":
        return at + 2
    if pattern[at] != "[":
        return at + 1
    end = at + 1
    end += pattern.startswith("^", end)
    end += pattern.startswith("]", end)  # the first character of a set, and no end
    while pattern[end] != "]":
        nested = pattern.startswith("[:", end)
        end = pattern.index(":]", end) + 2 if nested else end + 1 + (pattern[end] == "\\")
    return end + 1
