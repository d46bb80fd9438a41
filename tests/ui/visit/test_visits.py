"""Visits in which a person does anything in any order. `python -m tests.drive` makes more and longer ones."""

import pytest

from tests.drive import drive_visits


@pytest.mark.slow
def test_after_any_actions_the_page_is_whole_and_the_grid_shows_what_the_core_computes() -> None:
    drive_visits(visits=6, actions=10)
