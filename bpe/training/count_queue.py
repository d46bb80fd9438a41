"""Levels: pairs waiting by their count, and the pairs tied at the highest one.

A pair's count only falls once it has been created. So a pair may wait under a count it has since fallen below: it is
looked at again when that count comes to be the highest, and moved down if need be. A pair is tied or waits in exactly
one place; one that may not be merged is in neither once it has come to the top, until all wait anew.
"""

from collections.abc import Callable, Mapping
from heapq import heappop, heappush

from bpe.pair_ids import PairKey
from bpe.settings.tie_breaking import Queue


class Waiting(dict[int, list[PairKey]]):
    """Count -> the pairs waiting under it; a heap of the counts beside them says which is the highest."""

    def __init__(self) -> None:
        self._heights: list[int] = []  # negated

    def __missing__(self, height: int) -> list[PairKey]:
        heappush(self._heights, -height)
        pairs = self[height] = []
        return pairs

    def pop_highest(self) -> tuple[int, list[PairKey]]:
        """The highest count and the pairs waiting under it, which wait no longer."""
        height = -heappop(self._heights)
        return height, self.pop(height)


class CountQueue:
    """`tied` are the pairs of the highest count, `height`; `best` is the one a rule's queue takes."""

    def __init__(self, count: Mapping[PairKey, int], may_merge: Callable[[PairKey], bool] | None) -> None:
        self.tied: set[PairKey] = set()
        self.height = 0
        self.waiting = Waiting()  # for pairs whose count, or one they had before, may come to be the highest
        self._count = count  # the trainer's own, exact at every step
        self._may_merge = may_merge  # None: every pair may
        self._in_order = False  # does the queue hold the pairs of this height?
        self.wait()

    def wait(self) -> None:
        """Let every pair wait under its count: at first, and again when pairs have been counted anew."""
        for pair, height in self._count.items():
            self.waiting[height].append(pair)

    def find_highest(self) -> bool:
        """Go down to the highest count that some pair has now; False when no pair is left."""
        while not self.tied and self.waiting:
            self.height, pairs = self.waiting.pop_highest()
            self._in_order = False
            for pair in pairs:
                now = self._count.get(pair)
                if now == self.height:
                    self.tied.add(pair)
                elif now:
                    self.waiting[now].append(pair)
            if self._may_merge:
                self.tied.difference_update([pair for pair in self.tied if not self._may_merge(pair)])
        return bool(self.tied)

    def best(self, queue: Queue, rank: int) -> PairKey:
        """The tied pair the rule takes."""
        if len(self.tied) == 1:
            return next(iter(self.tied))
        if not self._in_order:
            queue.open()
            self._in_order = True
        return queue.best(rank)

    def join(self, pair: PairKey, queue: Queue) -> None:
        """A new pair has the highest count as well."""
        if self._may_merge is None or self._may_merge(pair):
            self.tied.add(pair)
            if self._in_order:
                queue.add(pair)

    def leave(self, pair: PairKey, queue: Queue, remaining: int = 0) -> None:
        """A pair of the highest count has been merged, or lost occurrences and waits with what remains."""
        if pair in self.tied:
            self.tied.remove(pair)
            if self._in_order:
                queue.drop(pair)
            if remaining:
                self.waiting[remaining].append(pair)
