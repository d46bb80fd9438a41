"""Typed text in Chromium: neither half a character, nor a reload, nor a tap on the menu does it any harm."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import enter, grid, ready, run_first
from tests.browser.conftest import NewPage

# What the server sends is read 400 ms later: until then the browser's messages carry the texts that it had before.
LATE = """(() => {
  window.WebSocket = class extends window.WebSocket {
    read = Promise.resolve();
    set onmessage(receive) {
      this.addEventListener('message', (event) => {
        const late = new Promise((done) => setTimeout(done, 400));
        this.read = Promise.all([this.read, late]).then(() => receive(event));
      });
    }
  };
})()"""


@pytest.mark.slow
def test_typed_text_survives_a_reload_and_a_tap_on_the_menu_on_a_slow_connection(new_page: NewPage) -> None:
    page = new_page(has_touch=True)
    run_first(page, LATE)
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
    expect(grid(page)).to_have_attribute("data-text", "low \ufffd lower")
    page.reload()
    ready(page)
    expect(field).to_have_value("low \ufffd lower")
    expect(page.get_by_test_id("stException")).to_have_count(0)

    menu = page.get_by_test_id("stSidebarNav")
    away = menu.get_by_role("link", name="Vocabulary")
    # A click of a script leaves no field, so that Streamlit never sends the second text.
    leave_by: dict[str, Callable[[], object]] = {
        "words left by a tap": away.tap,
        "words that are never sent": lambda: away.evaluate("(link) => link.click()"),
    }
    for typed, leave in leave_by.items():
        field.fill(typed)
        leave()
        expect(page).to_have_url(re.compile("/vocabulary"))
        ready(page)
        menu.get_by_role("link", name="Encode").tap()
        expect(grid(page)).to_have_attribute("data-text", typed)
        expect(field).to_have_value(typed)

    long = " ".join(["slowest"] * 60)  # the link holds shorter ones only, so this is in the tab alone
    field.fill(long)
    expect(grid(page)).to_have_attribute("data-text", long)
    page.reload()
    expect(grid(page)).to_have_attribute("data-text", long)
    expect(field).to_have_value(long)
