"""Tied pairs: which pairs share the highest count at a step, in the order in which they first occur in the corpus.

The order is what costs: the words of a large corpus are many. So only words are read that can contain one of the pairs,
and no more of them than it takes to put the first pairs in order.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, compress, count, islice, pairwise

from bpe.settings.pieces import MergeFilter
from bpe.symbols import Pair, Symbol
from bpe.trace.final_words import FinalWords
from bpe.trace.merge_log import MergeLog
from bpe.trace.pair_counts import IdPair, PairCounts, TwoStageCounts
from bpe.trace.unmerge import ids_at_step


@dataclass(frozen=True, slots=True)
class Tie:
    """The pairs that share the highest count of all that may be merged. If `size` is 1, it is no tie."""

    count: int  # of each of them; 0 if there are none
    size: int  # how many they are
    pairs: tuple[Pair, ...]  # by first occurrence; all of them, or the first ones


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
            in_first_stage = k < (self._log.second_after or 0)
            words = (self._first_words if in_first_stage else None) or self._final_words
            first = list(islice(_by_first_occurrence(tied, words, self._log, k), most))
        spell = self._symbols.__getitem__
        tie = Tie(count, len(tied), tuple((spell(left), spell(right)) for left, right in first))
        self._latest = (k, tie)  # one assignment, since threads may share a trace
        return tie


def _by_first_occurrence(
    pairs: Collection[IdPair], words: FinalWords, log: MergeLog, k: int
) -> Iterator[IdPair]:
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


def _containing(symbols: set[int], log: MergeLog, k: int) -> set[int]:
    """Return the symbols and every token that a merge from rank `k` on made of one of them."""
    tokens = set(symbols)
    for token, left, right in zip(count(log.alphabet_size + k), log.lefts[k:], log.rights[k:], strict=False):
        if left in tokens or right in tokens:
            tokens.add(token)
    return tokens
