"""Packed numbers come back, whatever they are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from film.packing import packed
from tests.film.readers import unpacked

LARGEST = 2**32 - 1
# The largest number of a width, and the least of the next.
EDGES = {"1": 90, "2": 8_280, "3": 753_570, "5": LARGEST}


@pytest.mark.parametrize(("width", "largest"), EDGES.items(), ids=EDGES)
def test_each_number_has_the_digits_that_the_largest_needs(width: str, largest: int) -> None:
    column = packed([0, largest, 1])
    assert column[:2] == f"{width}:"
    assert len(column) == 2 + 3 * int(width)
    assert unpacked(column) == [0, largest, 1]


@given(st.lists(st.integers(0, LARGEST)))
def test_numbers_come_back(numbers: list[int]) -> None:
    assert unpacked(packed(numbers)) == numbers


def test_larger_numbers_are_packed_as_the_largest() -> None:
    assert unpacked(packed([2**40, 5])) == [LARGEST, 5]


def test_json_writes_every_digit_as_it_is() -> None:
    column = packed(range(91))
    assert json.dumps(column) == f'"{column}"'
