"""Back and Forward, in Chromium: one press leaves a page, and every address belongs to one page."""

import re

import pytest
from playwright.sync_api import Page, expect

from harness.chromium import close_choice, grid, open_choice, ready, take_row
from tests.browser.conftest import NewPage
from tests.browser.grid_page import press
from tests.browser.test_other_browsers import PATHS, WALKS, WRITTEN, OtherBrowser, walk
from ui.page_parts.lessons.curriculum import paths
from ui.page_parts.lessons.lesson import Lesson
from ui.shown.navigation import PAGES


def new_tab(new_page: NewPage) -> Page:
    """Open a page whose history is empty."""
    return new_page(own_tab=True)


def until_open(page: Page, name: str) -> None:
    """Wait until a page is open and its address is written."""
    page.wait_for_function("path => location.pathname === path", arg=PATHS[name])
    ready(page)
    page.wait_for_function("part => location.search.includes(part)", arg=WRITTEN.get(name, ""))
    ready(page)


def choose_page(page: Page, name: str) -> None:
    """Choose a page in the menu."""
    page.get_by_test_id("stTopNavLink").filter(has_text=PAGES[name].title).first.click()
    until_open(page, name)


def go(page: Page, way: str) -> None:
    """Press Back or Forward. Playwright's own commands wait for a load, which a change of the page is not."""
    page.evaluate(f"history.{way}()")


def entries(page: Page) -> int:
    """Return the number of entries in the history."""
    return int(page.evaluate("history.length"))


@pytest.mark.parametrize("first", ["lessons", pytest.param("compare", marks=pytest.mark.weekly)])
def test_a_page_that_begins_a_visit_adds_no_entry(new_page: NewPage, first: str) -> None:
    page = new_tab(new_page)
    page.goto(PATHS[first])
    until_open(page, first)
    assert entries(page) == 2  # with the empty page before it
    choose_page(page, "bytes")
    assert entries(page) == 3
    go(page, "back")
    until_open(page, first)
    go(page, "back")
    page.wait_for_url("about:blank")


def test_another_lesson_is_an_entry_and_a_beat_is_none(new_page: NewPage) -> None:
    page = new_tab(new_page)
    page.goto("/lessons?lesson=count-merge-repeat&beat=2")
    until_open(page, "lessons")
    before = entries(page)
    card = page.get_by_test_id("lesson")
    page.keyboard.press("PageDown")
    expect(card).to_have_attribute("data-beat", "2")
    expect(page).to_have_url(re.compile("beat=3"))
    assert entries(page) == before
    page.locator(".st-key-lesson input").fill("which goes")
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("data-lesson", "which-goes-first")
    expect(page).to_have_url(re.compile("lesson=which-goes-first"))
    ready(page)
    assert entries(page) == before + 1
    go(page, "back")
    expect(card).to_have_attribute("data-lesson", "count-merge-repeat")
    expect(card).to_have_attribute("data-beat", "2")
    ready(page)
    go(page, "forward")
    expect(card).to_have_attribute("data-lesson", "which-goes-first")
    ready(page)
    expect(page).to_have_url(re.compile("lesson=which-goes-first"))
    assert entries(page) == before + 1


def choose_sample(page: Page, slug: str) -> None:
    """Choose a sample in the menu of texts."""
    open_choice(page, "text")
    take_row(page, f"sample-{slug}")
    close_choice(page)
    expect(page).to_have_url(re.compile(f"corpus_sample={slug}"))
    ready(page)


def test_another_sample_is_an_entry_and_another_setting_is_none(new_page: NewPage) -> None:
    page = new_tab(new_page)
    page.goto("/")
    until_open(page, "watch")
    before, text = entries(page), grid(page).get_attribute("data-text") or ""
    press(page, "ArrowRight")
    expect(page).to_have_url(re.compile("step=1"))
    open_choice(page, "merges")
    field = page.locator(".st-key-merges input")
    field.fill("3")
    field.press("Enter")
    expect(page).to_have_url(re.compile("merges=3"))
    close_choice(page)
    assert entries(page) == before
    choose_sample(page, "aaabdaaabac")
    assert entries(page) == before + 1
    choose_page(page, "compare")
    choose_page(page, "encode")
    assert entries(page) == before + 3
    for name in ("compare", "watch"):
        go(page, "back")
        until_open(page, name)
        expect(grid(page)).to_have_attribute("data-text", "aaabdaaabac")
    go(page, "back")
    expect(grid(page)).to_have_attribute("data-text", text)
    expect(page).to_have_url(re.compile("^[^?]*/[?](?!.*corpus_sample)"))
    ready(page)
    go(page, "forward")
    expect(grid(page)).to_have_attribute("data-text", "aaabdaaabac")
    assert entries(page) == before + 3


def test_back_in_a_talk_leads_to_the_stop_before(new_page: NewPage) -> None:
    path = next(path for path in paths() if path.minutes == 45)
    number = next(
        at for at, stop in enumerate(path.stops) if stop.page and at and not path.stops[at - 1].page
    )
    lesson: Lesson = path.stops[number - 1].lesson
    page = new_tab(new_page)
    page.goto(f"/lessons?talk={path.slug}&stop={number}")
    until_open(page, "lessons")
    talk = page.get_by_test_id("talk")
    for _ in range(2 * len(lesson.beats)):
        if page.url.partition("?")[0].endswith(PATHS[path.stops[number].page]):
            break
        page.keyboard.press("PageDown")
        ready(page)
    until_open(page, path.stops[number].page)
    expect(talk).to_have_attribute("data-stop", str(number + 1))
    go(page, "back")
    until_open(page, "lessons")
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-lesson", lesson.slug)
    expect(talk).to_have_attribute("data-stop", str(number))
    go(page, "forward")
    until_open(page, path.stops[number].page)
    expect(talk).to_have_attribute("data-stop", str(number + 1))


def test_back_pressed_while_a_page_opens_leaves_it(new_page: NewPage) -> None:
    page = new_tab(new_page)
    page.goto("/glossary")
    until_open(page, "glossary")
    assert entries(page) == 2  # with the empty page before it
    choose_page(page, "bytes")
    choose_page(page, "encode")
    assert entries(page) == 4
    go(page, "back")
    expect(page.get_by_role("heading", name=PAGES["bytes"].title, exact=True)).to_be_visible()
    go(page, "back")  # before the page says that it is drawn, which would open it again
    until_open(page, "glossary")
    expect(page.get_by_role("heading", name=PAGES["glossary"].title, exact=True)).to_be_visible()


@pytest.mark.weekly
@pytest.mark.parametrize("first", WALKS)
def test_between_a_page_and_the_next_ones_back_and_forward_are_one_press(
    new_page: NewPage, first: str
) -> None:
    page = new_tab(new_page)
    walk(OtherBrowser(page.goto, page.evaluate, page.keyboard.press), "", first)
