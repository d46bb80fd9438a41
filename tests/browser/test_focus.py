"""The focus is never lost: not behind the presenter view, not with a card that closes, not in a tree that changes."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.chromium import grid, ready
from tests.browser.everyone import opened, tour
from tests.waiting import until

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


def spelled(element: Locator) -> str:
    """Return the text in an element, a marker beside its letters: `inner_text` breaks off a tab."""
    return " ".join(element.inner_text().split()).replace(" </w>", "</w>")


def test_the_names_of_the_merge_tree_s_bars_begin_with_what_is_seen(page: Page) -> None:
    opened(page, "/vocabulary")
    for bar in page.get_by_test_id("merge-tree").locator("[role=treeitem]").all():
        seen = spelled(bar).removesuffix("…").strip()
        assert str(bar.get_attribute("aria-label")).startswith(seen)


def test_the_names_of_compare_s_merges_begin_with_what_is_seen(page: Page) -> None:
    opened(page, "/compare?lanes=first~last")
    columns = page.get_by_test_id("strip").locator("button.column").all()
    for column in columns:
        seen = spelled(column).replace("◆ ", "")
        assert str(column.get_attribute("aria-label")).startswith(f"{seen}. "), seen
    assert str(columns[0].get_attribute("aria-label")) == (
        "1 es t</w>. 3 pairs tied. First occurrence makes es, 9 times; "
        "Last occurrence makes t</w>, 9 times. They differ."
    )


# Popovers and the keyboard: an open one takes the focus, and its button has it again afterwards.

POPOVERS = [
    ("/", "Merges"),  # drawn with the page
    ("/", "Share"),  # drawn when it is open
    ("/compare", "Lanes"),
]
# Whether the focus is within the open popover, also in a shadow root.
INSIDE = "() => document.querySelector('[data-testid=stPopoverBody]')?.matches(':focus-within') ?? false"


def test_a_popover_takes_the_focus_and_gives_it_back(page: Page) -> None:
    body = page.get_by_test_id("stPopoverBody")
    address = ""
    for path, label in POPOVERS:
        if path != address:
            opened(page, path)
            ready(page)
        address = path
        button = page.locator(".stPopover button").filter(has_text=label)
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


# Streamlit's own elements and the keyboard: tabs keep the focus, and Space goes on after a choice in a menu.


@pytest.mark.parametrize(("address", "key"), [("/", "details"), ("/compare", "compare_details")])
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


# Everyone can use the pages with a keyboard alone: the focus is kept, reaches everything, and is visible.


def focused(page: Page) -> str:
    """Return the name of the element with the focus, when the page is drawn again."""
    ready(page)
    return str(page.evaluate("() => everyone.name(everyone.active())"))


# Where a pair is picked -> the first of the buttons that pick one there.
PICKS = {"the sentence on the tie": ".pick", "the pair table": ".take"}


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
    until(lambda: focused(page).startswith(("button.pick", "div.viewport")))  # when the third lane is drawn
    undo.first.focus()
    page.wait_for_timeout(6_000)  # the grids came long ago
    press_enter_on(page, undo)
    expect(lanes).to_have_count(2)
    expect(grid(page).locator(".viewport")).to_be_focused()
    assert focused(page).startswith("div.viewport")


TOUR = [
    "Lessons",
    "Glossary",
    "Share",
    "Type or paste",
    "Tokenizer",
    "Token grid",
    "Play (Space)",
    "Merges done",
    "View: legend",
    "Code",
    "chosen: it comes first",
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
    assert not [stop for stop in tour(page) if "stSidebarNavLink" in stop]
