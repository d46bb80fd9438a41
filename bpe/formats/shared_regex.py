r"""Shared patterns: regular expressions that mean the same to the package `regex` and to Oniguruma.

Hugging Face's tokenizers reads the patterns in its files with Oniguruma. The two agree on literals, \s, \p{L}, classes,
groups, look-around and most repeats. They differ on others: `$`, for example, ends a line in Oniguruma, and {1,3}+ is
possessive in `regex` only. Patterns with such parts are refused.

Source: Oniguruma, doc/RE and doc/SYNTAX.md.
"""

import re

import regex

from bpe.settings.scripts import SCRIPTS
from bpe.symbols import BPEError
from bpe.text.patterns import MOST_GROUPS, compile_once

MOST_CHARACTERS = 4_000
MOST_REPEATS = 1_000  # all numbers in braces, multiplied: a larger pattern takes too much memory to compile

# General categories, such as L and Lu, and scripts
_PROPERTY = rf"\\[pP]\{{\^?(?:[LMNPSZC][a-z]?|{'|'.join(SCRIPTS)})\}}"
_ESCAPE = r"\\(?:[sSdDrntf]|[^\w\s])"
_REPEAT = r"(?:[*+?][+?]?|\{(?:\d+,?\d*|,\d+)\}(?![+?]))"
_IN_CLASS = rf"(?:{_PROPERTY}|{_ESCAPE}|&(?!&)|[^\\\[\]&])"
_PART = re.compile(
    rf"{_PROPERTY}|{_ESCAPE}|\[\^?{_IN_CLASS}+\]|\((?!\?)|\(\?(?:[:=!>]|<[=!]|i:)|[)|.]|{_REPEAT}|[^\\\[\](){{}}*+?|.^$]",
    re.DOTALL,
)

_ITEM = r"(?:\\.|[^\\\[\]])"
_INNER = re.compile(rf"(?<=[^\\\-])\[(?![\^:\-])({_ITEM}+)(?<!-)\](?!-)", re.DOTALL)
# An escaped character, so that \[ begins no set; or a set with others in it.
_OUTER = re.compile(rf"\\.|\[\^?(?:{_ITEM}|\[{_ITEM}+\])+\]", re.DOTALL)


def compile_shared(pattern: str, where: str) -> "regex.Pattern[str]":
    r"""Return the compiled pattern. Raises BPEError, which begins with `where`, if Oniguruma may read it differently.

    >>> compile_shared(r"\p{L}+|\s+(?!\S)", "the file").findall("ab  c")
    ['ab', ' ', 'c']
    """
    if len(pattern) > MOST_CHARACTERS:
        raise BPEError(f"{where}: expected a pattern of at most {MOST_CHARACTERS:,} characters.")
    pattern = flat_sets(pattern)
    position = 0
    while position < len(pattern):
        part = _PART.match(pattern, position)
        if part is None:
            raise BPEError(
                f"{where}: the pattern has {pattern[position : position + 8]!r} at position {position}, "
                "which other libraries may read differently; it is not supported."
            )
        position = part.end()
    repeats = 1
    for number in re.findall(r"(\d+)\}", pattern):
        repeats *= max(int(number[:9]), 1)
    if repeats > MOST_REPEATS:
        raise BPEError(f"{where}: expected repeats of at most {MOST_REPEATS:,} in all, got {repeats:,}.")
    try:
        compiled = compile_once(pattern)
    except (regex.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise BPEError(f"{where}: the pattern does not compile: {error}.") from None
    if compiled.groups > MOST_GROUPS:
        raise BPEError(
            f"{where}: expected a pattern of at most {MOST_GROUPS} capturing groups, got {compiled.groups}."
        )
    return compiled


def flat_sets(pattern: str) -> str:
    r"""Return the pattern with every set inside a set written into it: Oniguruma takes the union, `regex` does not.

    A set inside that begins with ^ or a colon, or has a hyphen at its ends, in or out, stays: `compile_shared`
    refuses it.

    >>> print(flat_sets(r" ?[^(\s|[.,!?])]+"))
     ?[^(\s|.,!?)]+
    """
    return _OUTER.sub(lambda match: _INNER.sub(r"\1", match[0]), pattern)


def compile_literal(text: str) -> "regex.Pattern[str]":
    """Return a pattern that matches exactly this text."""
    return regex.compile(regex.escape(text))
