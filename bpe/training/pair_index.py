"""Pair index: an inverted index. For every pair, its count and its positions in the corpus.

The trainer updates it after each merge instead of counting the corpus again.

Rare pairs are pruned: a pair with a count below `threshold` is not stored. This is safe because a pair's count never
increases after the step that creates the pair. A pruned pair can therefore be merged only after every stored pair is
used up; then `recount` counts the corpus once more and prunes nothing. The threshold decides how fast training is,
never what it learns (tests/bpe/training/test_naive.py). The idea is subword-nmt's, learn_bpe.prune_stats.
"""

from array import array
from collections import defaultdict
from collections.abc import Collection, Mapping, MutableSequence, Sequence
from functools import partial
from itertools import islice

from bpe.checkpoints import PART, checkpoint, with_checkpoints
from bpe.pair_ids import MASK, SHIFT, WALL, PairKey
from bpe.training.word_layout import WordLayout, count_apart

# Positions at which a pair's right symbol starts, ascending. In a stale entry the pair no longer occurs.
_Positions = MutableSequence[int]
# Pair -> its positions before a merge, and stale ones.
_Overlapped = Mapping[PairKey, Sequence[int]]
# Pairs between two checkpoints.
_PAIRS = 1 << 10


def estimate_threshold(frequencies: Sequence[int], positions: int, merges: int) -> int:
    """Return an estimate of the last merge's count, too low rather than too high; 1 if there is none.

    Most merges complete a word, frequent words first, so the last count is above the frequency of the word of that
    rank. This does not help if words are long; then the last count is about a twentieth of the positions per merge.
    Both were measured on English, source code and five languages.
    """
    if not merges:
        return 1
    word = sorted(frequencies, reverse=True)[merges] if merges < len(frequencies) else 0
    return max(word * 3 // 2, positions // (20 * merges), 1)


class PairIndex:
    """The inverted index of one corpus."""

    def __init__(self, layout: WordLayout, overlaps: bool = True) -> None:
        """Count the pairs of the layout. `overlaps`: whether overlapping occurrences count."""
        self.count: dict[PairKey, int] = {}  # exact at every step
        self.occurrences: dict[PairKey, _Positions] = {}
        # Symbol -> how often it was the right one of no counted pair, at the last recount: it began a word, or its pair
        # overlapped another one.
        self.unpaired: dict[int, int] = {}
        self.threshold = 1  # pairs with a lower count are not stored
        self._layout, self._overlaps = layout, overlaps
        self._starting_at, self._ending_at = layout.starting_at, layout.ending_at
        self._total_frequency, self._length = layout.total_frequency, layout.length
        # How many entries at the front of a pair's positions are known to be stale.
        self._stale: dict[PairKey, int] = {}
        self.recount()

    def recount(self) -> None:
        """Store every pair of the words as they are segmented now, and prune none."""
        for table in (self.occurrences, self.count, self.unpaired, self._stale):
            table.clear()
        self.threshold = 1
        total_frequency = self._total_frequency
        positions_of: defaultdict[tuple[int, int], array[int]] = defaultdict(partial(array, "i"))
        pairs = enumerate(zip(self._ending_at, self._starting_at, strict=True))
        for _ in range(0, len(self._starting_at), PART):
            checkpoint()
            for position, pair in islice(pairs, PART):
                positions_of[pair].append(position)
        for (left, right), positions in with_checkpoints(positions_of.items(), _PAIRS):
            if right < 0:  # WALL or INSIDE
                continue
            if left == WALL:
                self.unpaired[right] = self.unpaired.get(right, 0) + total_frequency(positions)
                continue
            key, count = left << SHIFT | right, total_frequency(positions)
            self.occurrences[key], self.count[key] = positions, count
            if left == right and not self._overlaps:
                self.count[key] = count_apart(self._layout, key, positions)
                self.unpaired[right] = self.unpaired.get(right, 0) + count - self.count[key]

    def prune(self, threshold: int) -> None:
        """Drop the pairs with a count below the threshold, and store no such pair from now on."""
        self.threshold = threshold
        for pair in [pair for pair, count in self.count.items() if count < threshold]:
            del self.count[pair], self.occurrences[pair]

    def keep(self, pair: PairKey, positions: Sequence[int]) -> int:
        """Store a pair again that was merged at some of its positions only. Return its count now; 0 if it is gone."""
        left, right = pair >> SHIFT, pair & MASK
        rest = array(
            "i", (p for p in positions if self._starting_at[p] == right and self._ending_at[p] == left)
        )
        if not rest:
            return 0
        doubled = left == right and not self._overlaps
        count = count_apart(self._layout, pair, rest) if doubled else self._total_frequency(rest)
        self.occurrences[pair], self.count[pair] = rest, count
        self._stale.pop(pair, None)
        return count

    def first_position(self, pair: PairKey) -> int:
        """Return the leftmost position at which a stored pair starts."""
        starting_at, ending_at = self._starting_at, self._ending_at
        positions, index = self.occurrences[pair], self._stale.get(pair, 0)
        left, right = pair >> SHIFT, pair & MASK
        while starting_at[positions[index]] != right or ending_at[positions[index]] != left:
            index += 1
        if index:
            self._stale[pair] = index
        return positions[index] - self._length[left]

    def last_position(self, pair: PairKey) -> int:
        """Return the rightmost position at which a stored pair starts."""
        starting_at, ending_at = self._starting_at, self._ending_at
        positions = self.occurrences[pair]
        left, right = pair >> SHIFT, pair & MASK
        while starting_at[positions[-1]] != right or ending_at[positions[-1]] != left:
            positions.pop()
        return positions[-1] - self._length[left]


def rivals_of(
    merged: PairKey,
    overlapped: _Overlapped,
    tied: Collection[PairKey],
    occurrences: Mapping[PairKey, Sequence[int]],
    layout: WordLayout,
) -> list[PairKey]:
    """Return the rivals of a pair that has just been merged, in the order in which they occurred first.

    In `x L R y` a merge of (L, R) takes an occurrence from (x, L) and one from (R, y): the pairs that overlap it are
    those that were counted anew. Only a run of one symbol hides a rival: in `a a a y` the first two are merged, so
    (a, y) loses nothing though it overlaps (a, a).

    `overlapped` are the tied pairs that were counted anew. `tied` are the pairs that are still tied, and `occurrences`
    their positions.
    """
    left, right, new = merged >> SHIFT, merged & MASK, len(layout.length) - 1
    # In a run such as ababa, the merge of (a, b) makes the pair (ab, a) and takes it again.
    rivals = {
        pair: positions
        for pair, positions in overlapped.items()
        if pair != merged and new not in (pair >> SHIFT, pair & MASK)
    }
    starting_at, ending_at = layout.starting_at, layout.ending_at
    if left == right:
        length = layout.length[right]
        for pair in tied:
            if pair >> SHIFT == right and pair not in rivals:
                follower, positions = pair & MASK, occurrences[pair]
                if any(
                    starting_at[position] == follower
                    and ending_at[position] == right
                    and ending_at[position - length] == new
                    for position in positions
                ):
                    rivals[pair] = positions
    if len(rivals) < 2:
        return list(rivals)

    def first_position(pair: PairKey) -> int:
        # What is the new symbol now was the left or the right one of the merged pair.
        befores = (pair >> SHIFT, new) if pair >> SHIFT == right else (pair >> SHIFT,)
        afters = (pair & MASK, new) if pair & MASK == left else (pair & MASK,)
        return next(
            position
            for position in rivals[pair]
            if starting_at[position] in afters and ending_at[position] in befores
        )

    return sorted(rivals, key=first_position)
