"""Predicting the next merge, by two tokens of the grid or a row of the pair table."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import grid
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import WORDS, at, press, show


def letter(page: Page, text: str, number: int = 0) -> Locator:
    """Return a letter of the grid: the one of this number, from the top."""
    return page.locator(".viewport .letter", has_text=re.compile(f"^{text}$")).nth(number)


def click(page: Page, *letters: Locator) -> None:
    """Click the chips of these letters, which the pointer reaches through them."""
    for one in letters:
        box = one.bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.slow
def test_a_prediction_by_two_tokens_or_a_row_is_answered(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "merges": 6, "pairs": 1})
    answer, score = page.get_by_test_id("answer"), page.get_by_test_id("score")
    predict, panel = page.get_by_test_id("predict"), page.get_by_test_id("prediction")

    # Nothing is asked, and a click on a token shows its merge tree.
    expect(panel).to_be_hidden()
    predict.click()
    expect(predict).to_have_attribute("aria-pressed", "true")
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    expect(answer).to_have_text("Choose two neighbouring tokens, or a row of the pair table.")
    expect(page.locator("td.number").first).to_be_hidden()

    # Right: the tokens fuse at once. The e of newest and lower, and another e.
    click(page, letter(page, "e", 2), letter(page, "s"))
    expect(answer).to_contain_text("Right! e + s occurs 9 times. It ties with 2 other pairs.")
    expect(score).to_have_text("1 of 1 right · streak 1")
    expect(grid(page)).to_have_attribute("data-step", "1")
    expect(grid(page)).to_have_attribute("data-beat", "guess")

    # Tokens of two words have no boundary that a merge could close.
    click(page, page.locator(".viewport .letter").nth(3), letter(page, "l", 1))
    expect(answer).to_contain_text("A merge never crosses the gap between two words.")

    # Tied, by the keyboard from a row of the table; then wrong, by a click.
    row = page.locator("tr[data-left]", has_text="t</w>").first
    row.focus()
    row.press("Enter")
    expect(answer).to_contain_text(
        "Also right: t + </w> ties at 9. The rule “First occurrence” picks es + t."
    )
    expect(page.get_by_test_id("tie-badge")).to_be_visible()
    press(page, "Home", "Shift+ArrowRight", "Shift+ArrowRight")
    expect(grid(page)).to_have_attribute("data-step", "2")
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    page.locator("tr[data-left]", has_text="lo").first.click()
    expect(answer).to_contain_text(
        "Not this time. l + o occurs 7 times, but est + </w> occurs 9 times. Look at n e w est </w>."
    )
    expect(score).to_have_text("2 of 3 right · streak 0 · best 2")

    # Ending it brings the merge trees back; the score is kept for the visit.
    predict.click()
    press(page, "Home")
    expect(panel).to_be_hidden()
    click(page, letter(page, "e", 2))
    expect(page.locator(".details.pinned")).to_be_visible()
    page.reload()
    at(page, 0)
    predict.click()
    expect(score).to_have_text("2 of 3 right · streak 0 · best 2")
