"""A lecture of ten minutes from the keys of a clicker and a keyboard alone: no mouse, no address typed on the way."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import enter, grid, ready
from tests.browser.grid.grid_page import follow, followed

PRESENTING = re.compile("presenting")
MOST_TABS = 120  # to the last control of a page


@pytest.mark.weekly  # test_talk walks a longer one in every run
def test_a_lecture_runs_from_keys_alone(page: Page) -> None:
    enter(page, "/watch?step=0")
    page.keyboard.press("F5")
    the_first_tie(page)
    a_film(page)
    a_lesson_with_an_encoding(page)
    two_rules(page)
    real_trainers(page)


def the_first_tie(page: Page) -> None:
    """Guess, count, select, fuse, settle, and back to the choice."""
    expect(grid(page)).to_have_class(PRESENTING)
    badge = page.get_by_test_id("tie-badge")
    expect(badge).to_be_hidden()
    for beat in ("count", "select"):
        page.keyboard.press("PageDown")
        expect(grid(page)).to_have_attribute("data-beat", beat)
        expect(badge).to_contain_text("3 pairs tied at 9")
    page.keyboard.press("PageDown")
    expect(grid(page)).to_have_attribute("data-beat", "settle")
    expect(page.get_by_test_id("changes")).to_contain_text("0 → 9")
    page.keyboard.press("PageUp")
    expect(grid(page)).to_have_attribute("data-beat", "select")
    expect(grid(page)).to_have_attribute("data-step", "0")


def a_film(page: Page) -> None:
    """Let it run to the end."""
    follow(page)
    for key in ("f", *"+++++", "PageDown"):  # as fast as it goes
        page.keyboard.press(key)
    expect(grid(page)).to_have_attribute("data-step", "12")
    expect(grid(page)).to_have_attribute("data-playing", "false")
    assert any(beat.beat == "fast" for beat in followed(page))
    page.keyboard.press("f")


def a_lesson_with_an_encoding(page: Page) -> None:
    """Go to the lessons, choose the first one on encoding, and turn its beats until a word is encoded."""
    open_page(page, "Lessons")
    card = page.get_by_test_id("lesson")
    expect(card).to_have_class(PRESENTING)
    page.keyboard.press("PageDown")
    expect(card).to_have_attribute("data-beat", "1")
    page.keyboard.press("Escape")
    choose_lesson(page, "merges are the model")
    expect(card).to_have_attribute("data-lesson", "the-merges-are-the-model")
    ready(page)
    page.keyboard.press("F5")
    expect(grid(page)).to_have_class(PRESENTING)
    for beat in ("1", "2", "3"):
        page.keyboard.press("PageDown")
        expect(card).to_have_attribute("data-beat", beat)
    expect(grid(page)).to_have_attribute("data-text", "lower")
    expect(card).to_have_attribute("data-answered", "false")
    page.keyboard.press("PageDown")
    expect(card).to_have_attribute("data-answered", "true")
    expect(grid(page)).to_have_attribute("data-step", "3")


def two_rules(page: Page) -> None:
    """Compare two rules beat by beat, and show the word that they split differently."""
    open_page(page, "Compare")
    expect(page.get_by_test_id("token-grid")).to_have_count(2)
    page.keyboard.press("Home")
    for beat in ("count", "select"):
        page.keyboard.press("PageDown")
        for lane in (0, 1):
            expect(grid(page, lane)).to_have_attribute("data-beat", beat)
    words = page.get_by_test_id("split-words")
    page.keyboard.press("w")
    expect(words).to_contain_text("1 of 17 held-out words is split differently")
    page.keyboard.press("w")
    expect(words).to_be_hidden()
    page.keyboard.press("Escape")


def real_trainers(page: Page) -> None:
    """Ask for the trainers of real libraries."""
    press_button(page, "What would the real trainers do?")
    expect(page.get_by_test_id("token-grid")).to_have_count(6)
    ready(page)
    page.keyboard.press("p")
    expect(page.get_by_test_id("lane-stage")).to_have_class(PRESENTING)
    page.keyboard.press("PageDown")
    expect(grid(page, 5)).to_have_attribute("data-beat", "count")


def open_page(page: Page, title: str) -> None:
    """Open a page of the app by its number in the list of keys, during a presentation."""
    page.keyboard.press("?")
    row = grid(page).get_by_test_id("help").locator("dd").get_by_text(title, exact=True)
    number = row.locator("xpath=ancestor-or-self::dd/preceding-sibling::dt[1]").inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press(number)
    expect(page).to_have_url(re.compile(title.lower()))
    ready(page)
    view = page.get_by_test_id("lane-stage" if title == "Compare" else "token-grid")
    expect(view).to_have_class(PRESENTING)


FOCUSED = "() => document.activeElement?.textContent?.trim() ?? ''"


def press_button(page: Page, text: str) -> None:
    """Go to a button with the Tab key and press it."""
    for _ in range(MOST_TABS):
        if page.evaluate(FOCUSED) == text:
            return page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {text}")


def choose_lesson(page: Page, text: str) -> None:
    """Go to the menu of lessons with the Tab key, type a part of a title and press Enter."""
    for _ in range(MOST_TABS):
        if page.evaluate("() => Boolean(document.activeElement?.closest('.st-key-lesson input'))"):
            page.keyboard.type(text)
            return page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    raise AssertionError("Tab never reaches the menu of lessons")
