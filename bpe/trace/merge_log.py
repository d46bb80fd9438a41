"""Merge log: the decisions of one training, a few integers per step, from which the counts at any step are derived.

Symbols are internal ids and pairs are pair keys (`bpe.pair_ids`).
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, repeat
from typing import overload

from bpe.pair_ids import MASK, SHIFT, PairKey, compact
from bpe.symbols import Pair, Symbol


class MergeLog:
    """The decisions of one training, in parallel arrays.

    The neighbours of all merges are stored in one array, merge after merge: first those after the merged pair, then
    those before it. `after_ends[rank]` is where the ones after end, `before_ends[rank]` where the ones before end.
    """

    FIELDS = (
        "pairs",
        "pair_counts",
        "symbol_counts",
        "lefts",
        "rights",
        "counts",
        "tied",
        "replaced",
        "after_ends",
        "before_ends",
        "neighbours",
        "gains",
        "rival_ranks",
        "rivals",
        "partial_ranks",
        "unmerged",
        "second_pairs",
        "second_pair_counts",
        "second_symbol_counts",
    )

    # Before the first merge: every pair, its count, and the count of every symbol, by id.
    pairs: "array[int]"
    pair_counts: "array[int]"
    symbol_counts: "array[int]"

    # Per step: the merged pair, its count, how many pairs tied, and how many occurrences were replaced (fewer than
    # counted where a symbol follows itself).
    lefts: "array[int]"
    rights: "array[int]"
    counts: "array[int]"
    tied: "array[int]"
    replaced: "array[int]"
    after_ends: "array[int]"
    before_ends: "array[int]"

    # Per neighbour of a merge: its symbol, what its new pair gained, and what its old pair lost. If overlaps count, the
    # last two are the same array.
    neighbours: "array[int]"
    gains: "array[int]"
    losses: "array[int]"

    # Per tied pair that overlaps the pair of a merge: the rank of the merge, and the pair. They could be found again
    # in the words, which takes an eighth of the training's time.
    rival_ranks: "array[int]"
    rivals: "array[int]"

    # Per merge that a replay makes at some positions only: its rank, and the count that its pair keeps.
    partial_ranks: "array[int]"
    unmerged: "array[int]"

    # The same as the three before the first merge, but at the beginning of a second stage, whose words are longer.
    second_pairs: "array[int]"
    second_pair_counts: "array[int]"
    second_symbol_counts: "array[int]"

    def __init__(self, alphabet_size: int, overlaps: bool = True) -> None:
        """Make an empty log. `overlaps`: whether overlapping occurrences of a pair count."""
        self.alphabet_size = alphabet_size
        self.overlaps = overlaps
        self.second_after: int | None = None  # number of merges before the second stage; None without one
        for name in self.FIELDS:
            setattr(self, name, array("q"))
        self.losses = self.gains if overlaps else array("q")

    def __len__(self) -> int:
        return len(self.lefts)

    def begin(self, pair_counts: Mapping[PairKey, int], unpaired: Mapping[int, int]) -> None:
        """Store the counts before the first merge.

        `unpaired` says how often each symbol is the right one of no counted pair.
        """
        self.pairs, self.pair_counts, self.symbol_counts = _counts(pair_counts, unpaired, self.alphabet_size)

    def begin_second(self, pair_counts: Mapping[PairKey, int], unpaired: Mapping[int, int]) -> None:
        """Store the counts at the beginning of the second stage."""
        self.second_after = len(self)
        self.second_pairs, self.second_pair_counts, self.second_symbol_counts = _counts(
            pair_counts, unpaired, self.alphabet_size + len(self)
        )

    @cached_property
    def stages(self) -> "tuple[MergeLog, ...]":
        """The log of each stage, as if its first symbols were its alphabet. Ask only when the log no longer grows."""
        if self.second_after is None:
            return (self,)
        after = self.second_after
        middle = self.before_ends[after - 1] if after else 0
        first = MergeLog(self.alphabet_size, self.overlaps)
        second = MergeLog(self.alphabet_size + after, self.overlaps)
        first.pairs, first.pair_counts, first.symbol_counts = self.pairs, self.pair_counts, self.symbol_counts
        second.pairs, second.pair_counts = self.second_pairs, self.second_pair_counts
        second.symbol_counts = self.second_symbol_counts
        for name in ("lefts", "rights", "counts", "tied", "replaced"):
            numbers = getattr(self, name)
            setattr(first, name, numbers[:after])
            setattr(second, name, numbers[after:])
        for name in ("neighbours", "gains", "losses"):
            numbers = getattr(self, name)
            setattr(first, name, numbers[:middle])
            setattr(second, name, numbers[middle:])
        for name in ("after_ends", "before_ends"):
            numbers = getattr(self, name)
            setattr(first, name, numbers[:after])
            setattr(second, name, array("q", (end - middle for end in numbers[after:])))
        return first, second

    def at(self, step: int) -> "tuple[MergeLog, int]":
        """Return the log of the stage that counts after `step` merges, and how many of its merges are done."""
        if self.second_after is None or step < self.second_after:
            return self.stages[0], step
        return self.stages[1], step - self.second_after

    def add(
        self,
        pair: PairKey,
        count: int,
        tied: int,
        replaced: int,
        after: Iterable[int],
        before: Iterable[int],
        lost: Iterable[int],
        gained: Iterable[int],
        rivals: Sequence[PairKey],
        unmerged: int = 0,
    ) -> None:
        """Store one merge. `lost` and `gained` hold a number for each neighbour after it, then for each one before it.

        `lost` is that of the neighbour's old pair, `gained` that of its new one. If overlaps count, they are equal.
        `rivals` are the tied pairs that overlap the merged one, by first occurrence. `unmerged` is the count that the
        merged pair keeps.
        """
        if unmerged:
            self.partial_ranks.append(len(self))
            self.unmerged.append(unmerged)
        self.rival_ranks.extend(repeat(len(self), len(rivals)))
        self.rivals.extend(rivals)
        self.lefts.append(pair >> SHIFT)
        self.rights.append(pair & MASK)
        self.counts.append(count)
        self.tied.append(tied)
        self.replaced.append(replaced)
        self.neighbours.extend(after)
        self.after_ends.append(len(self.neighbours))
        self.neighbours.extend(before)
        self.before_ends.append(len(self.neighbours))
        self.gains.extend(gained)
        if not self.overlaps:
            self.losses.extend(lost)

    def compacted(self) -> "MergeLog":
        """Return a copy in the smallest integer types. Merges added later do not change it."""
        log = MergeLog(self.alphabet_size, self.overlaps)
        for name in self.FIELDS:
            numbers = getattr(self, name)
            setattr(log, name, numbers if name in ("pairs", "second_pairs") else compact(numbers))
        log.losses = log.gains if self.overlaps else compact(self.losses)
        log.second_after = self.second_after
        return log

    def changes_of(self, rank: int) -> Iterator[tuple[PairKey, PairKey, int, int]]:
        """Yield (old pair, new pair, what the old one lost, what the new one gained) for each neighbour of a merge."""
        left, right, new = self.lefts[rank], self.rights[rank], self.alphabet_size + rank
        start = self.before_ends[rank - 1] if rank else 0
        middle, end = self.after_ends[rank], self.before_ends[rank]
        losses, gains = self.losses, self.gains
        for index in range(start, end):
            other = self.neighbours[index]
            if index < middle:
                yield right << SHIFT | other, new << SHIFT | other, losses[index], gains[index]
            else:
                yield other << SHIFT | left, other << SHIFT | new, losses[index], gains[index]

    def pair_changes(self, rank: int) -> dict[PairKey, int]:
        """Return the change of each pair's count by one merge, where it is not 0."""
        changes: dict[PairKey, int] = {}
        for old, new, lost, gained in self.changes_of(rank):
            changes[old] = changes.get(old, 0) - lost
            changes[new] = changes.get(new, 0) + gained
        changes[self.lefts[rank] << SHIFT | self.rights[rank]] = self.unmerged_of(rank) - self.counts[rank]
        return {pair: change for pair, change in changes.items() if change}

    def unmerged_of(self, rank: int) -> int:
        """Return the count that the pair of a merge keeps: 0, unless a replay makes it at some positions only."""
        index = bisect_left(self.partial_ranks, rank)
        found = index < len(self.partial_ranks) and self.partial_ranks[index] == rank
        return self.unmerged[index] if found else 0

    def rivals_of(self, rank: int) -> "array[int]":
        """Return the tied pairs that overlap the pair of a merge, by first occurrence."""
        first = bisect_left(self.rival_ranks, rank)
        return self.rivals[first : bisect_right(self.rival_ranks, rank, first)]

    def symbol_counts_at(self, step: int) -> list[int]:
        """Return how often each symbol occurs in the corpus after `step` merges, by id."""
        log, done = self.at(step)
        counts = [*log.symbol_counts, *log.replaced[:done]]
        for left, right, replaced in zip(
            log.lefts[:done], log.rights[:done], log.replaced[:done], strict=True
        ):
            counts[left] -= replaced
            counts[right] -= replaced
        return counts

    def tokens_at(self, step: int) -> int:
        """Return how many tokens the corpus has after `step` merges."""
        log, done = self.at(step)
        return sum(log.symbol_counts) - sum(log.replaced[:done])

    def tokens_by_step(self) -> list[int]:
        """Return how many tokens the corpus has after 0, 1, 2, … merges."""
        return self._by_step(_tokens_by_step)

    def in_use_by_step(self) -> list[int]:
        """Return how many different symbols the corpus holds after 0, 1, 2, … merges."""
        return self._by_step(_in_use_by_step)

    def _by_step(self, of_stage: "Callable[[MergeLog], list[int]]") -> list[int]:
        *first, last = map(of_stage, self.stages)
        return [*(number for numbers in first for number in numbers[:-1]), *last]


