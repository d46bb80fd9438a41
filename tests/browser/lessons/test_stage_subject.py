"""The stage of a lesson shows what its text is about: the pair that it names, at the step that it speaks of."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import grid, ready
from tests.browser.grid.pairs_in_sight import pairs_in_sight
from tests.browser.lessons.test_lessons import card, open_lesson
from tests.waiting import until


def hexadecimal(left: str, right: str) -> str:
    return f"{left.encode().hex()} {right.encode().hex()}"


def wait_for_pair(page: Page, pair: str, lane: int = 0) -> None:
    """Wait until a lane shows a pair without scrolling."""
    until(lambda: pair in pairs_in_sight(page, lane), f"{pair} in sight of lane {lane}")


@pytest.mark.slow
def test_each_lane_is_at_the_merge_that_the_text_speaks_of_and_shows_its_pair(page: Page) -> None:
    open_lesson(page, "does-it-matter", 6)
    ready(page)
    expect(grid(page, 1)).to_have_attribute("data-step", "98")
    page.keyboard.press("PageDown")  # the answer
    expect(card(page)).to_have_attribute("data-answered", "true")
    for lane, (step, merge, pair) in enumerate(((97, "E+A→EA", "EA"), (98, "A+I→AI", "AI"))):
        expect(grid(page, lane)).to_have_attribute("data-step", str(step))
        expect(grid(page, lane).locator(".headline .merge")).to_have_text(merge)
        wait_for_pair(page, hexadecimal(*pair), lane)


@pytest.mark.slow
def test_a_grid_scrolls_to_the_pair_that_the_answer_names(page: Page) -> None:
    open_lesson(page, "no-spaces", 2)
    page.keyboard.press("PageDown")
    expect(card(page)).to_have_attribute("data-answered", "true")
    wait_for_pair(page, f"{'。'.encode().hex()} ff")
