"""The grid in the presenter view: it fills the screen, can be read from the last row, and waits for each key."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import grid, navigate
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import (
    WORDS,
    press,
    show,
)

PRESENTING = re.compile(r"\bpresenting\b")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_presenter_view_fills_the_screen_beat_by_beat(
    new_page: NewPage, grids: AppServer, theme: str
) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1, "pairs": 1}, theme=theme)
    press(page, "p")
    expect(grid(page)).to_have_class(PRESENTING)
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    expect(grid(page)).to_have_attribute("data-theme", theme)
    box, table = grid(page).bounding_box(), page.get_by_test_id("pair-table").bounding_box()
    assert box
    assert table
    assert (box["x"], box["y"], box["height"]) == (0, 0, 800)
    assert round(box["width"] + table["width"]) == 1280
    # Nothing of the page above it.
    assert page.evaluate("() => document.elementFromPoint(5, 5).shadowRoot !== null")
    for beat in ("count", "select"):
        press(page, "Space")
        expect(grid(page)).to_have_attribute("data-beat", beat)
    press(page, "PageDown")
    expect(grid(page)).to_have_attribute("data-step", "2")
    expect(grid(page)).to_have_attribute("data-beat", "settle")  # until the next key
    press(page, "PageDown")
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    press(page, "Shift+PageDown")
    expect(grid(page)).to_have_attribute("data-step", "3")
    press(page, "b")
    expect(grid(page).get_by_test_id("black-out")).to_be_visible()
    press(page, "PageDown")  # only removes it, since nobody could see a step
    expect(grid(page).get_by_test_id("black-out")).to_be_hidden()
    expect(grid(page)).to_have_attribute("data-step", "3")
    press(page, "b")
    press(page, "Escape")
    expect(grid(page).get_by_test_id("black-out")).to_be_hidden()
    expect(grid(page)).to_have_class(PRESENTING)
    press(page, "Escape")
    expect(grid(page)).not_to_have_class(PRESENTING)


def test_type_can_be_read_from_the_last_row(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1})
    press(page, "p")
    expect(grid(page)).to_have_class("grid presenting")
    size = (
        grid(page)
        .locator(".letter.char")
        .first.evaluate("(letter) => parseFloat(getComputedStyle(letter).fontSize)")
    )
    assert size >= 40


def test_a_pick_does_not_end_the_presenter_view(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 0, "picked": 1})
    press(page, "p", "Space", "Space")
    expect(grid(page)).to_have_attribute("data-beat", "select")
    before = grid(page).get_attribute("data-id")
    grid(page).get_by_test_id("pick").first.click()
    expect(grid(page)).not_to_have_attribute("data-id", before or "")
    expect(grid(page)).to_have_class("grid presenting")
    press(page, "Escape")
    expect(grid(page)).to_have_class("grid")


@pytest.mark.slow
def test_a_grid_drawn_before_the_presenting_one_left_continues_the_presentation(
    new_page: NewPage, grids: AppServer
) -> None:
    """A page may keep the grid of the page before until its script ends."""
    asked: dict[str, object] = {"rows": WORDS, "apart": 1, "rules": "first,last"}
    page = show(new_page, grids, asked)
    grid(page, 1).get_by_test_id("viewport").click(position={"x": 5, "y": 5})  # keys go there
    press(page, "p")
    expect(grid(page, 1)).to_have_class(PRESENTING)
    expect(grid(page)).not_to_have_class(PRESENTING)
    navigate(page, page.url.replace("rules=first%2Clast", "rules=first"))
    expect(grid(page, 1)).to_have_count(0)
    expect(grid(page)).to_have_class(PRESENTING)
    press(page, "Escape")
    expect(grid(page)).not_to_have_class(PRESENTING)