@dataclass(frozen=True, slots=True)
class Step:
    """One merge and the counts that decided it."""

    rank: int  # from 0
    pair: Pair
    count: int  # weighted occurrences, overlapping ones included unless the settings skip them
    tied: int  # pairs that had the highest count, itself included; 0 in a replay if its own count was lower
    # Occurrences replaced: fewer than `count` where a symbol follows itself, and where a replayed list is out of order.
    replaced: int
    # The rank in the tokenizer's list, of a replayed merge.
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


def _counts(
    pair_counts: Mapping[PairKey, int], unpaired: Mapping[int, int], size: int
) -> "tuple[array[int], array[int], array[int]]":
    """Return the pairs, their counts, and the count of every symbol below `size`."""
    # Every symbol is either the right one of a counted pair or of none.
    symbol_counts = [unpaired.get(symbol, 0) for symbol in range(size)]
    for pair, count in pair_counts.items():
        symbol_counts[pair & MASK] += count
    return (
        array("q", pair_counts),
        compact(array("q", pair_counts.values())),
        compact(array("q", symbol_counts)),
    )


def _tokens_by_step(log: MergeLog) -> list[int]:
    totals = accumulate(
        log.replaced, lambda tokens, replaced: tokens - replaced, initial=sum(log.symbol_counts)
    )
    return list(totals)


def _in_use_by_step(log: MergeLog) -> list[int]:
    counts = [*log.symbol_counts, *log.replaced]
    in_use = [sum(1 for count in log.symbol_counts if count)]
    for left, right, replaced in zip(log.lefts, log.rights, log.replaced, strict=True):
        counts[left] -= replaced
        counts[right] -= replaced
        lost = (counts[left] == 0) + (right != left and counts[right] == 0)
        in_use.append(in_use[-1] + 1 - lost)
    return in_use
