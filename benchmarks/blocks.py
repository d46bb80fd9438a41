"""Runs in blocks: how far the means of several tokenizers lie apart, beside the noise of a run.

A block is a seed of the model: with one seed, every tokenizer's model starts from the same weights and reads the same
places of the text. So what a seed changes is taken off before tokenizers are compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial
from typing import Any

import numpy as np

Runs = np.ndarray[Any, np.dtype[np.float64]]  # a row for each seed, a column for each tokenizer

DRAWS = 100_000  # shuffles, if there are more than can be listed
LISTED = 20_000  # most shuffles that are all listed
USUAL = 0.95  # share of the shuffles that a range by chance covers
CHUNK = 10_000  # shuffles at a time


@dataclass(frozen=True, slots=True)
class Differences:
    """What an analysis of variance with blocks finds in runs. Shares are of the mean of all runs."""

    means: tuple[float, ...]  # of the tokenizers
    mean: float
    freedom: tuple[int, int]  # degrees of freedom of F
    f: float
    p: float  # share of the shuffles with an F as large
    noise: float  # share: what is left of a run's deviation, without its seed's and its tokenizer's
    range: float  # share: from the lowest mean to the highest
    by_chance: float  # share: the range that the means of 95 in 100 shuffles stay within


def differences(runs: Runs) -> Differences:
    """Return how far the tokenizers of runs lie apart.

    A shuffle exchanges the runs of one seed among the tokenizers, for every seed. If tokenizers make no difference,
    every shuffle is as likely as the runs. If there are too many shuffles to list, 100,000 are drawn, always the same.

    >>> found = differences(np.array([[1.0, 2.0, 4.0], [2.0, 3.0, 5.0], [4.0, 5.0, 8.0]]))
    >>> found.freedom, round(found.f, 1), round(found.p, 3)
    ((2, 4), 79.0, 0.028)
    """
    seeds, tokenizers = runs.shape
    mean = float(runs.mean())
    left = runs - runs.mean(axis=1, keepdims=True) - runs.mean(axis=0) + mean
    freedom = (tokenizers - 1, (tokenizers - 1) * (seeds - 1))
    noise = float((left**2).sum() / freedom[1])
    between = float(seeds * ((runs.mean(axis=0) - mean) ** 2).sum() / freedom[0])
    # Seeds and all runs together stay as they are in a shuffle, so F grows with the sum of squares of the means.
    squares = ((runs.mean(axis=0) - mean) ** 2).sum()
    as_far, ranges = 0, []
    for shuffled in _shuffles(runs):
        means = shuffled.mean(axis=1)
        as_far += int((((means - mean) ** 2).sum(axis=1) >= squares * (1 - 1e-9)).sum())
        ranges.append(np.ptp(means, axis=1))
    every = np.concatenate(ranges)
    drawn = int(len(every) == DRAWS)  # then the runs themselves count as one more shuffle
    return Differences(
        means=tuple(map(float, runs.mean(axis=0))),
        mean=mean,
        freedom=freedom,
        f=between / noise,
        p=(as_far + drawn) / (len(every) + drawn),
        noise=noise**0.5 / mean,
        range=float(np.ptp(runs.mean(axis=0))) / mean,
        by_chance=float(np.quantile(every, USUAL)) / mean,
    )


def _shuffles(runs: Runs) -> Iterator[Runs]:
    """Yield shuffles of the runs, many at a time.

    Of all shuffles, only those are listed that leave the first seed alone: exchanging columns changes no F.
    """
    seeds, tokenizers = runs.shape
    if factorial(tokenizers) ** (seeds - 1) <= LISTED:
        orders = [np.array(order) for order in permutations(range(tokenizers))]
        first = orders[:1]
        yield np.array(
            [
                [row[order] for row, order in zip(runs, chosen, strict=True)]
                for chosen in product(first, *[orders] * (seeds - 1))
            ]
        )
        return
    random = np.random.default_rng(0)
    for _ in range(DRAWS // CHUNK):
        yield random.permuted(np.broadcast_to(runs, (CHUNK, *runs.shape)), axis=2)
