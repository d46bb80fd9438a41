"""The focus is never lost: not behind the presenter view, not with a card that closes, not in a tree that changes."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access.everyone import opened
from tests.browser.chromium import grid, ready

pytestmark = pytest.mark.slow

STOPS = 40
IN_VIEW = """() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    // The browser's own controls come next; the view itself is in what scrolls the page.
    if (active === document.body || active.dataset.testid === "stMain") return true;
    for (let one = active; one; one = one.parentElement ?? one.getRootNode().host)
        if (one.classList?.contains("presenting")) return true;
    return active.outerHTML.slice(0, 200);
}"""
INERT = "() => document.querySelectorAll('[inert]').length"


def test_tab_stays_in_the_presenter_view_and_the_page_is_free_after_it(page: Page) -> None:
    opened(page, "/")
    before = page.evaluate(INERT)
    grid(page).locator(".viewport").focus()
    page.keyboard.press("p")
    page.wait_for_function(f"before => ({INERT})() > before", arg=before)
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        assert page.evaluate(IN_VIEW) is True
    grid(page).locator(".viewport").focus()
    page.keyboard.press("p")
    page.wait_for_function(f"before => ({INERT})() === before", arg=before)


def test_escape_in_a_token_s_details_gives_the_focus_back_to_the_grid(page: Page) -> None:
    opened(page, "/")
    viewport = grid(page).locator(".viewport")
    viewport.focus()
    for key in ("End", "ArrowDown", "Enter", "Tab", "Escape"):
        page.keyboard.press(key)
        page.wait_for_timeout(200)
    expect(viewport).to_be_focused()


def test_enter_in_the_merge_tree_keeps_the_focus_in_it(page: Page) -> None:
    opened(page, "/vocabulary")
    tree = page.get_by_test_id("merge-tree")
    bars = tree.locator("[role=treeitem]")
    first = bars.first.get_attribute("aria-label")
    bars.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    ready(page)
    expect(bars.first).not_to_have_attribute("aria-label", str(first))
    expect(bars.first).to_be_focused()


def test_the_names_of_the_merge_tree_s_bars_begin_with_what_is_seen(page: Page) -> None:
    opened(page, "/vocabulary")
    for bar in page.get_by_test_id("merge-tree").locator("[role=treeitem]").all():
        seen = bar.inner_text().replace("\n", " ").removesuffix("…").strip()
        assert str(bar.get_attribute("aria-label")).startswith(seen)


def test_the_names_of_compare_s_merges_begin_with_what_is_seen(page: Page) -> None:
    opened(page, "/compare?lanes=first~last")
    columns = page.get_by_test_id("strip").locator("button.column").all()
    for column in columns:
        seen = " ".join(column.inner_text().replace("◆", "").split())
        assert str(column.get_attribute("aria-label")).startswith(f"{seen}. "), seen
    assert str(columns[0].get_attribute("aria-label")) == (
        "1 es t</w>. 3 pairs tied. First occurrence makes es, 9 times; "
        "Last occurrence makes t</w>, 9 times. They differ."
    )
