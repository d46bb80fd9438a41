"""The bootstrap: how far a figure would move if the held-out text were another sample of the same kind.

Units of text (documents, paragraphs, lines) are drawn with replacement, as many as there are, and the figure is
computed anew from their sums, many times (Efron 1979, Bootstrap methods: another look at the jackknife). The middle
95% of the results are the percentile interval (Efron and Tibshirani 1993, An introduction to the bootstrap, chapter
13). All lanes are measured on the same units, so a difference between lanes is paired.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from random import Random

from bpe.checkpoints import checkpoint

RESAMPLES = 2_000
AT_ONCE = 250  # resamples of one task of an executor
MOST_UNITS = 200  # neighbouring units are joined until there are at most so many
CONFIDENCE = 0.95

Row = Sequence[int]  # what one unit adds to each sum


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
    columns = [list(column) for column in zip(*joined(rows), strict=True)]
    starts = range(0, resamples, AT_ONCE)
    tasks = [json.dumps([columns, seed, start, min(AT_ONCE, resamples - start)]).encode() for start in starts]
    sums: list[tuple[int, ...]] = []
    for result in _results(tasks, executor):
        checkpoint()
        sums += map(tuple, json.loads(result))
        if on_progress:
            on_progress(len(sums) / resamples)
    return sums


def _results(tasks: Sequence[bytes], executor: Executor | None) -> Iterator[bytes]:
    if executor is None:
        return map(resample_in_worker, tasks)
    futures = [executor.submit(resample_in_worker, task) for task in tasks]
    return (future.result() for future in futures)


def resample_in_worker(task: bytes) -> bytes:
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


def joined(rows: Sequence[Row], most: int = MOST_UNITS) -> list[tuple[int, ...]]:
    """Return the sums of neighbouring rows, at most `most` of them.

    Neighbours resemble each other. Drawing groups of them keeps what they share (Carlstein 1986).

    >>> joined([(1, 10), (2, 20), (3, 30)], most=2)
    [(1, 10), (5, 50)]
    """
    groups = min(most, len(rows))
    edges = [number * len(rows) // groups for number in range(groups + 1)] if groups else []
    return [tuple(map(sum, zip(*rows[start:end], strict=True))) for start, end in pairwise(edges)]


def percentile_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the ends of the middle part of the values that holds the share `confidence` of them.

    >>> percentile_interval(range(1000))
    (25, 974)
    """
    ordered = sorted(values)
    outside = int(len(ordered) * (1 - confidence) / 2 + 1e-9)
    return ordered[outside], ordered[-1 - outside]
