"""A sample of `stage_walk`, which walks every beat of every lesson: one with bytes, a grid, tables and an encoding."""

import pytest
from playwright.sync_api import Page

from tests.browser.lessons.stage_walk import walk
from ui.lessons import lessons


@pytest.mark.slow
def test_a_room_can_read_every_beat_and_finds_what_its_text_names(page: Page) -> None:
    assert list(walk(page, lessons()["before-the-first-merge"])) == []
