"""Steps: the merges of a training, with the counts that decided them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from bpe.symbols import Pair, Symbol
from bpe.trace.merge_log import MergeLog


@dataclass(frozen=True, slots=True)
class Step:
    """One merge and the counts that decided it."""

    rank: int  # from 0
    pair: Pair
    count: int  # weighted occurrences, overlapping ones included
    tied: int  # pairs that had this count, itself included
    replaced: int  # occurrences replaced: fewer than `count` where a symbol follows itself


class Steps(Sequence[Step]):
    """The steps of a trace. Each Step is made on access."""

    def __init__(self, log: MergeLog, symbols: Sequence[Symbol]) -> None:
        self._log = log
        self._symbols = symbols

    def __len__(self) -> int:
        return len(self._log)

    @overload
    def __getitem__(self, rank: int) -> Step: ...
    @overload
    def __getitem__(self, rank: slice) -> list[Step]: ...
    def __getitem__(self, rank: int | slice) -> Step | list[Step]:
        if isinstance(rank, slice):
            return [self[index] for index in range(*rank.indices(len(self)))]
        rank = range(len(self))[rank]
        log, symbols = self._log, self._symbols
        pair = symbols[log.lefts[rank]], symbols[log.rights[rank]]
        return Step(rank, pair, log.counts[rank], log.tied[rank], log.replaced[rank])
