"""Internal ids: symbols and pairs as integers, as the trainer and the trace store them.

The internal id of an initial symbol is its index in the alphabet; that of a merged symbol is the size of the alphabet
plus the rank of its merge. A pair key is one integer, `left << SHIFT | right`.
"""

from array import array

SHIFT = 24
MASK = (1 << SHIFT) - 1
MAX_SYMBOLS = 1 << SHIFT

PairKey = int

# Sentinels among the ids of a corpus: between two words, and at a position inside a token.
WALL = -1
INSIDE = -2


def compact(numbers: "array[int]") -> "array[int]":
    """Return the numbers (from 0 to 2**63 - 1) in the smallest integer type that holds them all."""
    most = max(numbers, default=0)
    for code in "BHi":
        if most < 1 << (8 * array(code).itemsize - (code == "i")):
            return array(code, numbers)
    return numbers[:]
