"""Patterns: the regular expressions that split text into pre-tokens, and those that find safe cuts.

A safe cut is a position where cutting the text in two changes no pre-token. Long files are counted and read in chunks
that end at safe cuts. The patterns for safe cuts match the empty string there.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import TypeVar

import regex

from bpe.symbols import BPEError
from bpe.text.regexes.group_calls import check_calls
from bpe.text.regexes.pattern_size import check_size

Result = TypeVar("Result")

TIME_LIMIT = 5.0  # seconds that a typed pattern may take on one text while other threads run
EXCLUSIVE_TIME = 0.2  # seconds that a typed pattern may first run alone
MOST_GROUPS = 20  # capturing groups of a typed pattern
LONG_TEXT = 1 << 18  # characters; splitting them takes some 20 ms

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


def splitter(pattern: str) -> Callable[[str], list[str]]:
    """Return a function from a text to the pattern's matches. The pattern must take linear time.

    `regex` releases Python's interpreter lock at every match. Next to a busy thread it then waits milliseconds to get
    the lock back, which makes it up to 75 times slower. So the lock is kept, except for a LONG_TEXT.
    """
    find_all = regex.compile(pattern).findall

    def split(text: str) -> list[str]:
        return find_all(text, concurrent=None if len(text) > LONG_TEXT else False)

    return split


def compile_typed(pattern: str) -> "regex.Pattern[str]":
    """Compile a pattern that somebody typed.

    Raises BPEError if it is wrong, has a group call, or is too large.
    """
    compiled = compile_bounded(pattern)
    check_groups(compiled)
    check_calls(pattern)
    return compiled


def compile_bounded(pattern: str) -> "regex.Pattern[str]":
    """Compile a pattern. Raises BPEError if it is wrong, or has too many parts."""
    check_size(pattern)
    try:
        return compile_once(pattern)
    except (regex.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise BPEError(f"The pattern does not compile: {error}.") from None


@lru_cache(maxsize=8)
def compile_once(pattern: str) -> "regex.Pattern[str]":
    """Compile a pattern. The last ones are remembered: `regex` itself would remember 500, of up to 7 MB each."""
    return regex.compile(pattern, cache_pattern=False)


def check_groups(pattern: "regex.Pattern[str]") -> None:
    """Raise BPEError if a pattern has more than MOST_GROUPS capturing groups: `regex` stores every repeat of each."""
    if pattern.groups > MOST_GROUPS:
        raise BPEError(
            f"The pattern may have at most {MOST_GROUPS} capturing groups, got {pattern.groups}: "
            "write (?:…) instead of (…)."
        )


def call_with_time_limit(
    search: Callable[..., Result], seconds: float, alone: float = EXCLUSIVE_TIME
) -> Result:
    """Return the result of `search(timeout=…, concurrent=…)`, a search with a pattern that may be slow.

    The first try keeps the interpreter lock, as `splitter` does, for at most `alone` seconds. The second try releases
    it. Raises TimeoutError if that takes longer than `seconds`.
    """
    with suppress(TimeoutError):
        return search(timeout=min(alone, seconds), concurrent=False)
    return search(timeout=seconds)
