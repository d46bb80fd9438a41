"""Intervals: how far a figure would move if the held-out text were another sample of the same kind.

Each unit of the text (document, paragraph, line) has a row of sums, from which the figures of all lanes are computed.
Units are drawn with replacement, as many as there are, and the figures are computed anew, many times (Efron 1979,
Bootstrap methods: another look at the jackknife). The middle 95% of the results are the percentile interval (Efron and
Tibshirani 1993, An introduction to the bootstrap, chapter 13). All lanes are measured on the same units, so a
difference between lanes is paired.

Resampling a text in which no word is split differently gives no such word each time, so its interval has no width. The
exact binomial interval (Clopper and Pearson 1934, The use of confidence or fiducial limits illustrated in the case of
the binomial) still says what share can go unseen: with none of n words, about 3.7 / n.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import exp, lgamma, log, log1p
from operator import itemgetter
from random import Random

from bpe.checkpoints import checkpoint
from bpe.comparison.held_out import HeldOut, HeldOutWords
from bpe.comparison.words import EncodedText, split_differently

RESAMPLES = 2_000
AT_ONCE = 250  # resamples of one task of an executor
MOST_UNITS = 200  # neighbouring units are joined until there are at most so many
CONFIDENCE = 0.95
Row = Sequence[int]  # what one unit adds to each sum

# Units. If no more of them hold a word that is split differently, the bound decides. With 5 and more, 300 simulated
# texts of 20 to 60 lines have the true share in their resampled intervals as often as they should.
FEW = 4
STEPS = 60  # halvings of the range in which an end of the interval lies

# Columns of a row. After them: the tokens of each lane, then for each pair of lanes the occurrences of words that both
# split the same way.
CHARACTERS, WORDS, COMPARED, SAME = range(4)
LANES = 4
Sums = Sequence[int]
Figure = Callable[[Sums], float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, and the interval that holds it with the given confidence; None if there are too few units."""

    value: float
    interval: tuple[float, float] | None = None

    @property
    def is_positive(self) -> bool:
        """Whether the whole interval is above 0."""
        return self.interval is not None and self.interval[0] > 0

    @property
    def is_negative(self) -> bool:
        """Whether the whole interval is below 0."""
        return self.interval is not None and self.interval[1] < 0


def resampled_sums(
    rows: Sequence[Row],
    resamples: int = RESAMPLES,
    seed: int = 0,
    executor: Executor | None = None,
    on_progress: Callable[[float], object] | None = None,
) -> list[tuple[int, ...]]:
    """Return the sums of the columns of `rows` for each resample of the rows.

    The draws depend on the seed alone: with or without a `concurrent.futures.Executor`, the result is the same.
    `on_progress` is called with the share of the resamples that are done.
    """
    columns = [list(column) for column in zip(*_joined(rows), strict=True)]
    starts = range(0, resamples, AT_ONCE)
    tasks = [json.dumps([columns, seed, start, min(AT_ONCE, resamples - start)]).encode() for start in starts]
    sums: list[tuple[int, ...]] = []
    for result in _results(tasks, executor):
        checkpoint()
        sums += map(tuple, json.loads(result))
        if on_progress:
            on_progress(len(sums) / resamples)
    return sums


