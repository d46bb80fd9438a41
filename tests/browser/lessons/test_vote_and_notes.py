"""What a lecturer has besides the clicker: a vote of the room, and notes in a window of their own."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import enter, grid, ready
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import WORDS, press, show
from ui.lessons.curriculum import address, paths

SHORT = min(paths(), key=lambda path: path.minutes)


def test_the_room_votes_on_the_next_pair_and_one_key_shows_what_is_right(
    new_page: NewPage, grids: AppServer
) -> None:
    page = show(new_page, grids, {"rows": WORDS, "pairs": 1})
    press(page, "p", "v")
    vote = page.get_by_test_id("vote")
    expect(vote).to_contain_text("Which pair is merged next?")
    expect(vote.locator("li")).to_have_count(4)
    expect(vote.locator("li b")).to_have_text(["A", "B", "C", "D"])
    expect(vote.locator(".result").first).to_be_hidden()  # the counts would answer
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    press(page, "v")
    expect(vote.locator(".right")).to_have_count(3)  # they tie
    expect(vote.locator(".right .result")).to_have_text(["9 times"] * 3)
    expect(grid(page)).to_have_attribute("data-step", "0")  # nothing is merged
    press(page, "v")
    expect(vote).to_be_hidden()
    press(page, "v")
    expect(vote).to_be_visible()
    press(page, "Escape")
    expect(vote).to_be_hidden()
    press(page, "v", "Shift+PageDown")  # another merge closes it
    expect(grid(page)).to_have_attribute("data-step", "1")
    expect(vote).to_be_hidden()


def test_the_pair_table_does_not_answer_a_question_that_was_open_before_the_table_came(
    new_page: NewPage, grids: AppServer
) -> None:
    page = show(new_page, grids, {"rows": WORDS, "pairs": 1})
    press(page, "p")
    page.reload()  # the presenter view comes back, and the table joins it
    ready(page)
    hides_the_answer(page)
    press(page, "PageDown", "PageDown")
    expect(grid(page)).to_have_attribute("data-beat", "select")
    expect(page.locator("td.number").first).to_be_visible()
    press(page, "v")  # a vote asks anew
    expect(page.get_by_test_id("vote")).to_be_visible()
    hides_the_answer(page)


def hides_the_answer(page: Page) -> None:
    """Expect that neither grid nor pair table tells the next merge."""
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    expect(page.get_by_test_id("pair-table")).to_have_attribute("data-beat", "guess")
    names = page.locator("tr[data-left] .pairing").all_inner_texts()
    assert names
    assert names == sorted(names)
    for answer in ("td.number", "td.rank", ".meter", ".tie"):
        expect(page.get_by_test_id("pair-table").locator(answer).first).to_be_hidden()


def test_there_is_no_vote_after_the_last_merge(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "merges": 2, "step": 2})
    press(page, "p", "v")
    expect(page.get_by_test_id("vote")).to_be_hidden()


@pytest.mark.slow
def test_the_notes_follow_the_talk_and_their_keys_move_it(page: Page) -> None:
    lesson = SHORT.stops[0].lesson
    page.goto(
        f"/lessons?talk={SHORT.slug}"
    )  # loads the page, since the test before may have left a presenter view
    ready(page)
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-lesson", lesson.slug)
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.locator("h1")).to_have_text(SHORT.stops[0].title)
    expect(notes.locator(".notes")).to_have_text(SHORT.stops[0].notes)
    expect(notes.locator(".clock")).to_contain_text(f"of {SHORT.minutes}:00")
    expect(notes.locator("header")).to_contain_text(f"step 1 of {len(lesson.beats)}")
    expect(notes.locator("body")).to_contain_text(plain(lesson.beats[0].say))
    notes.wait_for_function("document.hasFocus()")  # before, a key is lost
    notes.keyboard.press("PageDown")
    for _ in range(2 if lesson.beats[0].question else 0):
        notes.keyboard.press("PageDown")
    expect(page.get_by_test_id("lesson")).not_to_have_attribute("data-beat", "0")
    expect(notes.locator("header")).not_to_contain_text("step 1 of")
    pages = len(page.context.pages)
    page.keyboard.press("n")  # the same window again
    ready(page)
    assert len(page.context.pages) == pages
    notes.close()


@pytest.mark.slow
def test_the_notes_open_in_the_presenter_view_and_the_first_guess_stands_beside_no_answer(page: Page) -> None:
    path = next(path for path in paths() if path.minutes == 45)
    number = next(number for number, stop in enumerate(path.stops) if stop.page == "watch")
    enter(page, f"/lessons?{urlencode(address(path, number - 1))}&beat=99")
    page.keyboard.press("p")
    expect(page.get_by_test_id("lesson")).to_have_class(re.compile("presenting"))
    opens_notes(page, path.stops[number - 1].title)
    for _ in range(6):  # the rest of this lesson
        if page.get_by_test_id("talk").get_attribute("data-stop") == str(number + 1):
            break
        page.keyboard.press("PageDown")
        ready(page)
    expect(page.get_by_test_id("talk")).to_have_attribute("data-stop", str(number + 1))
    expect(grid(page)).to_have_class(re.compile("presenting"))
    hides_the_answer(page)
    opens_notes(page, path.stops[number].title)


def opens_notes(page: Page, title: str) -> None:
    """Press N with the focus where the presenter view has put it, and expect the notes in a window."""
    grid(page).locator(".viewport").focus()
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    expect(opened.value.locator("h1")).to_have_text(title)
    opened.value.close()


def plain(text: str) -> str:
    """Return the beginning of a text as the notes show it, without backticks."""
    return text.replace("`", "")[:40]
