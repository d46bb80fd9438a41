"""Pair counts at any step, from a log: every pair there ever was has a number, and a list holds the counts.

A pair gains only in the step that creates it. So the counts after k merges are what the pairs began with, less what
each lost up to then: one subtraction per neighbour of a merge, on a list.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import compress, count, repeat

from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.symbols import Pair, Symbol
from bpe.trace.merge_log import MergeLog


class PairCounts:
    """Pairs are numbered as they arise: those of the untouched text, then those each merge makes."""

    def __init__(self, log: MergeLog, symbols: Sequence[Symbol]) -> None:
        self._log = log
        self._symbols = symbols
        self._lefts = array("i", (pair >> SHIFT for pair in log.pairs))
        self._rights = array("i", (pair & MASK for pair in log.pairs))
        self._losing = array("i")  # for each change noted in the log, the pair that lost
        self._merged = array("i")  # for each step, the pair
        self._number()
        self._last: tuple[int, list[int]] = (0, list(log.pair_counts))

    def _number(self) -> None:
        log = self._log
        number: dict[PairKey, int] = {pair: place for place, pair in enumerate(log.pairs)}
        start = 0
        for new, left, right, middle, end in zip(
            count(log.alphabet_size), log.lefts, log.rights, log.after_ends, log.before_ends, strict=False
        ):
            self._merged.append(number[left << SHIFT | right])
            after, before = log.neighbours[start:middle].tolist(), log.neighbours[middle:end].tolist()
            for other in after:
                self._losing.append(number[right << SHIFT | other])
                number[new << SHIFT | other] = len(number)
            for other in before:
                self._losing.append(number[other << SHIFT | left])
                number[other << SHIFT | new] = len(number)
            self._lefts.extend(repeat(new, len(after)))
            self._lefts.extend(before)
            self._rights.extend(after)
            self._rights.extend(repeat(new, len(before)))
            start = end

    def at(self, k: int) -> dict[Pair, int]:
        """Count of every pair after `k` merges."""
        counts = self._counts(k)
        spelled = self._symbols.__getitem__
        lefts, rights = (
            map(spelled, compress(self._lefts, counts)),
            map(spelled, compress(self._rights, counts)),
        )
        return dict(zip(zip(lefts, rights, strict=True), filter(None, counts), strict=True))

    def highest(self, k: int) -> Iterator[list[Pair]]:
        """The pairs of the highest count after `k` merges, then those of the next one, and so on down."""
        counts = self._counts(k)
        most = max(counts, default=0)
        while most:
            yield [self._pair(number) for number, times in enumerate(counts) if times == most]
            most = max((times for times in counts if times < most), default=0)

    def _pair(self, number: int) -> Pair:
        return self._symbols[self._lefts[number]], self._symbols[self._rights[number]]

    def _counts(self, k: int) -> list[int]:
        """Count by pair number, 0 for those that have gone. The last list asked for is kept: stepping on is cheap."""
        seen, known = self._last
        if seen == k:
            return known
        if seen > k:
            seen, known = 0, list(self._log.pair_counts)
        first, end = (self._log.before_ends[step - 1] if step else 0 for step in (seen, k))
        changes = self._log.changes[first:end]
        counts = [*known, *changes]
        for number, change in zip(self._losing[first:end], changes, strict=True):
            counts[number] -= change
        for number in self._merged[seen:k]:
            counts[number] = 0
        self._last = (k, counts)  # one assignment: threads may share a trace
        return counts
