"""The focus is never lost: not behind the presenter view, not with a card that closes, not in a tree that changes."""

import re

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


def test_the_presenter_view_is_one_dialog_that_keeps_the_focus_and_leaves_the_page_as_it_was(
    page: Page,
) -> None:
    opened(page, "/")
    dialog = page.get_by_role("dialog", name="Presenter view")
    viewport = grid(page).locator(".viewport")
    viewport.focus()
    place = viewport.bounding_box()
    page.keyboard.press("p")
    expect(dialog).to_have_count(1)
    assert dialog.evaluate("dialog => dialog.matches(':modal')")
    expect(viewport).to_be_focused()
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        assert page.evaluate(IN_VIEW) is True
    viewport.focus()
    page.keyboard.press("p")
    expect(dialog).to_have_count(0)
    expect(viewport).to_be_focused()
    until(lambda: viewport.bounding_box() == place, "the picture is where it was")


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


# Popovers and the keyboard: an open one takes the focus, and its button has it again afterwards.

POPOVERS = (
    "Merges",  # drawn with the page
    "Share",  # drawn when it is open
)
# Whether the focus is within the open popover, also in a shadow root.
INSIDE = "() => document.querySelector('[data-testid=stPopoverBody]')?.matches(':focus-within') ?? false"


def test_a_popover_takes_the_focus_and_gives_it_back(page: Page) -> None:
    body = page.get_by_test_id("stPopoverBody")
    opened(page, "/")
    for label in POPOVERS:
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


def test_a_tab_that_a_key_has_opened_keeps_the_focus(page: Page) -> None:
    opened(page, "/")
    tabs = page.locator(".st-key-details [role=tab]")
    tabs.first.focus()
    for number in (1, 2):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        ready(page)
        page.wait_for_timeout(300)  # longer than the grid waits for a focus that is lost
        expect(tabs.nth(number)).to_have_attribute("aria-selected", "true")
        expect(tabs.nth(number)).to_be_focused()


def test_space_goes_on_in_a_lesson_that_was_opened_by_a_link_or_a_menu(page: Page) -> None:
    opened(page, "/")
    page.get_by_test_id("stTopNavLink").filter(has_text="Lessons").click()
    expect(page).to_have_url(re.compile("lessons"))
    card = page.get_by_test_id("lesson")
    goes_on(page, card)

    first = str(card.get_attribute("data-lesson"))
    menu = page.get_by_role("combobox").first
    menu.click()
    page.get_by_role("option").nth(1).click()
    expect(card).not_to_have_attribute("data-lesson", first)
    goes_on(page, card)

    second = str(card.get_attribute("data-lesson"))
    menu.focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(card).not_to_have_attribute("data-lesson", second)
    goes_on(page, card)


def goes_on(page: Page, card: Locator) -> None:
    """Press Space on the first beat of a lesson, once it is drawn, and wait for the second one."""
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


# The clock goes forward by more than the time in which a grid looks for a focus that is lost.
LATER = "() => { const { now } = performance; performance.now = () => now.call(performance) + 6_000; }"


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
    expect(page).to_have_url(re.compile(r"lanes=first~first_\d+\.1~"))  # a branch, also in the link
    until(lambda: focused(page).startswith(("button.pick", "div.viewport")))  # when the third lane is drawn
    undo.first.focus()
    page.evaluate(LATER)
    page.wait_for_timeout(300)  # in which a grid looks once more
    press_enter_on(page, undo)
    expect(lanes).to_have_count(2)
    expect(grid(page).locator(".viewport")).to_be_focused()
    assert focused(page).startswith("div.viewport")
    page.evaluate("() => delete performance.now")


TOUR = [
    "Lessons",
    "Glossary",
    "Share",
    "Type or paste",
    "choice-tokenizer",
    "Token grid",
    "Play (Space)",
    "Merges done",
    "View: legend",
    "chosen: it comes first",
    "Code",
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
    expect(page.get_by_test_id("stSidebarNavLink").last).to_be_hidden()  # it has slid away
    takes_focus = "all => all.filter(one => (one.focus(), document.activeElement === one)).length"
    assert page.get_by_test_id("stSidebarNavLink").evaluate_all(takes_focus) == 0
