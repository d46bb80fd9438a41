"""Patterns: how GPT-2's and GPT-4's tokenizers cut a text into pre-tokens, and where any text may be cut in two.

A cut is a pattern that matches nothing, at places where cutting the text in two changes no pre-token. A long file is
counted and read in parts cut there.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import regex

from bpe.symbols import BPEError

Found = TypeVar("Found")

SECONDS = 5.0  # A pattern of the viewer's own may take this long on one text, beside other threads,
ALONE = 0.2  # and before that about so long without letting them run.
LONG = 1 << 18  # characters; cutting them takes some 20 ms

# openai/gpt-2, src/encoder.py
GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# openai/tiktoken, tiktoken_ext/openai_public.py, cl100k_base
GPT4_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]"
    r"|\s+(?!\S)|\s+"
)

# No token of these goes on from a non-space to white space, but for GPT-4's punctuation, which takes the line ends
# after it. Of a run of white space only the last character, if it is a space, can belong to what follows; what stands
# before that is cut the same with it or without. With GPT-4 nothing goes on from a line end to a letter or digit.
# U+001C to U+001F are white space to `re`, not to `regex`. So both patterns can also be cut at LAST_SPACE.
GPT2_CUT = re.compile(r"(?= \S)|(?<=\S)(?=[^\S\x1c-\x1f])")
GPT4_CUT = re.compile(r"(?= \S)|(?<=[^\W_])(?=\s)|(?<=\n)(?=[^\W_])")
LAST_SPACE = re.compile(r" (?=\S)")

BEFORE_WHITE_SPACE = re.compile(r"(?<=\S)(?=\s)")  # for words between white space
BEFORE_LINE_END = re.compile(r"(?=\n)")  # for words line by line
BEFORE_SPACE = re.compile(r"(?= )")  # for words that begin with their space


def splitter(pattern: str) -> Callable[[str], list[str]]:
    """What gives the matches of a pattern that takes linear time.

    `regex` would let other threads run while it looks for each match, and beside a busy one not get its turn back for
    milliseconds every so often: up to 75 times slower. So where the text is not LONG, none runs until all are found.
    """
    find_all = regex.compile(pattern).findall

    def split(text: str) -> list[str]:
        return find_all(text, concurrent=None if len(text) > LONG else False)

    return split


def matches(pattern: "regex.Pattern[str]", text: str) -> "list[regex.Match[str]]":
    """Every match. Raises BPEError where it takes longer than SECONDS, or more memory than there is."""
    try:
        return patiently(lambda **how: list(pattern.finditer(text, **how)), SECONDS)
    except TimeoutError:
        raise BPEError(
            f"The pattern took more than {SECONDS:g} seconds on this text. "
            "Simplify it (nested repeats such as (a+)+ are slow), or take a shorter text."
        ) from None
    except (MemoryError, RecursionError):
        raise BPEError(
            "The pattern took too much memory on this text. Does it call itself without end?"
        ) from None


def patiently(find: Callable[..., Found], seconds: float) -> Found:
    """What `find(timeout=…, concurrent=…)` finds with a pattern that may be slow.

    At first as in `splitter`; if that takes longer than ALONE, anew beside the other threads. Raises TimeoutError when
    that takes longer than `seconds`.
    """
    with suppress(TimeoutError):
        return find(timeout=min(ALONE, seconds), concurrent=False)
    return find(timeout=seconds)
