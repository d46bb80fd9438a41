"""Typed text in Chromium: half a character does no harm, not even after a reload."""

from playwright.sync_api import expect

from tests.browser.chromium import ready
from tests.browser.conftest import NewPage


def test_half_a_character_is_replaced_and_the_page_is_whole_after_a_reload(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/encode")
    ready(page)
    field = page.locator(".st-key-encode_text textarea")
    field.evaluate(
        """(area) => {
          area.focus();
          area.select();
          document.execCommand("insertText", false, "low \\ud83d lower");
        }"""
    )
    expect(field).to_have_value("low \ufffd lower")
    field.press("Control+Enter")
    ready(page)
    page.reload()
    ready(page)
    expect(field).to_have_value("low \ufffd lower")
    expect(page.get_by_test_id("stException")).to_have_count(0)
