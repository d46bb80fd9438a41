"""Places: the floor below which pairs are not kept decides about time, never about what is learned."""

import random

import pytest

import bpe
from bpe.trace.merge_log import MergeLog
from bpe.training.pair_index import estimate_threshold

RNG = random.Random(7)
TEXT = " ".join("".join(RNG.choices("abc", weights=(5, 3, 1), k=RNG.randint(1, 9))) for _ in range(400))


def learned(rule: str, variant: str, **settings: int) -> tuple[list[object], str]:
    """All a training decided."""
    trace = bpe.train(TEXT, variant, rule, **settings)
    return [getattr(trace.log, field).tolist() for field in MergeLog.FIELDS], trace.stopped


@pytest.mark.parametrize("floor", [2, 5, 40, 10**9])
@pytest.mark.parametrize("variant", ["bytes-gpt2", "bytes"])
@pytest.mark.parametrize("rule", [rule for rule in bpe.TIE_BREAKS if rule != "manual"])
def test_a_wrong_floor_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, rule: str, variant: str, floor: int
) -> None:
    kept_all = learned(rule, variant, merges=150)
    monkeypatch.setattr("bpe.training.trainer.estimate_threshold", lambda *_: floor)
    assert learned(rule, variant, merges=150) == kept_all


def test_a_wrong_floor_stops_at_the_same_merge(monkeypatch: pytest.MonkeyPatch) -> None:
    settings: dict[str, int] = {"merges": 10_000, "min_count": 3}
    kept_all = learned("first", "bytes-gpt2", **settings), learned("first", "bytes-gpt2", merges=10_000)
    assert [stopped for _, stopped in kept_all] == ["min_count", "no pairs"]
    monkeypatch.setattr("bpe.training.trainer.estimate_threshold", lambda *_: 50)
    assert (
        learned("first", "bytes-gpt2", **settings),
        learned("first", "bytes-gpt2", merges=10_000),
    ) == kept_all


@pytest.mark.parametrize(
    ("frequencies", "places", "merges", "floor"),
    [
        ([9, 5, 4, 1], 20, 2, 6),  # half as much again as the word of rank 2
        ([1], 1_000, 10, 5),  # one long word: a twentieth of 100 places a merge
        ([9, 5, 4, 1], 20, 10, 1),  # every word may be completed
        ([9], 20, 0, 1),
        ([], 0, 10, 1),
    ],
)
def test_the_floor_is_guessed_from_the_words(
    frequencies: list[int], places: int, merges: int, floor: int
) -> None:
    assert estimate_threshold(frequencies, places, merges) == floor
