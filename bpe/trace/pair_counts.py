"""Pair counts at any step, derived from a merge log.

Every pair that ever existed has a number. A pair gains occurrences only in the step that creates it, so its count
after k merges is its first count minus what it lost up to then: one subtraction per neighbour of a merge, on a list.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from heapq import nlargest, nsmallest
from itertools import chain, compress, count, islice, pairwise, repeat

from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.settings.pieces import MergeFilter, any_piece
from bpe.symbols import Pair, Symbol
from bpe.trace.merge_log import MergeLog
from bpe.trace.unmerge import FinalWords, ids_at_step

_IdPair = tuple[int, int]  # internal ids of the two symbols


@dataclass(frozen=True, slots=True)
class FrequentPairs:
    """The most frequent pairs at a step, and what all pairs have in common."""

    pairs: tuple[tuple[Pair, int], ...]  # with their counts, by falling count
    number: int  # of all pairs that occur
    total: int  # of all occurrences


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

    def highest(self, k: int, may_merge: MergeFilter) -> tuple[int, list[_IdPair]]:
        """Return the highest count after `k` merges of a pair that may be merged, and all such pairs that have it.

        (0, []) if no pair may be merged.
        """
        counts, spell = self._counts(k), self._symbols.__getitem__
        for top in _falling(counts):
            pairs = [(self._lefts[number], self._rights[number]) for number in _numbers_of(top, counts)]
            if may_merge is not any_piece:
                pairs = [pair for pair in pairs if may_merge(*map(spell, pair))]
            if pairs:
                return top, pairs
        return 0, []

    def most_frequent(self, k: int, most: int, order: Sequence[int]) -> FrequentPairs:
        """Return the `most` most frequent pairs after `k` merges.

        If counts are equal, the pair whose symbols come first in `order` is first: a number for each internal id.
        """
        counts, spell = self._counts(k), self._symbols.__getitem__
        least = min(nlargest(most, counts), default=0)
        rows: list[tuple[Pair, int]] = []
        above = [number for number, count in enumerate(counts) if count > least]
        for numbers in (above, _numbers_of(least, counts) if least else ()):
            keyed = (
                (-counts[number], order[left], order[right], left, right)
                for number in numbers
                for left, right in [(self._lefts[number], self._rights[number])]
            )
            rows += [
                ((spell(left), spell(right)), -negated)
                for negated, _, _, left, right in nsmallest(most - len(rows), keyed)
            ]
        return FrequentPairs(tuple(rows), len(counts) - counts.count(0), sum(counts))

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
        partial = dict(zip(self._log.partial_ranks, self._log.unmerged, strict=True))
        for rank, number in enumerate(self._merged[step:k], start=step):
            if rank in partial:
                counts[number] -= self._log.counts[rank] - partial[rank] - self._lost_to_itself(rank)
            else:
                counts[number] = 0
        self._latest = (k, counts)  # One assignment, since threads may share a trace.
        return counts

    def _lost_to_itself(self, rank: int) -> int:
        """Return what a merge took from its own pair as a neighbour: in `aaa` the merge of (a, a) takes the second."""
        start, end = self._log.before_ends[rank - 1] if rank else 0, self._log.before_ends[rank]
        losing = zip(self._losing[start:end], self._log.losses[start:end], strict=True)
        return sum(lost for number, lost in losing if number == self._merged[rank])


class TwoStageCounts:
    """The pair counts of a training of two stages: from its second stage on, over the longer words."""

    def __init__(self, log: MergeLog, symbols: Sequence[Symbol]) -> None:
        self._log = log
        self._stages = {id(stage): PairCounts(stage, symbols) for stage in log.stages}

    def at(self, k: int) -> dict[Pair, int]:
        """Return the count of every pair after `k` merges."""
        stage, done = self._log.at(k)
        return self._stages[id(stage)].at(done)

    def highest(self, k: int, may_merge: MergeFilter) -> tuple[int, list[_IdPair]]:
        """Return the highest count of a pair that may be merged after `k` merges, and all such pairs that have it."""
        stage, done = self._log.at(k)
        return self._stages[id(stage)].highest(done, may_merge)

    def most_frequent(self, k: int, most: int, order: Sequence[int]) -> FrequentPairs:
        """Return the `most` most frequent pairs after `k` merges."""
        stage, done = self._log.at(k)
        return self._stages[id(stage)].most_frequent(done, most, order)


def counts_of(log: MergeLog, symbols: Sequence[Symbol]) -> PairCounts | TwoStageCounts:
    """Return the pair counts of a training."""
    return PairCounts(log, symbols) if log.second_after is None else TwoStageCounts(log, symbols)


@dataclass(frozen=True, slots=True)
class Tie:
    """The pairs that share the highest count of all that may be merged. If `size` is 1, it is no tie.

    The order is what costs: the words of a large corpus are many. So only words are read that can contain one of the
    pairs, and no more of them than it takes to put the first pairs in order.
    """

    count: int  # of each of them; 0 if there are none
    size: int  # how many they are
    pairs: tuple[Pair, ...]  # by first occurrence; all of them, or the first ones


@dataclass(frozen=True, slots=True)
class _TieEnds:
    """The pairs that tie, in any order, and which of them occurs first, and which last; [] without any pair."""

    pairs: tuple[_IdPair, ...]
    first: list[_IdPair]
    last: list[_IdPair]


class TiedPairs:
    """The ties of one trace. The latest is cached, because several parts of a page ask for that of the same step."""

    def __init__(
        self,
        log: MergeLog,
        symbols: Sequence[Symbol],
        counts: PairCounts | TwoStageCounts,
        words: tuple[FinalWords | None, FinalWords],
        may_merge_at: Callable[[int], MergeFilter],
    ) -> None:
        self._log = log
        self._symbols = symbols
        self._counts = counts
        self._first_words, self._final_words = words  # of the first of two stages; of all
        self._may_merge_at = may_merge_at
        self._latest: tuple[int, Tie] | None = None

    def at(self, k: int, most: int | None) -> Tie:
        """Return the tie for merge `k`, with its first `most` pairs if that is given."""
        latest = self._latest
        if latest is not None and latest[0] == k:
            pairs, size = latest[1].pairs, latest[1].size
            if len(pairs) == size or (most is not None and most <= len(pairs)):
                return replace(latest[1], pairs=pairs[:most])
        count, tied = self._counts.highest(k, self._may_merge_at(k))
        first = tied
        if len(tied) > 1:
            first = list(islice(_by_first_occurrence(tied, self._words_at(k), self._log, k), most))
        spell = self._symbols.__getitem__
        tie = Tie(count, len(tied), tuple((spell(left), spell(right)) for left, right in first))
        self._latest = (k, tie)  # one assignment, since threads may share a trace
        return tie

    def ends(self, k: int) -> _TieEnds:
        """Return the pairs that tie for merge `k`, the first and the last one. Reads words from both ends only."""
        _, tied = self._counts.highest(k, self._may_merge_at(k))
        if len(tied) < 2:
            return _TieEnds(tuple(tied), tied[:1], tied[:1])
        words = self._words_at(k)
        first = islice(_by_first_occurrence(tied, words, self._log, k), 1)
        return _TieEnds(tuple(tied), list(first), [_last_to_occur(tied, words, self._log, k)])

    def _words_at(self, k: int) -> FinalWords:
        in_first_stage = k < (self._log.second_after or 0)
        return (self._first_words if in_first_stage else None) or self._final_words


def _falling(counts: Sequence[int]) -> Iterator[int]:
    """Yield the highest count, then the next lower one, and so on, down to 1."""
    highest = max(counts, default=0)
    if highest:
        yield highest
        yield from sorted(set(counts) - {0, highest}, reverse=True)


def _numbers_of(count: int, counts: list[int]) -> Iterator[int]:
    """Yield the numbers of the pairs that have this count."""
    number = -1
    with suppress(ValueError):  # raised by the search for the next one after the last
        while True:
            number = counts.index(count, number + 1)
            yield number


def _by_first_occurrence(
    pairs: Collection[_IdPair], words: FinalWords, log: MergeLog, k: int
) -> Iterator[_IdPair]:
    missing = set(pairs)
    ids_at = ids_at_step(log, k)
    ids_of = cache(lambda token: tuple(ids_at(token)))
    # The newer symbol of a pair is usually the rarer one.
    parts = _containing({max(pair) for pair in pairs}, log, k)
    read = -1
    for position in compress(count(), map(parts.__contains__, words.tokens)):
        number = bisect_right(words.walls, position) - 1
        if number == read:
            continue
        read = number
        for pair in pairwise(chain.from_iterable(map(ids_of, words[number]))):
            if pair in missing:
                missing.remove(pair)
                yield pair
                if not missing:
                    return


def _last_to_occur(pairs: Collection[_IdPair], words: FinalWords, log: MergeLog, k: int) -> _IdPair:
    """Return the pair whose last occurrence comes latest, with each word read once, in order."""
    ids_at = ids_at_step(log, k)
    parts, wanted = _containing({max(pair) for pair in pairs}, log, k), set(pairs)
    read = -1
    for position in compress(
        reversed(range(len(words.tokens))), map(parts.__contains__, reversed(words.tokens))
    ):
        number = bisect_right(words.walls, position) - 1
        if number == read:
            continue
        read = number
        ids = tuple(chain.from_iterable(map(ids_at, words[number])))
        for pair in zip(reversed(ids[:-1]), reversed(ids[1:]), strict=True):
            if pair in wanted:
                return pair
    raise AssertionError("the pairs occur in the words")


def _containing(symbols: set[int], log: MergeLog, k: int) -> set[int]:
    """Return the symbols and every token that a merge from rank `k` on made of one of them."""
    tokens = set(symbols)
    for token, left, right in zip(count(log.alphabet_size + k), log.lefts[k:], log.rights[k:], strict=False):
        if left in tokens or right in tokens:
            tokens.add(token)
    return tokens
