r"""The size of a pattern: how many parts it has when its counted repeats are written out.

`regex` writes the least count of a repeat out when it compiles: `a{1000}` becomes a thousand parts of some 300 bytes
each, and repeats inside repeats multiply. So a short pattern can take all memory, before any time limit applies.
"""

import re
from math import prod

from bpe.symbols import BPEError

MOST_PARTS = 10_000  # 3 to 7 MB when compiled

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


def check_size(pattern: str) -> None:
    r"""Raise BPEError if the repeats of a pattern make more than MOST_PARTS parts of it.

    >>> check_size(r"\p{L}+|\p{N}{1,3}")
    """
    if parts_written_out(pattern) > max(MOST_PARTS, len(pattern)):
        raise BPEError(
            f"The pattern may have at most {MOST_PARTS:,} parts when its repeats are written out: "
            "use smaller numbers in braces."
        )


def parts_written_out(pattern: str) -> float:
    """Return the number of parts, or more: `inf` where it cannot be bounded.

    >>> parts_written_out("(?:ab{3}){100}|c")
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
