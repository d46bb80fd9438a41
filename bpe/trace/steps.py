"""Steps: the merges of a training, with the counts that decided them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import overload

from bpe.symbols import Pair, Symbol
from bpe.trace.merge_log import MergeLog


@dataclass(frozen=True, slots=True)
class Step:
    """One merge and the counts that decided it."""

    rank: int  # from 0
    pair: Pair
    count: int  # weighted occurrences, overlapping ones included unless the settings skip them
    tied: int  # pairs that had the highest count, itself included; 0 in a replay if its own count was lower
    replaced: int  # occurrences replaced: fewer than `count` where a symbol follows itself
    # Of a replayed merge: its rank in the tokenizer's list.
    list_rank: int | None = field(default=None, repr=False)


class Steps(Sequence[Step]):
    """The steps of a trace. Each Step is made on access."""

    def __init__(self, log: MergeLog, symbols: Sequence[Symbol], list_ranks: Sequence[int] = ()) -> None:
        """Read the steps of this log. `list_ranks` are those of the first steps, if they are a replay."""
        self._log = log
        self._symbols = symbols
        self._list_ranks = list_ranks

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
        list_rank = self._list_ranks[rank] if rank < len(self._list_ranks) else None
        return Step(rank, pair, log.counts[rank], log.tied[rank], log.replaced[rank], list_rank)
