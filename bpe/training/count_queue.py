"""Count queue: a bucket queue of pairs by their count, with lazy deletion.

`buckets` maps a count to the pairs that had it when they were filed. A pair's count only decreases, so an entry may be
stale. When its bucket becomes the top one, `advance` compares the entry with the pair's count now, and files the pair
lower where it belongs.

    buckets {9: [es, st], 7: [lo]}    es falls to 3: nothing is moved
    advance                           bucket 9 is the top: st is tied at 9, es is filed in bucket 3

A pair that may not be merged is dropped when it reaches the top, until `refill` files all pairs again.
"""

from collections.abc import Callable, Mapping
from heapq import heappop, heappush

from bpe.pair_ids import PairKey
from bpe.settings.tie_breaking import Queue


class CountQueue:
    """Pairs by count. `tied` holds exactly the pairs whose count is `top_count`, the highest, and which may merge."""

    def __init__(
        self,
        count: Mapping[PairKey, int],
        may_merge: Callable[[PairKey], bool] | None,
        queue: Callable[[set[PairKey]], Queue],
    ) -> None:
        """Make an empty queue. `count` is the dict of the pair index, exact at every step.

        `may_merge` is None if every pair may. `queue` makes a tie-breaking rule's queue of the tied pairs; the trainer
        changes the set it gets.
        """
        self.tied: set[PairKey] = set()
        self.top_count = 0
        self.buckets = _Buckets()
        self._count = count
        self._may_merge = may_merge
        self._rule = queue(self.tied)
        self._rule_is_open = False  # whether the rule's queue holds the pairs tied now
        self.refill()

    def refill(self) -> None:
        """File every pair under its count: at first, and again after a recount."""
        for pair, count in self._count.items():
            self.buckets[count].append(pair)

    def advance(self) -> bool:
        """Go down to the highest count that a pair has now, and fill `tied`. Return False if no pair is left."""
        while not self.tied and self.buckets:
            self.top_count, filed = self.buckets.pop_top()
            self._rule_is_open = False
            for pair in filed:
                count = self._count.get(pair)
                if count == self.top_count:
                    self.tied.add(pair)
                elif count:
                    self.buckets[count].append(pair)
            if self._may_merge:
                self.tied.difference_update([pair for pair in self.tied if not self._may_merge(pair)])
        return bool(self.tied)

    def best(self, rank: int) -> PairKey:
        """Return the tied pair that the rule chooses for the merge of this rank."""
        if len(self.tied) == 1:
            return next(iter(self.tied))
        if not self._rule_is_open:
            self._rule.open()
            self._rule_is_open = True
        return self._rule.best(rank)

    def add_tied(self, pair: PairKey) -> None:
        """Add a new pair that has the top count too."""
        if self._may_merge is None or self._may_merge(pair):
            self.tied.add(pair)
            if self._rule_is_open:
                self._rule.add(pair)

    def remove_tied(self, pair: PairKey, count: int = 0) -> None:
        """Remove a pair that was merged, or whose count fell to `count`. A pair of count 0 no longer occurs."""
        if pair in self.tied:
            self.tied.remove(pair)
            if self._rule_is_open:
                self._rule.drop(pair)
            if count:
                self.buckets[count].append(pair)

    def drop_forbidden(self) -> None:
        """Drop the tied pairs that may no longer be merged; the others are asked about when they reach the top."""
        if self._may_merge:
            for pair in [pair for pair in self.tied if not self._may_merge(pair)]:
                self.remove_tied(pair)


class _Buckets(dict[int, list[PairKey]]):
    """Count -> pairs filed under it. A heap of the counts finds the top bucket."""

    def __init__(self) -> None:
        self._negated_counts: list[int] = []

    def __missing__(self, count: int) -> list[PairKey]:
        heappush(self._negated_counts, -count)
        pairs = self[count] = []
        return pairs

    def pop_top(self) -> tuple[int, list[PairKey]]:
        """Remove the bucket of the highest count and return (that count, its pairs)."""
        count = -heappop(self._negated_counts)
        return count, self.pop(count)
