"""Pair counts at any step, derived from a merge log.

Every pair that ever existed has a number. A pair gains occurrences only in the step that creates it, so its count
after k merges is its first count minus what it lost up to then: one subtraction per neighbour of a merge, on a list.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import compress, count, repeat

from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.symbols import Pair, Symbol
from bpe.trace.merge_log import MergeLog


class PairCounts:
    """The pair counts of one training. Pairs are numbered as they arise: those of the initial symbols come first."""

    def __init__(self, log: MergeLog, symbols: Sequence[Symbol]) -> None:
        self._log = log
        self._symbols = symbols
        # By pair number: the symbols of the pair.
        self._lefts = array("i", (pair >> SHIFT for pair in log.pairs))
        self._rights = array("i", (pair & MASK for pair in log.pairs))
        # The number of the pair that lost occurrences, for each neighbour in the log; that of the merged pair, for each
        # step.
        self._losing = array("i")
        self._merged = array("i")
        self._number_pairs()
        self._latest: tuple[int, list[int]] = (0, list(log.pair_counts))

    def _number_pairs(self) -> None:
        log = self._log
        number_of: dict[PairKey, int] = {pair: number for number, pair in enumerate(log.pairs)}
        start = 0
        for new, left, right, middle, end in zip(
            count(log.alphabet_size), log.lefts, log.rights, log.after_ends, log.before_ends, strict=False
        ):
            self._merged.append(number_of[left << SHIFT | right])
            after, before = log.neighbours[start:middle].tolist(), log.neighbours[middle:end].tolist()
            for other in after:
                self._losing.append(number_of[right << SHIFT | other])
                number_of[new << SHIFT | other] = len(number_of)
            for other in before:
                self._losing.append(number_of[other << SHIFT | left])
                number_of[other << SHIFT | new] = len(number_of)
            self._lefts.extend(repeat(new, len(after)))
            self._lefts.extend(before)
            self._rights.extend(after)
            self._rights.extend(repeat(new, len(before)))
            start = end

    def at(self, k: int) -> dict[Pair, int]:
        """Return the count of every pair after `k` merges."""
        counts = self._counts(k)
        spell = self._symbols.__getitem__
        lefts = map(spell, compress(self._lefts, counts))
        rights = map(spell, compress(self._rights, counts))
        return dict(zip(zip(lefts, rights, strict=True), filter(None, counts), strict=True))

    def by_falling_count(self, k: int) -> Iterator[list[Pair]]:
        """Yield the pairs of the highest count after `k` merges, then those of the next lower count, and so on."""
        counts = self._counts(k)
        top = max(counts, default=0)
        while top:
            yield [self._pair(number) for number, count in enumerate(counts) if count == top]
            top = max((count for count in counts if count < top), default=0)

    def _pair(self, number: int) -> Pair:
        return self._symbols[self._lefts[number]], self._symbols[self._rights[number]]

    def _counts(self, k: int) -> list[int]:
        """Return the counts by pair number, 0 for a pair that is gone.

        The latest list is cached, since callers mostly ask for one step after another.
        """
        step, known = self._latest
        if step == k:
            return known
        if step > k:
            step, known = 0, list(self._log.pair_counts)
        first, end = (self._log.before_ends[rank - 1] if rank else 0 for rank in (step, k))
        counts = [*known, *self._log.gains[first:end]]
        for number, lost in zip(self._losing[first:end], self._log.losses[first:end], strict=True):
            counts[number] -= lost
        for number in self._merged[step:k]:
            counts[number] = 0
        self._latest = (k, counts)  # One assignment, since threads may share a trace.
        return counts


class TwoStageCounts:
    """The pair counts of a training of two stages: from its second stage on, over the longer words."""

    def __init__(self, log: MergeLog, symbols: Sequence[Symbol]) -> None:
        self._log = log
        self._stages = {id(stage): PairCounts(stage, symbols) for stage in log.stages}

    def at(self, k: int) -> dict[Pair, int]:
        """Return the count of every pair after `k` merges."""
        stage, done = self._log.at(k)
        return self._stages[id(stage)].at(done)

    def by_falling_count(self, k: int) -> Iterator[list[Pair]]:
        """Yield the pairs of the highest count after `k` merges, then those of the next lower count, and so on."""
        stage, done = self._log.at(k)
        return self._stages[id(stage)].by_falling_count(done)


def counts_of(log: MergeLog, symbols: Sequence[Symbol]) -> PairCounts | TwoStageCounts:
    """Return the pair counts of a training."""
    return PairCounts(log, symbols) if log.second_after is None else TwoStageCounts(log, symbols)