def _joined(rows: Sequence[Row], most: int = MOST_UNITS) -> list[tuple[int, ...]]:
    """Return the sums of neighbouring rows, at most `most` of them.

    Neighbours resemble each other. Drawing groups of them keeps what they share (Carlstein 1986).

    >>> _joined([(1, 10), (2, 20), (3, 30)], most=2)
    [(1, 10), (5, 50)]
    """
    groups = min(most, len(rows))
    edges = [number * len(rows) // groups for number in range(groups + 1)] if groups else []
    return [tuple(map(sum, zip(*rows[start:end], strict=True))) for start, end in pairwise(edges)]


def pairs_of(lanes: int) -> list[tuple[int, int]]:
    """Return the indices of every two lanes."""
    return list(combinations(range(lanes), 2))


def rows_of(
    text: HeldOut, encoded: Sequence[Sequence[EncodedText]], words: HeldOutWords, by_line: bool
) -> list[tuple[int, ...]]:
    """Return the row of each unit. `encoded` holds the documents under each lane, and `words` are segmented by them.

    `by_line`: each line is encoded by itself, so line ends are no characters of the text.
    """
    tokens = [
        [
            number
            for units, document in zip(text.units_of, documents, strict=True)
            for number in document.tokens_in(units)
        ]
        for documents in encoded
    ]
    pairs = pairs_of(len(encoded))
    differing = {  # position of a word -> the numbers of the pairs of lanes that split it differently
        position: [
            number
            for number, (first, second) in enumerate(pairs)
            if split_differently((word.tokens[first], word.tokens[second]))
        ]
        for position, word in enumerate(words.words)
        if word.differs
    }
    rows = []
    for number, (unit, counts) in enumerate(zip(text.units, words.by_unit, strict=True)):
        compared = counts.total()
        same, same_of_pair = compared, [compared] * len(pairs)
        for word in counts.keys() & differing.keys():
            same -= counts[word]
            for pair in differing[word]:
                same_of_pair[pair] -= counts[word]
        of_lanes = [lane[number] for lane in tokens]
        characters = len(unit) - (unit.count("\n") + unit.count("\r") if by_line else 0)
        rows.append((characters, len(unit.split()), compared, same, *of_lanes, *same_of_pair))
    return rows


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a held-out text: of all its units, and of each resample of them, if there are resamples."""

    lanes: int
    totals: Sums
    resampled: Sequence[Sums]
    rows: Sequence[Sums]  # one for each unit
    copies: frozenset[int]  # numbers of the units that are copies of others

    def estimate(self, figure: Figure, confidence: float = CONFIDENCE) -> Estimate:
        """Return a figure of the whole text with its interval."""
        value = figure(self.totals)
        if not self.resampled:
            return Estimate(value)
        checkpoint()
        return Estimate(value, _percentile_interval(list(map(figure, self.resampled)), confidence))

    def same_splits(self) -> Estimate:
        """Return the share of the word occurrences that all lanes split the same way."""
        return self._same(SAME, CONFIDENCE)

    def same_splits_of(self, pair: int, confidence: float) -> Estimate:
        """Return the share of the word occurrences that a pair of lanes splits the same way."""
        return self._same(LANES + self.lanes + pair, confidence)

    def _same(self, column: int, confidence: float) -> Estimate:
        estimate = self.estimate(lambda sums: share(sums[column], sums[COMPARED]), confidence)
        rows = [row for number, row in enumerate(self.rows) if number not in self.copies]
        differing = [row[COMPARED] - row[column] for row in rows]
        return _widened(estimate, differing, sum(row[COMPARED] for row in rows), confidence)

    def compression(self, lane: int) -> Figure:
        """Return the function that gives a lane's characters per token."""
        return lambda sums: share(sums[CHARACTERS], sums[LANES + lane])

    def fertility(self, lane: int) -> Figure:
        """Return the function that gives a lane's tokens per word."""
        return lambda sums: share(sums[LANES + lane], sums[WORDS])

    def more_tokens(self, first: int, second: int) -> Figure:
        """Return the function that gives how many more tokens the second lane needs, as a share of the first's."""
        one, other = LANES + first, LANES + second
        return lambda sums: share(sums[other] - sums[one], sums[one])


def difference(first: Figure, second: Figure) -> Figure:
    """Return the function that gives the second figure minus the first."""
    return lambda sums: second(sums) - first(sums)


def share(part: int, whole: int) -> float:
    """Return the quotient; 0 if there is nothing to divide by."""
    return part / whole if whole else 0.0


def _results(tasks: Sequence[bytes], executor: Executor | None) -> Iterator[bytes]:
    if executor is None:
        return map(_resample_in_worker, tasks)
    futures = [executor.submit(_resample_in_worker, task) for task in tasks]
    return (future.result() for future in futures)


def _resample_in_worker(task: bytes) -> bytes:
    """Return the sums of some resamples. Task: JSON of [columns, seed, first resample, how many]; result: JSON."""
    columns, seed, start, resamples = json.loads(task)
    random = Random(f"{seed}:{start}")
    units = range(len(columns[0]))
    sums = []
    for _ in range(resamples):
        drawn = random.choices(units, k=len(units))
        pick = itemgetter(*drawn, drawn[0])  # one more, since it returns no tuple of a single item
        sums.append([sum(pick(column)) - column[drawn[0]] for column in columns])
    return json.dumps(sums).encode()


def _percentile_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the ends of the middle part of the values that holds the share `confidence` of them.

    >>> _percentile_interval(range(1000))
    (25, 974)
    """
    ordered = sorted(values)
    outside = int(len(ordered) * (1 - confidence) / 2 + 1e-9)
    return ordered[outside], ordered[-1 - outside]


def _clopper_pearson(times: int, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the exact interval of a probability that showed itself so many times in so many independent trials.

    >>> low, high = _clopper_pearson(5, 100)
    >>> round(low, 5), round(high, 5)
    (0.01643, 0.11283)
    """
    outside = (1 - confidence) / 2
    low = _where(lambda p: 1 - _at_most(times - 1, trials, p) - outside) if times else 0.0
    high = _where(lambda p: outside - _at_most(times, trials, p)) if times < trials else 1.0
    return low, high


def _where(rising: Callable[[float], float]) -> float:
    """Return where a rising function is 0, between 0 and 1."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _at_most(times: int, trials: int, p: float) -> float:
    """Return the probability of at most so many successes."""
    return sum(
        exp(
            lgamma(trials + 1)
            - lgamma(number + 1)
            - lgamma(trials - number + 1)
            + number * log(p)
            + (trials - number) * log1p(-p)
        )
        for number in range(times + 1)
    )


def _widened(
    same: Estimate, differing_in_units: Sequence[int], words: int, confidence: float = CONFIDENCE
) -> Estimate:
    """Return the share of words that are split the same way, with an interval that few units cannot make too narrow.

    `differing_in_units` counts, for each unit, the words that are split differently; `words` counts all words of units
    that are no copies of others. If at most FEW units hold such words, each of these units is one event.
    """
    times = sum(map(bool, differing_in_units))
    if same.interval is None or times > FEW or not words:
        return same
    trials = max(words * times // max(sum(differing_in_units), 1) if times else words, times)
    low, high = _clopper_pearson(times, trials, confidence)
    return Estimate(same.value, (min(same.interval[0], 1 - high), max(same.interval[1], 1 - low)))
