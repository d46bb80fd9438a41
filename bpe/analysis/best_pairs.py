"""Best pairs: the most frequent pair before each step, whichever pair the step merges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace
from itertools import chain
from weakref import WeakKeyDictionary

from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.symbols import Pair, Symbol
from bpe.trace.merge_log import MergeLog
from bpe.trace.trace import Trace

_BEST: WeakKeyDictionary[Trace, list[_BestPair]] = WeakKeyDictionary()


def best_pairs(trace: Trace) -> list[_BestPair]:
    """Return a pair of the highest count before each step, by rank. If several have it, any one of them.

    The result is cached as long as the trace lives.

    In a replay this is what the counts of the text would have chosen. A pair gains occurrences only in the step that
    creates it, so an entry of the heap is a bound, and checking it at the top is exact.

    >>> import bpe
    >>> tokenizer = bpe.train("ab ab", variant="bytes-gpt2", merges=1).tokenizer()
    >>> [best.pair for best in best_pairs(bpe.replay("cdcd ab cd", tokenizer))]
    [(b'c', b'd')]
    """
    if trace not in _BEST:
        stages = (_best_pairs(stage, trace.symbols) for stage in trace.log.stages)
        _BEST[trace] = list(chain.from_iterable(stages))
    return _BEST[trace]


@dataclass(frozen=True, slots=True)
class _BestPair:
    """A pair with the highest count."""

    pair: Pair
    count: int


def _best_pairs(log: MergeLog, symbols: Sequence[Symbol]) -> list[_BestPair]:
    counts: dict[PairKey, int] = dict(zip(log.pairs, log.pair_counts, strict=True))
    heap = [(-count, pair) for pair, count in counts.items()]
    heapify(heap)
    best: list[_BestPair] = []
    for rank in range(len(log)):
        while (now := counts[heap[0][1]]) != -heap[0][0]:
            if now:
                heapreplace(heap, (-now, heap[0][1]))
            else:
                heappop(heap)
        negated, top = heap[0]
        best.append(_BestPair((symbols[top >> SHIFT], symbols[top & MASK]), -negated))
        new: set[PairKey] = set()
        for old, gaining, lost, gained in log.changes_of(rank):
            counts[old] -= lost
            counts[gaining] = counts.get(gaining, 0) + gained
            new.add(gaining)
        counts[log.lefts[rank] << SHIFT | log.rights[rank]] = log.unmerged_of(rank)
        for pair in new:
            heappush(heap, (-counts[pair], pair))
    return best
