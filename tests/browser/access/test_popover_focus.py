"""Popovers and the keyboard: an open one takes the focus, and its button has it again afterwards."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access.everyone import opened
from tests.browser.chromium import ready

POPOVERS = [
    ("/", "Link to this step"),  # drawn with the page
    ("/", "Export tokenizer"),  # drawn when it is open
    ("/", "Share or open"),  # in the sidebar
    ("/compare", "Save report"),
]
# Whether the focus is within the open popover, also in a shadow root.
INSIDE = "() => document.querySelector('[data-testid=stPopoverBody]')?.matches(':focus-within') ?? false"


@pytest.mark.slow
def test_a_popover_takes_the_focus_and_gives_it_back(page: Page) -> None:
    body = page.get_by_test_id("stPopoverBody")
    address = ""
    for path, label in POPOVERS:
        if path != address:
            opened(page, path)
            ready(page)
        address = path
        button = page.get_by_test_id("stPopoverButton").filter(has_text=label)
        button.focus()
        page.keyboard.press("Enter")
        expect(body).to_be_visible()
        page.wait_for_function(INSIDE)
        ready(page)
        assert page.evaluate(INSIDE), label

        for key in ("Shift+Tab", "Tab"):
            for _ in range(40):  # more than there are controls in one of them
                if not page.evaluate(INSIDE):
                    break
                page.keyboard.press(key)
            expect(button, label).to_be_focused()
            page.keyboard.press("Tab")
        assert page.evaluate(INSIDE), label
        page.keyboard.press("Escape")
        expect(body).to_have_count(0)
        ready(page)
        expect(body).to_have_count(0)
        expect(button, label).to_be_focused()
