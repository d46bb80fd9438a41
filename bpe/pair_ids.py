"""Internal ids: symbols and pairs as integers, the form in which the trainer and the trace store them.

A symbol's internal id is its position in the alphabet, or, for a merged symbol, the alphabet's size plus the rank of
its merge. A pair is one integer: `left << SHIFT | right`.
"""

from array import array

SHIFT = 24
MASK = (1 << SHIFT) - 1
MAX_SYMBOLS = 1 << SHIFT

PairKey = int

WALL = -1  # stands between two words
INSIDE = -2  # stands at a position inside a token


def compact(numbers: "array[int]") -> "array[int]":
    """The same numbers (0 or more, below 2**63) in the smallest type that holds them all."""
    most = max(numbers, default=0)
    for code in "BHi":
        if most < 1 << (8 * array(code).itemsize - (code == "i")):
            return array(code, numbers)
    return numbers[:]
