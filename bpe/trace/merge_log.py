"""Log: what a training decided, as a few integers a step, and the counts at any step derived from them.

Ids here are internal: the alphabet's, then one more for each merge. Pairs are integers, as in `bpe.tie_breaking`.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

from bpe.pair_ids import MASK, SHIFT, PairKey, compact


class MergeLog:
    """One training's decisions. A merge's neighbours: on both sides, which symbols, and how often (weighted)."""

    FIELDS = (
        "pairs",  # at the start
        "pair_counts",
        "symbol_counts",  # at the start, by id
        "lefts",  # per step: the merged pair
        "rights",
        "counts",  # its count
        "tied",  # how many pairs had that count
        "replaced",  # how many places were merged: fewer than counted where a symbol follows itself
        "after_ends",  # per step: end of its right neighbours in the next two arrays; its left ones follow
        "before_ends",
        "neighbours",  # symbol ids
        "changes",  # what the old pair lost and the new pair gained
    )

    def __init__(self, alphabet_size: int) -> None:
        self.alphabet_size = alphabet_size
        for field in self.FIELDS:
            setattr(self, field, array("q"))

    pairs: "array[int]"
    pair_counts: "array[int]"
    symbol_counts: "array[int]"
    lefts: "array[int]"
    rights: "array[int]"
    counts: "array[int]"
    tied: "array[int]"
    replaced: "array[int]"
    after_ends: "array[int]"
    before_ends: "array[int]"
    neighbours: "array[int]"
    changes: "array[int]"

    def __len__(self) -> int:
        return len(self.lefts)

    def begin(self, pair_counts: Mapping[PairKey, int], starts: Mapping[int, int]) -> None:
        """Note the counts before the first merge: of pairs, and of symbols, each the right one of a pair or a start."""
        self.pairs = array("q", pair_counts)
        self.pair_counts = compact(array("q", pair_counts.values()))
        occurrences = [starts.get(symbol, 0) for symbol in range(self.alphabet_size)]
        for pair, times in pair_counts.items():
            occurrences[pair & MASK] += times
        self.symbol_counts = compact(array("q", occurrences))

    def add(
        self,
        pair: PairKey,
        count: int,
        tied: int,
        replaced: int,
        after: Iterable[int],
        before: Iterable[int],
        changes: Iterable[int],
    ) -> None:
        """Note a decision: the neighbours on the right, those on the left, and the change for each in this order."""
        self.lefts.append(pair >> SHIFT)
        self.rights.append(pair & MASK)
        self.counts.append(count)
        self.tied.append(tied)
        self.replaced.append(replaced)
        self.neighbours.extend(after)
        self.after_ends.append(len(self.neighbours))
        self.neighbours.extend(before)
        self.before_ends.append(len(self.neighbours))
        self.changes.extend(changes)

    def compacted(self) -> "MergeLog":
        """The same decisions in as little memory as they need; later steps do not change it."""
        log = MergeLog(self.alphabet_size)
        for field in self.FIELDS:
            numbers = getattr(self, field)
            setattr(log, field, numbers if field == "pairs" else compact(numbers))
        return log

    def changes_of(self, rank: int) -> Iterator[tuple[PairKey, PairKey, int]]:
        """For each neighbour of a merge: the pair that lost, the pair that gained, and how many."""
        left, right, new = self.lefts[rank], self.rights[rank], self.alphabet_size + rank
        start = self.before_ends[rank - 1] if rank else 0
        middle, end = self.after_ends[rank], self.before_ends[rank]
        neighbours, changes = self.neighbours, self.changes
        for index in range(start, middle):
            yield right << SHIFT | neighbours[index], new << SHIFT | neighbours[index], changes[index]
        for index in range(middle, end):
            yield neighbours[index] << SHIFT | left, neighbours[index] << SHIFT | new, changes[index]

    def symbol_counts_at(self, step: int) -> list[int]:
        """Occurrences in the corpus of every symbol of the vocabulary after `step` merges, by id."""
        occurrences = [*self.symbol_counts, *self.replaced[:step]]
        for left, right, times in zip(
            self.lefts[:step], self.rights[:step], self.replaced[:step], strict=True
        ):
            occurrences[left] -= times
            occurrences[right] -= times
        return occurrences

    def tokens_by_step(self) -> list[int]:
        """Occurrences of all symbols together after 0, 1, 2, … merges."""
        totals = accumulate(
            self.replaced, lambda tokens, fewer: tokens - fewer, initial=sum(self.symbol_counts)
        )
        return list(totals)

    def in_use_by_step(self) -> list[int]:
        """How many symbols occur at all after 0, 1, 2, … merges."""
        counts = [*self.symbol_counts, *self.replaced]
        used = [sum(1 for count in self.symbol_counts if count)]
        for left, right, times in zip(self.lefts, self.rights, self.replaced, strict=True):
            counts[left] -= times
            counts[right] -= times
            gone = (counts[left] == 0) + (right != left and counts[right] == 0)
            used.append(used[-1] + 1 - gone)
        return used
