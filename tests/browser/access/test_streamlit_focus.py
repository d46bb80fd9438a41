"""Streamlit's own elements and the keyboard: tabs keep the focus, and Space goes on after a choice in a menu."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access.everyone import opened
from tests.browser.chromium import ready

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("address", "key"), [("/", "details"), ("/vocabulary", "vocabulary_charts")])
def test_a_tab_that_a_key_has_opened_keeps_the_focus(page: Page, address: str, key: str) -> None:
    opened(page, address)
    tabs = page.locator(f".st-key-{key} [role=tab]")
    tabs.first.focus()
    for number in (1, 2):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        ready(page)
        page.wait_for_timeout(300)  # longer than the grid waits for a focus that is lost
        expect(tabs.nth(number)).to_have_attribute("aria-selected", "true")
        expect(tabs.nth(number)).to_be_focused()


def test_space_goes_on_in_a_lesson_that_was_chosen_in_a_menu(page: Page) -> None:
    opened(page, "/lessons")
    card = page.get_by_test_id("lesson")
    first = str(card.get_attribute("data-lesson"))
    page.get_by_role("combobox").first.click()
    page.get_by_role("option").nth(1).click()
    expect(card).not_to_have_attribute("data-lesson", first)
    ready(page)
    page.keyboard.press("Space")
    expect(card).to_have_attribute("data-beat", "1")

    menu = page.get_by_role("combobox").first
    second = str(card.get_attribute("data-lesson"))
    menu.focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(card).not_to_have_attribute("data-lesson", second)
    ready(page)
    page.keyboard.press("Space")
    expect(card).to_have_attribute("data-beat", "1")


def test_space_goes_on_after_the_link_to_the_lessons(page: Page) -> None:
    opened(page, "/")
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Lessons").click()
    expect(page).to_have_url(re.compile("lessons"))
    card = page.get_by_test_id("lesson")
    expect(card).to_have_attribute("data-beat", "0")
    ready(page)
    page.keyboard.press("Space")
    expect(card).to_have_attribute("data-beat", "1")


def test_a_click_on_empty_ground_and_a_key_draw_no_line(page: Page) -> None:
    opened(page, "/glossary")
    main = page.get_by_test_id("stMain")
    shadow = "(main) => getComputedStyle(main).boxShadow"
    page.mouse.click(1270, 790)
    page.keyboard.press("Shift")
    page.keyboard.press("x")
    assert main.evaluate(shadow) == "none"
    page.keyboard.press("Tab")
    main.focus()
    expect(main).to_be_focused()
    assert "inset" in str(main.evaluate(shadow))
