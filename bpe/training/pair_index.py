"""Places: where each pair stands in the laid-out words, and how often it occurs: what the trainer keeps up to date.

Most pairs are so rare that they are never merged. So those below a floor are not kept at all. A pair's count only falls
once it has been created, so one that is not kept cannot matter before no kept one is left that may be merged; then the
trainer lets the floor go and all pairs are counted anew. How well it was guessed decides about speed alone.
"""

from array import array
from collections import defaultdict
from collections.abc import MutableSequence, Sequence
from functools import partial

from bpe.pair_ids import MASK, SHIFT, WALL, PairKey
from bpe.training.word_layout import Layout

Boundaries = MutableSequence[int]  # places of a pair, ascending, including some where it no longer stands
MANY = 64  # In a large corpus a longer list of places is kept as an array: a fourth of the memory, a little slower.


def estimate_threshold(frequencies: Sequence[int], places: int, merges: int) -> int:
    """A count that the pairs merged will hardly fall below, 1 where nothing can be said.

    Most merges complete a word, the frequent ones first: the last is more frequent than the word of that rank. In long
    words, where that says nothing, it has about a twentieth of the places there are for a merge. (Both measured on
    English, source code and five languages.)
    """
    if not merges:
        return 1
    word = sorted(frequencies, reverse=True)[merges] if merges < len(frequencies) else 0
    return max(word * 3 // 2, places // (20 * merges), 1)


class PairIndex:
    """`count` and `where` of every pair that is kept; the trainer brings both up to date, merge by merge."""

    def __init__(self, layout: Layout, length: Sequence[int]) -> None:
        self.count: dict[PairKey, int] = {}  # exact at every step
        self.where: dict[PairKey, Boundaries] = {}  # pair -> places of its right symbol
        self.starts: dict[int, int] = {}  # symbol -> how many words began with it at the last count
        self._head, self._tail, self._weigh = layout.head, layout.tail, layout.weigh
        self._length = length  # symbol -> how many initial symbols it spans; grows
        self._fronts: dict[PairKey, int] = {}  # how many of where[pair], from the front, have gone
        self.count_anew()

    def count_anew(self) -> None:
        """Find every pair in the words as they are now."""
        for table in (self.where, self.count, self.starts, self._fronts):
            table.clear()
        found: defaultdict[tuple[int, int], array[int]] = defaultdict(partial(array, "i"))
        for boundary, neighbours in enumerate(zip(self._tail, self._head, strict=True)):
            found[neighbours].append(boundary)
        for (left, right), places in found.items():
            if right < 0:  # a wall, or inside a token
                continue
            if left == WALL:
                self.starts[right] = self._weigh(places)
            else:
                pair = left << SHIFT | right
                self.where[pair], self.count[pair] = places, self._weigh(places)

    def drop_below(self, floor: int) -> None:
        """Keep the pairs that occur at least so often."""
        for pair in [pair for pair, times in self.count.items() if times < floor]:
            del self.count[pair], self.where[pair]

    def first_place(self, pair: PairKey) -> int:
        """The leftmost start of a pair that stands somewhere."""
        head, tail = self._head, self._tail
        boundaries, index = self.where[pair], self._fronts.get(pair, 0)
        left, right = pair >> SHIFT, pair & MASK
        while head[boundaries[index]] != right or tail[boundaries[index]] != left:
            index += 1
        if index:
            self._fronts[pair] = index
        return boundaries[index] - self._length[left]

    def last_place(self, pair: PairKey) -> int:
        """The rightmost start of a pair that stands somewhere."""
        head, tail = self._head, self._tail
        boundaries = self.where[pair]
        left, right = pair >> SHIFT, pair & MASK
        while head[boundaries[-1]] != right or tail[boundaries[-1]] != left:
            boundaries.pop()
        return boundaries[-1] - self._length[left]
