"""Ties: how often a training had to choose, whether the choice mattered, and what random choices lead to."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from bpe.checkpoints import checkpoint
from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.settings.pieces import MergeFilter
from bpe.settings.request import Text, TrainingRequest, read_request
from bpe.settings.tie_breaking import TIE_BREAKS
from bpe.symbols import Symbol
from bpe.text.counting import Counts
from bpe.text.variants import Variant
from bpe.trace.merge_log import MergeLog
from bpe.trace.trace import Trace
from bpe.training.trainer import Training

Kind = Literal["none", "harmless", "cascaded", "open"]


@dataclass(frozen=True, slots=True)
class TieMap:
    """Every merge of a training with the consequence of its tie.

    none      one pair had the highest count
    harmless  all tied pairs were merged while they had that count
    cascaded  a merge used occurrences of a tied pair, so its count fell
    open      tied pairs were still to be merged when training ended
    """

    tied: Sequence[int]  # by rank: number of pairs that had the highest count
    kinds: tuple[Kind, ...]  # by rank

    @property
    def steps_tied(self) -> int:
        """Number of merges that a tie-breaking rule had to decide."""
        return len(self.kinds) - self.kinds.count("none")

    @property
    def largest(self) -> int | None:
        """Rank of the first of the largest ties; None if no merge was tied."""
        return self.tied.index(max(self.tied)) if self.steps_tied else None


def tie_map(trace: Trace) -> TieMap:
    """Return the consequence of the tie at each merge, from one replay of the counts.

    Consecutive merges with the same count form a level. A pair joins a level at the level's first merge, or at a later
    merge that creates it with that count. It leaves the level when it is merged, or when a merge lowers its count; then
    every tie it took part in has cascaded.

    >>> import bpe
    >>> tie_map(bpe.train({"ab": 2, "cd": 2}, "bytes-whitespace")).kinds
    ('harmless', 'none')
    >>> tie_map(bpe.train({"abc": 2}, "bytes-whitespace")).kinds
    ('cascaded', 'none')
    """
    first, last = trace.may_merge_at(0), trace.may_merge_at(len(trace.log))
    kinds: list[Kind] = []
    for stage in trace.log.stages:
        after = trace.second_stage
        filters = [
            first if after is None or len(kinds) + rank < after else last for rank in range(len(stage))
        ]
        kinds += _kinds(stage, trace.symbols, filters)
    return TieMap(array("q", trace.log.tied), tuple(kinds))


def _kinds(log: MergeLog, symbols: Sequence[Symbol], filters: Sequence[MergeFilter]) -> Iterator[Kind]:
    """Yield the consequence of the tie at each merge of one stage. `filters` allow pairs, at each of its merges."""
    steps = len(log)
    counts = dict(zip(log.pairs, log.pair_counts, strict=True))
    cascaded_at, open_at = _Ranges(steps), _Ranges(steps)
    joined: dict[PairKey, int] = {}  # pair -> the rank at which it last joined a level
    level_start = 0  # rank of the level's first merge
    for rank in range(steps):
        top_count = log.counts[rank]
        if rank and top_count != log.counts[rank - 1]:
            level_start = rank
        merged = log.lefts[rank] << SHIFT | log.rights[rank]
        before: dict[PairKey, int] = {}
        for old, gaining, lost, gained in log.changes_of(rank):
            for pair, by in ((old, -lost), (gaining, gained)):
                before.setdefault(pair, counts.get(pair, 0))
                counts[pair] = counts.get(pair, 0) + by
        counts[merged] = 0
        for pair, was in before.items():
            if pair != merged and was == top_count > counts[pair] and filters[rank](*_spelled(pair, symbols)):
                cascaded_at.add(max(level_start, joined.get(pair, 0)), rank)
            elif was != top_count == counts[pair]:
                joined[pair] = rank + 1
    if steps:
        for pair, count in counts.items():
            if count == log.counts[-1] and filters[-1](*_spelled(pair, symbols)):
                open_at.add(max(level_start, joined.get(pair, 0)), steps - 1)
    for number, cascaded, still_open in zip(log.tied, cascaded_at.covered(), open_at.covered(), strict=True):
        yield "none" if number < 2 else "cascaded" if cascaded else "open" if still_open else "harmless"


def _spelled(pair: PairKey, symbols: Sequence[Symbol]) -> tuple[Symbol, Symbol]:
    return symbols[pair >> SHIFT], symbols[pair & MASK]


class _Ranges:
    """A set of ranges of ranks below `size`. It finds the ranks that at least one range covers."""

    def __init__(self, size: int) -> None:
        self._edges = [0] * (size + 1)

    def add(self, first: int, last: int) -> None:
        if first <= last:
            self._edges[first] += 1
            self._edges[last + 1] -= 1

    def covered(self) -> Iterator[bool]:
        depth = 0
        for edge in self._edges[:-1]:
            depth += edge
            yield depth > 0


@dataclass(frozen=True, slots=True)
class RandomTieStudy:
    """The results of several trainings with random tie-breaking."""

    draws: int  # number of trainings
    times: Mapping[Symbol, int]  # token -> number of trainings that learned it
    totals: tuple[int, ...]  # for each training: how many tokens the corpus needs in the end

    @property
    def always(self) -> list[Symbol]:
        """Tokens that every training learned."""
        return [token for token, times in self.times.items() if times == self.draws]

    @property
    def sometimes(self) -> list[tuple[Symbol, int]]:
        """(token, number of trainings that learned it) of all other tokens, the most often learned first."""
        return [(token, times) for token, times in Counter(self.times).most_common() if times < self.draws]


def random_tie_study(
    text: Text, draws: int, variant: str | Variant = "char-eow", **settings: Any
) -> Iterator[RandomTieStudy]:
    """Train with random tie-breaking, with seeds 0 to `draws` - 1, and yield the study after each training.

    `settings` are those of `bpe.train` except tie_break and seed. The text is split and counted once. Raises BPEError
    as `bpe.train` does.
    """
    request = read_request(variant, TIE_BREAKS["random"], **settings)
    counted = request.counts_of_stages(text)  # here, not in the iterator, so that errors are raised at once
    return _studies(request, counted, draws)


def _studies(
    request: TrainingRequest, counted: tuple[Counts, Counts | None], draws: int
) -> Iterator[RandomTieStudy]:
    times: Counter[Symbol] = Counter()
    totals: list[int] = []
    for seed in range(draws):
        training = Training(replace(request, seed=seed), counted[0], second_frequencies=counted[1])
        for step in training:
            times[step.pair[0] + step.pair[1]] += 1
            checkpoint()
        totals.append(training.trace().tokens_by_step()[-1])
        yield RandomTieStudy(seed + 1, dict(times), tuple(totals))
