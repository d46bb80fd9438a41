"""Pointing at the grid: a card describes the token, and rows and tokens highlight each other."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import grid
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import (
    WORDS,
    press,
    show,
)


def tree(page: Page) -> Locator:
    return grid(page).get_by_role("tree")


def test_pointing_tells_a_token_and_unfolds_its_tree(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 12})
    viewport = grid(page).get_by_test_id("viewport")
    viewport.focus()
    page.keyboard.press("ArrowDown")
    details = grid(page).get_by_test_id("token-details")
    expect(details).to_contain_text("created by merge")
    expect(details).to_contain_text("occurs 5 times now")
    page.keyboard.press("Enter")
    expect(tree(page)).to_be_visible()
    expect(tree(page).get_by_role("treeitem")).to_have_count(7)
    page.keyboard.press("Escape")
    expect(details).to_be_hidden()
    viewport.click(position={"x": 75, "y": 25})
    expect(tree(page)).to_be_visible()
    press(page, "ArrowLeft")
    expect(details).to_be_hidden()


def test_rows_and_tokens_light_each_other(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1, "pairs": 1})
    page.get_by_test_id("pair-table").locator("tbody tr").nth(2).hover()
    expect(grid(page)).to_have_class("grid lighting")
    page.mouse.move(2, 2)
    expect(grid(page)).to_have_class("grid")
    grid(page).get_by_test_id("viewport").hover(position={"x": 75, "y": 25})
    expect(page.get_by_test_id("pair-table").locator("tr.lit")).not_to_have_count(0)
