"""Pair index: the pruning threshold affects the speed of training, never the merges."""

import random
from typing import Any

import pytest

import bpe
from bpe.settings.request import read_request
from bpe.trace.merge_log import MergeLog
from bpe.training.pair_index import estimate_threshold

RNG = random.Random(7)
TEXT = " ".join("".join(RNG.choices("abc", weights=(5, 3, 1), k=RNG.randint(1, 9))) for _ in range(400))


def learned(
    rule: str, variant: str, threshold: int | None = None, **settings: Any
) -> tuple[list[list[int]], str]:
    """Return everything that a training decides, with pairs pruned at this threshold."""
    request = read_request(variant, rule, **settings)
    trace = bpe.Training(request, request.count(TEXT), threshold).finish().trace()
    return [getattr(trace.log, field).tolist() for field in MergeLog.FIELDS], trace.stopped


@pytest.mark.parametrize("threshold", [2, 5, 40, 10**9])
@pytest.mark.parametrize("variant", ["bytes-gpt2", "bytes"])
@pytest.mark.parametrize("rule", [rule for rule in bpe.TIE_BREAKS if rule != "manual"])
def test_a_wrong_threshold_changes_nothing(rule: str, variant: str, threshold: int) -> None:
    assert learned(rule, variant, threshold, merges=150) == learned(rule, variant, 1, merges=150)


@pytest.mark.parametrize("threshold", [None, 50])
def test_a_wrong_threshold_stops_at_the_same_merge(threshold: int | None) -> None:
    unpruned = [learned("first", "bytes-gpt2", 1, merges=10_000, min_count=count) for count in (3, 1)]
    assert [stopped for _, stopped in unpruned] == ["min_count", "no pairs"]
    assert unpruned == [
        learned("first", "bytes-gpt2", threshold, merges=10_000, min_count=count) for count in (3, 1)
    ]


@pytest.mark.parametrize(
    ("frequencies", "positions", "merges", "threshold"),
    [
        ([9, 5, 4, 1], 20, 2, 6),  # half as much again as the word of rank 2
        ([1], 1_000, 10, 5),  # one long word: a twentieth of 100 positions per merge
        ([9, 5, 4, 1], 20, 10, 1),  # every word may be completed
        ([9], 20, 0, 1),
        ([], 0, 10, 1),
    ],
)
def test_the_threshold_is_estimated_from_the_words(
    frequencies: list[int], positions: int, merges: int, threshold: int
) -> None:
    assert estimate_threshold(frequencies, positions, merges) == threshold
