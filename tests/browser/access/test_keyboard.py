"""Everyone can use the pages with a keyboard alone: the focus is kept, reaches everything, and is visible."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access.everyone import opened, tour
from tests.browser.chromium import grid, ready

pytestmark = pytest.mark.slow


def focused(page: Page) -> str:
    """Return the name of the element with the focus, when the page is drawn again."""
    ready(page)
    return str(page.evaluate("() => everyone.name(everyone.active())"))


# Where a pair is picked -> the first of the buttons that pick one there.
PICKS = {
    "the sentence on the tie": ".pick",
    "the pair table": ".take",
}


def press_enter_on(page: Page, button: Locator) -> None:
    """Press Enter on a button that has the focus, as after the Tab key: the tour below shows that it reaches all."""
    button.first.focus()
    expect(button.first).to_be_focused()
    page.keyboard.press("Enter")


def test_the_focus_stays_where_a_pick_is_made_and_undone(page: Page) -> None:
    """In the grid, if the button is gone: its keys go on from there."""
    opened(page, "/")
    undo = page.get_by_role("button", name=re.compile("Undo"))
    for control, pick in PICKS.items():
        press_enter_on(page, page.locator(pick))
        expect(page).to_have_url(re.compile(r"picks=0\."))
        expect(grid(page).locator(".viewport"), control).to_be_focused()
        assert focused(page).startswith("div.viewport"), control
        press_enter_on(page, undo)
        expect(page).not_to_have_url(re.compile("picks"))
        expect(grid(page).locator(".viewport"), control).to_be_focused()
        assert focused(page).startswith("div.viewport"), control

    opened(page, "/compare")
    lanes = page.get_by_test_id("token-grid")
    press_enter_on(page, page.locator(PICKS["the sentence on the tie"]))
    expect(lanes).to_have_count(3)
    assert focused(page).startswith(("button.pick", "div.viewport"))
    undo.first.focus()
    page.wait_for_timeout(6_000)  # the grids came long ago
    press_enter_on(page, undo)
    expect(lanes).to_have_count(2)
    expect(grid(page).locator(".viewport")).to_be_focused()
    assert focused(page).startswith("div.viewport")


TOUR = [
    "Lessons",
    "Glossary",
    "Preset",
    "Share or open",
    "lesson 1",
    "Token grid",
    "Play (Space)",
    "Merges done",
    "View: legend",
    "Pairs by count",
    "Export tokenizer",
]


def test_the_tab_key_reaches_everything_on_watch_and_is_seen_everywhere(page: Page) -> None:
    opened(page, "/")
    stops = list(tour(page))
    positions = [[part in stop for stop in stops].index(True) for part in TOUR if part in " ".join(stops)]
    assert (len(positions), positions) == (len(TOUR), sorted(positions)), stops

    # A menu that is put away has no stops.
    page.set_viewport_size({"width": 390, "height": 800})
    ready(page)
    expect(page.locator("[data-testid=stSidebar]")).to_have_attribute("data-collapsed", "true")
    assert not [stop for stop in tour(page) if "stSidebarNavLink" in stop or "Preset" in stop]
