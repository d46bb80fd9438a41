"""Exact bounds: how large a share may be if few or none of the drawn words show it.

Resampling a text in which no word is split differently gives no such word each time, so its interval has no width. The
exact binomial interval (Clopper and Pearson 1934, The use of confidence or fiducial limits illustrated in the case of
the binomial) still says what share can go unseen: with none of n words, about 3.7 / n.
"""

from collections.abc import Callable, Sequence
from math import exp, lgamma, log, log1p

from bpe.analysis.significance.intervals.bootstrap import CONFIDENCE, Estimate

# Units. If no more of them hold a word that is split differently, the bound decides. With 5 and more, 300 simulated
# texts of 20 to 60 lines have the true share in their resampled intervals as often as they should.
FEW = 4
STEPS = 60  # halvings of the range in which an end of the interval lies


def clopper_pearson(times: int, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the exact interval of a probability that showed itself so many times in so many independent trials.

    >>> low, high = clopper_pearson(5, 100)
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


def widened(
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
    low, high = clopper_pearson(times, trials, confidence)
    return Estimate(same.value, (min(same.interval[0], 1 - high), max(same.interval[1], 1 - low)))
