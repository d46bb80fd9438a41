"""Ties: how often a training had to choose, whether the choice mattered, and what chance would have made of it."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.settings.read_request import read_request
from bpe.settings.request import Text, TrainingRequest
from bpe.settings.tie_breaking import TIE_BREAKS
from bpe.symbols import Symbol
from bpe.text.variants import Variant
from bpe.trace.trace import Trace
from bpe.training.trainer import Training

Kind = Literal["none", "harmless", "cascaded", "open"]


@dataclass(frozen=True, slots=True)
class TieMap:
    """Every merge of a training by what its tie came to.

    none      one pair had the highest count
    harmless  all tied pairs were merged at that count sooner or later: the order made no difference
    cascaded  a merge took from the count of a tied pair: another choice would have led elsewhere
    open      tied pairs were still waiting when training ended
    """

    tied: "Sequence[int]"  # pairs that had the highest count, at every merge
    kinds: tuple[Kind, ...]

    @property
    def steps_tied(self) -> int:
        """Merges that a rule had to decide."""
        return len(self.kinds) - self.kinds.count("none")

    @property
    def share(self) -> float:
        """Of all merges, those that a rule had to decide."""
        return self.steps_tied / len(self.kinds) if self.kinds else 0.0

    @property
    def largest(self) -> int | None:
        """The rank of the first of the largest ties; None where nothing ever tied."""
        return self.tied.index(max(self.tied)) if self.steps_tied else None


def tie_map(trace: Trace) -> TieMap:
    """What the tie at each merge came to, by replaying the counts once.

    While a count is the highest, a pair has it either from the start of that stretch or from its first merge on, and
    leaves it by being merged or by losing occurrences to a merge; then every tie it took part in cascaded.

    >>> import bpe
    >>> tie_map(bpe.train({"ab": 2, "cd": 2}, "bytes-whitespace")).kinds
    ('harmless', 'none')
    >>> tie_map(bpe.train({"abc": 2}, "bytes-whitespace")).kinds
    ('cascaded', 'none')
    """
    log = trace.log
    steps = len(log)
    counts = dict(zip(log.pairs, log.pair_counts, strict=True))
    symbols, may_merge = trace.symbols, trace.request.may_merge
    cascades, waits = _Ranges(steps), _Ranges(steps)
    joined: dict[PairKey, int] = {}  # when a pair came to have the highest count, if later than `stretch`
    stretch = 0  # the merge from which on the highest count is what it is
    for rank in range(steps):
        height = log.counts[rank]
        if rank and height != log.counts[rank - 1]:
            stretch = rank
            joined.clear()
        merged = log.lefts[rank] << SHIFT | log.rights[rank]
        before: dict[PairKey, int] = {}
        for lost, gained, change in log.changes_of(rank):
            for pair, by in ((lost, -change), (gained, change)):
                before.setdefault(pair, counts.get(pair, 0))
                counts[pair] = counts.get(pair, 0) + by
        counts[merged] = 0
        for pair, was in before.items():
            if pair != merged and was == height > counts[pair] and may_merge(*_spelled(pair, symbols)):
                cascades.add(max(stretch, joined.get(pair, 0)), rank)
            elif was != height == counts[pair]:
                joined[pair] = rank + 1
    if steps:
        for pair, count in counts.items():
            if count == log.counts[-1] and may_merge(*_spelled(pair, symbols)):
                waits.add(max(stretch, joined.get(pair, 0)), steps - 1)
    tied = array("q", log.tied)
    kinds: Iterator[Kind] = (
        "none" if number < 2 else "cascaded" if cascaded else "open" if waiting else "harmless"
        for number, cascaded, waiting in zip(tied, cascades.covered(), waits.covered(), strict=True)
    )
    return TieMap(tied, tuple(kinds))


def _spelled(pair: PairKey, symbols: Sequence[Symbol]) -> tuple[Symbol, Symbol]:
    return symbols[pair >> SHIFT], symbols[pair & MASK]


class _Ranges:
    """Which of the places 0 … size - 1 some range covers."""

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
    """What seeded draws came to so far."""

    draws: int
    times: Mapping[Symbol, int]  # token -> in how many draws it was learned
    totals: tuple[int, ...]  # tokens the corpus takes at the end, for each draw

    @property
    def always(self) -> list[Symbol]:
        """The tokens every draw learned."""
        return [token for token, times in self.times.items() if times == self.draws]

    @property
    def sometimes(self) -> list[tuple[Symbol, int]]:
        """(token, in how many draws) for those that depend on the draw, the most frequent first."""
        return [(token, times) for token, times in Counter(self.times).most_common() if times < self.draws]


def random_tie_study(
    text: Text, draws: int, variant: str | Variant = "char-eow", **settings: Any
) -> Iterator[RandomTieStudy]:
    """Train with ties drawn by lot, seeds 0 to `draws` - 1; after each, what all so far have in common.

    `settings` are those of `bpe.train`, but for tie_break and seed. The text is cut and counted once.
    """
    recipe = read_request(variant, TIE_BREAKS["random"], **settings)
    frequencies = recipe.count(text)
    return _drawn(recipe, frequencies, draws)


def _drawn(recipe: TrainingRequest, frequencies: Mapping[str, int], draws: int) -> Iterator[RandomTieStudy]:
    times: Counter[Symbol] = Counter()
    totals: list[int] = []
    for seed in range(draws):
        training = Training(replace(recipe, seed=seed), frequencies)
        tokens = [step.pair[0] + step.pair[1] for step in training]
        times.update(tokens)
        totals.append(training.trace().tokens_by_step()[-1])
        yield RandomTieStudy(seed + 1, dict(times), tuple(totals))
