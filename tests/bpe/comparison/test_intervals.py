"""Intervals by resampling units of a text."""

from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from bpe.comparison.intervals import joined, percentile_interval, resampled_sums


def test_neighbours_are_joined_and_nothing_is_lost() -> None:
    rows = [(number, 1) for number in range(1_003)]
    groups = joined(rows, most=200)
    assert len(groups) == 200
    assert {count for _, count in groups} == {5, 6}
    assert sum(number for number, _ in groups) == sum(range(1_003))


def test_a_difference_of_a_few_units_is_not_claimed() -> None:
    same = [(10, 10)] * 30
    assert percentile_interval([b - a for a, b in resampled_sums([*same, (10, 12)])])[0] == 0
    assert percentile_interval([b - a for a, b in resampled_sums([(10, 11)] * 30)]) == (30, 30)


@pytest.mark.parametrize("executor", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_same_intervals(executor: Callable[[int], Executor]) -> None:
    rows = [(number, number * number % 17) for number in range(50)]
    with executor(2) as pool:
        assert resampled_sums(rows, 600, 7, pool) == resampled_sums(rows, 600, 7)
    assert resampled_sums(rows, 600, 8) != resampled_sums(rows, 600, 7)
