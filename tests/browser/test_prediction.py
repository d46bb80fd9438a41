"""Predicting the next merge, by two tokens of the grid or a row of the pair table."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import grid
from tests.browser.conftest import NewPage
from tests.browser.grid_page import WORDS, at, press, show


def letter(page: Page, text: str, number: int = 0) -> Locator:
    """Return a letter of the grid: the one of this number, from the top."""
    return page.locator(".viewport .letter", has_text=re.compile(f"^{text}$")).nth(number)


def click(page: Page, *letters: Locator) -> None:
    """Click the chips of these letters, which the pointer reaches through them."""
    for one in letters:
        box = one.bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_prediction_by_two_tokens_or_a_row_is_answered(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "merges": 6, "pairs": 1})
    answer, score = page.get_by_test_id("answer"), page.get_by_test_id("score")
    predict = page.get_by_test_id("predict")

    # By default, a click on a token shows its merge tree, and there is nothing to predict.
    expect(page.get_by_test_id("prediction")).to_be_hidden()
    predict.click()
    expect(predict).to_have_attribute("aria-pressed", "true")
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    expect(answer).to_have_text("Click two neighbouring tokens, or a row of the pair table.")
    expect(page.locator("td.number").first).to_be_hidden()

    # Two tokens that no merge can join: of two words.
    click(page, letter(page, "t", 0), letter(page, "</w>", 2))
    expect(answer).to_have_text(re.compile("which neighbour|never crosses"))

    # Right: the tokens fuse at once.
    page.reload()
    at(page, 0)
    predict.click()
    click(page, letter(page, "e", 1), letter(page, "s"))
    print(answer.inner_text())
    expect(answer).to_contain_text("Right! e + s occurs 9 times. It ties with 2 other pairs.")
    expect(grid(page)).to_have_attribute("data-step", "1")
    expect(score).to_have_text("1 of 1 right · streak 1")
