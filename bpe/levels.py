"""Levels: pairs waiting by their count, and the pairs tied at the highest one.

A pair's count only falls once it has been created. So a pair may wait under a count it has since fallen below: it is
looked at again when that count comes to be the highest, and moved down if need be.
"""

from collections.abc import Callable, Mapping
from heapq import heappop, heappush

from bpe.tie_breaking import PairKey, Queue


class Levels:
    """`tied` are the pairs of the highest count, `height`; `best` is the one a rule's queue takes."""

    def __init__(self, count: Mapping[PairKey, int], may_merge: Callable[[PairKey], bool]) -> None:
        self.tied: set[PairKey] = set()
        self.height = 0
        self._count = count  # the trainer's own, exact at every step
        self._may_merge = may_merge
        self._waiting: dict[int, list[PairKey]] = {}
        self._heights: list[int] = []  # heap of the counts in `_waiting`, negated
        self._in_order = False  # does the queue hold the pairs of this height?
        for pair, height in count.items():
            self.wait(pair, height)

    def wait(self, pair: PairKey, height: int) -> None:
        """Keep a pair for when its count, or one it had before, is the highest."""
        bucket = self._waiting.get(height)
        if bucket is None:
            self._waiting[height] = [pair]
            heappush(self._heights, -height)
        else:
            bucket.append(pair)

    def find_highest(self) -> bool:
        """Go down to the highest count that some pair has now; False when no pair is left."""
        while not self.tied and self._heights:
            self.height = -heappop(self._heights)
            self._in_order = False
            for pair in self._waiting.pop(self.height):
                now = self._count.get(pair, 0)
                if now == self.height:
                    if self._may_merge(pair):
                        self.tied.add(pair)
                elif now:
                    self.wait(pair, now)
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
        if self._may_merge(pair):
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
                self.wait(pair, remaining)
