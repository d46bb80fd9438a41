"""Typed text in Chromium: neither half a character, nor a reload, nor a tap on the menu does it any harm."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import enter, ready
from tests.browser.conftest import NewPage


@pytest.mark.slow
def test_typed_text_survives_a_reload_and_a_tap_on_the_menu(new_page: NewPage) -> None:
    page = new_page(has_touch=True)
    enter(page, "/encode")
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

    menu = page.get_by_test_id("stSidebarNav")
    away = menu.get_by_role("link", name="Vocabulary")
    typed = "words left by a tap"
    field.fill(typed)
    away.tap()
    expect(page).to_have_url(re.compile("/vocabulary"))
    ready(page)
    menu.get_by_role("link", name="Encode").tap()
    expect(field).to_have_value(typed)
    ready(page)
    expect(field).to_have_value(typed)
