r"""Group calls: parts of a pattern, such as (?R) and (?1), that match with the whole pattern or with one of its groups.

A pattern that calls itself without end takes up to 1 GB within seconds, and `regex` has no option that bounds it. No
tokenizer splits text with group calls, so a typed pattern must not have any.
"""

import re

import regex

from bpe.symbols import BPEError

# How a call begins. In a class, in a comment or after a backslash, the same characters are no call. With the flag x,
# white space and comments may stand within it.
_BEGINS_A_CALL = re.compile(r"\(\?(?=R|[0-9]|[+-](?:\s|#.*\n)*[0-9]|&|P(?:\s|#.*\n)*[>&])")


def check_calls(pattern: str) -> None:
    r"""Raise BPEError if a pattern that compiles has a group call.

    >>> check_calls(r"[(?R)]+|\(?R")
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
