"""Runs of one symbol, counted without overlap: `aaaa` holds the pair (a, a) twice, not three times.

Only a doubled pair, that of a symbol with itself, can overlap itself. Without overlap it counts n // 2 times in a run
of n symbols: as often as it can be merged.
"""

from collections.abc import Sequence

from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.training.word_layout import Neighbours, WordLayout

# (old pair, new pair, positions of the new one): what a merge does to one pair of a neighbour.
Changed = tuple[PairKey, PairKey, list[int]]


def is_doubled(pair: PairKey) -> bool:
    """Return whether a pair is a symbol beside itself."""
    return pair >> SHIFT == pair & MASK


def without_overlaps(positions: Sequence[int], length: int) -> list[int]:
    """Return the ascending positions of a doubled pair without those that overlap one before them.

    `length` is that of the symbol.

    >>> without_overlaps([1, 2, 3, 4, 8], length=1)
    [1, 3, 8]
    """
    apart: list[int] = []
    overlapping = -1  # where a pair would overlap the last one of the result
    for position in positions:
        if position != overlapping:
            apart.append(position)
            overlapping = position + length
    return apart


def count_apart(layout: WordLayout, pair: PairKey, positions: Sequence[int]) -> int:
    """Return the count of a doubled pair at these positions, which ascend, without overlap."""
    return layout.total_frequency(without_overlaps(positions, layout.length[pair >> SHIFT]))


def apart_changes(
    layout: WordLayout, changed: Sequence[Changed], moved: Sequence[int], after: Neighbours
) -> tuple[list[int], list[int]]:
    """Return how much each old pair loses and each new pair gains if overlaps do not count.

    `moved` is how often each old pair became the new one. The first of the changes are those of the neighbours `after`
    the merged pair.
    """
    total, lost, gained = layout.total_frequency, list(moved), list(moved)
    for number, (old, new, positions) in enumerate(changed):
        if is_doubled(old):
            lost[number] = total(shortened(layout, old, positions, at_start=number < len(after)))
        if is_doubled(new):
            gained[number] = count_apart(layout, new, positions)
    return lost, gained


def shortened(layout: WordLayout, pair: PairKey, positions: Sequence[int], *, at_start: bool) -> list[int]:
    """Return the positions at which a doubled pair lost an occurrence when a merge took the end of a run.

    The merge took the first symbol of each run, `at_start`, or its last one. The rest of the run begins, or ends, at
    the position. If the rest is odd, the run had one occurrence more.
    """
    symbol = pair & MASK
    length = layout.length[symbol]
    symbols, step = (layout.starting_at, length) if at_start else (layout.ending_at, -length)
    lost: list[int] = []
    for position in positions:
        end = position
        while symbols[end] == symbol:
            end += step
        if (end - position) // step % 2:
            lost.append(position)
    return lost
