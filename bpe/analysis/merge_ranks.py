"""Merge ranks: the rank of the merge that makes a token, in the list that the merge belongs to."""

from collections.abc import Callable, Mapping
from weakref import WeakKeyDictionary

from bpe.symbols import Pair, Symbol
from bpe.trace.trace import Trace

_RANKS: "WeakKeyDictionary[Trace, Mapping[Pair, int]]" = WeakKeyDictionary()


def merge_rank(trace: Trace) -> Callable[[Symbol], int]:
    """Return the function from a token to the rank of its merge; -1 for a token that no merge makes.

    In a training that is the step that made it. In a replay it is the merge's rank in the tokenizer's list, where most
    merges are no steps.
    """
    if not trace.replayed:
        return trace.born
    if trace not in _RANKS:
        _RANKS[trace] = {pair: rank for rank, pair in enumerate(trace.replayed.tokenizer.merges)}
    ranks = _RANKS[trace]

    def rank_of(symbol: Symbol) -> int:
        pair = trace.parents(symbol)
        return -1 if pair is None else ranks[pair]

    return rank_of
