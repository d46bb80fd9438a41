"""Talks, walked by the keys of a clicker alone, across lessons and pages, with questions of the room on the way."""

import re
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

import bpe
from harness.app_server import AppServer
from harness.chromium import enter, grid, ready, run_first
from tests.browser.beat_picture import lacks, wait_for_stage
from tests.browser.conftest import NewPage
from tests.browser.grid_page import WORDS, press, show
from tests.browser.readable import has_ink
from tests.browser.stage_walk import let_encoding_end
from tests.waiting import until
from ui.exercises import answers_to_raise
from ui.lessons.curriculum import LessonPath, Stop, address, paths
from ui.lessons.lesson import Beat, Lesson

LECTURE = next(path for path in paths() if path.minutes == 45)
MOST_KEYS = 60  # that one stop may take
STOPS_BACK = 4  # of the way back
ASKED_EVERY = 3  # stops, in which somebody in the room asks
NAMES = ("Anna", "Priyanka Chandrasekhar", "Zoë Müller-Lüdenscheidt", "Wu Wei")
STEPS_OF_LOWEST = 5  # of an encoding, on the stage of Encode; each takes two keys
FASTEST = "+++++"  # encodings play in no time
PRESENTING = re.compile("presenting")

# What a page with grids shows, as one text that changes with every key that has an effect.
STATE = """() => {
  const search = (root, selector) => {
    const own = root.querySelector(selector);
    if (own) return own;
    for (const host of root.querySelectorAll('*')) {
      const inner = host.shadowRoot && search(host.shadowRoot, selector);
      if (inner) return inner;
    }
    return null;
  };
  const grid = search(document, '[data-testid=token-grid]')?.dataset ?? {};
  const words = search(document, '[data-testid=split-words]');
  const beat = grid.beat === 'settle' ? 'rest' : grid.beat; // one becomes the other by itself
  return {
    stop: search(document, '[data-testid=talk]')?.dataset.stop ?? '',
    grid: [grid.step, beat, grid.text, words ? words.hidden : ''].join(' '),
    moves: grid.playing === 'true' || beat === 'fuse' || beat === 'fast' ? 'moves' : '',
  };
}"""
# Whether the keys of a clicker lead somewhere on a page: its grids are drawn, and somebody takes the keys.
TAKES_KEYS = """(name) => {
  const group = globalThis[Symbol.for('merge-by-merge')]?.groups.get(name);
  return Boolean(group?.next && group.back && group.playhead && group.lanes.size && group.presenting);
}"""

TWICE = """() => {
  const press = () => document.body.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true, composed: true }));
  press();
  setTimeout(press, 20);
}"""


@pytest.mark.weekly
@pytest.mark.parametrize("path", [path for path in paths() if path.minutes >= 30], ids=lambda path: path.slug)
def test_a_talk_is_walked_by_keys_alone_to_its_end_with_a_question_at_each_third_stop(
    page: Page, path: LessonPath
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    enter(page, f"/lessons?talk={path.slug}")
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-lesson", path.stops[0].lesson.slug)
    page.keyboard.press("p")
    for key in FASTEST:
        page.keyboard.press(key)
    for number, stop in enumerate(path.stops, start=1):
        at_stop(page, path, number)
        is_asked = number % ASKED_EVERY == 0
        if stop.page:
            shows_what_was_learned(page, stop)
            if is_asked:
                ask(page, NAMES[number % len(NAMES)])
            presses = walk_page(page, number, "PageDown")
            assert stop.page != "encode" or presses == 2 * STEPS_OF_LOWEST + 1
        else:
            walk_lesson(page, stop.lesson, name=NAMES[number % len(NAMES)] if is_asked else "")
        if number < len(path.stops) and not stop.page:
            page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    page.wait_for_timeout(1_000)  # nothing follows
    at_stop(page, path, len(path.stops))
    page.set_viewport_size({"width": 1024, "height": 768})
    for number in range(len(path.stops), len(path.stops) - STOPS_BACK, -1):
        at_stop(page, path, number)
        walk_back(page, number, path.stops[number - 1])


# Encode has most to walk on its stage; the whole lecture is walked once a week.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(stop.page, marks=() if stop.page == "encode" else pytest.mark.weekly)
        for stop in LECTURE.stops
        if stop.page
    ],
)
def test_the_keys_lead_from_a_lesson_over_a_page_to_the_next_lesson_and_back(page: Page, name: str) -> None:
    number = next(at for at, stop in enumerate(LECTURE.stops, start=1) if stop.page == name)
    before, stop = LECTURE.stops[number - 2 : number]
    last = len(before.lesson.beats) - 1
    page.set_viewport_size({"width": 1280, "height": 720})
    enter(page, f"/lessons?{urlencode(address(LECTURE, number - 2))}&beat={last + 1}")
    page.keyboard.press("p")
    for key in FASTEST:
        page.keyboard.press(key)
    at_stop(page, LECTURE, number - 1)
    walk_lesson(page, before.lesson, last)
    page.keyboard.press("PageDown")
    at_stop(page, LECTURE, number)
    shows_what_was_learned(page, stop)
    ask(page, NAMES[0])
    presses = walk_page(page, number, "PageDown")
    assert name != "encode" or presses == 2 * STEPS_OF_LOWEST + 1
    at_stop(page, LECTURE, number + 1)
    page.set_viewport_size({"width": 1024, "height": 768})
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-beat", "0")
    page.keyboard.press("PageUp")
    at_stop(page, LECTURE, number)
    walk_page(page, number, "PageUp")
    at_stop(page, LECTURE, number - 1)


def test_a_key_that_is_pressed_twice_skips_no_stop(page: Page) -> None:
    pairs = enumerate(pairwise(LECTURE.stops), start=1)
    number = next(number for number, (stop, after) in pairs if number > 1 and not (stop.page or after.page))
    enter(page, f"/lessons?{urlencode(address(LECTURE, number - 1))}")
    page.keyboard.press("p")
    at_stop(page, LECTURE, number)
    walk_lesson(page, LECTURE.stops[number - 1].lesson)
    ready(page)
    page.evaluate(TWICE)
    at_stop(page, LECTURE, number + 1)
    page.wait_for_timeout(500)  # what a second press would have asked for comes by then
    at_stop(page, LECTURE, number + 1)


def at_stop(page: Page, path: LessonPath, number: int) -> None:
    """Wait until a stop is on the screen, in the presenter view, and takes the keys."""
    talk = page.get_by_test_id("talk")
    # On a busy machine the next page comes late.
    until(lambda: talk.count() == 1 and talk.get_attribute("data-stop") == str(number), f"stop {number}")
    ready(page)
    stop = path.stops[number - 1]
    view = {"": "lesson", "compare": "lane-stage"}.get(stop.page, "token-grid")
    expect(page.get_by_test_id(view).first).to_have_class(PRESENTING)
    page.wait_for_function(TAKES_KEYS, arg=stop.page or "lesson")


def shows_what_was_learned(page: Page, stop: Stop) -> None:
    """Wait until Encode shows all merges of its stop. No other page shows any."""
    merges = stop.lesson.recipe.values["merges"]
    assert isinstance(merges, int)
    expect(page.get_by_test_id("rail").locator("li")).to_have_count(merges if stop.page == "encode" else 0)


def is_whole(page: Page, lesson: Lesson, beat: Beat) -> bool:
    """Return whether the picture of a beat holds what its text names."""
    return not [*lacks(page, lesson, beat)]


def has_left(page: Page, state: dict[str, Any]) -> bool:
    """Return whether a page shows another state."""
    return bool(page.evaluate(STATE) != state)


def walk_lesson(page: Page, lesson: Lesson, first: int = 0, name: str = "") -> None:
    """Go from beat to beat to the last one, and check that the picture of each holds what its text names.

    name: what somebody asks about, at the beat in the middle; nobody asks without one.
    """
    card = page.get_by_test_id("lesson")
    expect(card).to_have_attribute("data-lesson", lesson.slug)
    for number, beat in enumerate(lesson.beats[first:], start=first):
        expect(card).to_have_attribute("data-beat", str(number))
        wait_for_stage(page, lesson, beat)
        if beat.question:
            expect(card).to_have_attribute("data-answered", "false")
            page.keyboard.press("PageDown")
            expect(card).to_have_attribute("data-answered", "true")
        if beat.stage == "encoding":
            let_encoding_end(page, beat)
        until(partial(is_whole, page, lesson, beat), f"the picture of {beat.say}")
        until(lambda: has_ink(page), f"ink at {beat.say}")
        if name and number == len(lesson.beats) // 2:
            ask(page, name)
        if number + 1 < len(lesson.beats):
            page.keyboard.press("PageDown")


def ask(page: Page, name: str) -> None:
    """Type what somebody in the room asks for and play it. Then the stage must be as it was."""
    ready(page)
    before = place_at_rest(page)
    page.keyboard.press("t")
    field = page.get_by_test_id("stage-text")
    expect(field).to_be_focused()
    page.keyboard.type(name)
    drawn = page.locator("[data-testid=stage-field] .part").get_by_test_id("token-grid").first
    expect(drawn).to_have_attribute("data-text", re.compile(name.split()[-1]))
    page.keyboard.press("Enter")
    # It moves, unless none of the merges that the stage has learned applies to it.
    until(
        lambda: drawn.get_attribute("data-steps") == "0" or drawn.get_attribute("data-step") != "0",
        f"the first step of {name}",
    )
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    ready(page)
    until(lambda: place(page) == before, f"what was there before {name}")


def place_at_rest(page: Page) -> list[Any]:
    """Return where a talk is once the page has written the texts of a stop into its address."""
    places = [place(page)]

    def rests() -> bool:
        page.wait_for_timeout(500)
        places.append(place(page))
        return places[-1] == places[-2]

    until(rests, "an address that stays")
    return places[-1]


def place(page: Page) -> list[Any]:
    """Return where a talk is: the stop, the beat and the grid of its stage, and the address."""
    cards = page.get_by_test_id("lesson").evaluate_all(
        "all => all.map(({ dataset: { lesson, beat, answered } }) => [lesson, beat, answered])"
    )
    return [page.evaluate(STATE), cards, page.url]


def walk_page(page: Page, number: int, key: str) -> int:
    """Press a key until the next stop. Return how often."""
    for presses in range(1, MOST_KEYS + 1):
        before = page.evaluate(STATE)
        page.keyboard.press(key)
        until(partial(has_left, page, before), f"a change at {before}")
        until(lambda: not page.evaluate(STATE)["moves"], "the rest of the grid")
        if page.get_by_test_id("talk").get_attribute("data-stop") != str(number):
            return presses
    raise AssertionError(f"stop {number} has no way on with {key}")


def walk_back(page: Page, number: int, stop: Stop) -> None:
    """Press the other key until the stop before."""
    if stop.page:
        walk_page(page, number, "PageUp")
        return
    for beat in reversed(range(len(stop.lesson.beats))):
        expect(page.get_by_test_id("lesson")).to_have_attribute("data-beat", str(beat))
        page.wait_for_function(TAKES_KEYS, arg="lesson")  # between two stages nothing takes them
        page.keyboard.press("PageUp")


# A detour: another page, which a question or a wrong key has opened. The talk waits where it was.

AT_LESSON = next(
    number
    for number, (stop, after) in enumerate(pairwise(LECTURE.stops), start=1)
    if number > 2 and not (stop.page or after.page) and len(stop.lesson.beats) > 2
)


@pytest.mark.parametrize("keys", ["358", pytest.param("2345678", marks=pytest.mark.weekly)])  # 1 is Lessons
def test_pages_that_keys_open_keep_the_talk_and_one_key_leads_back_to_its_beat(page: Page, keys: str) -> None:
    begin_at_beat(page, 1)
    for key in keys:
        page.keyboard.press(key)
        is_away(page)
    page.keyboard.press("0")
    is_back(page, 1)
    page.keyboard.press("2")  # a wrong digit
    is_away(page)
    expect(grid(page)).to_have_class(PRESENTING)
    page.keyboard.press("1")
    is_back(page, 1)
    walk_lesson(page, LECTURE.stops[AT_LESSON - 1].lesson, 1)
    page.keyboard.press("PageDown")
    at_stop(page, LECTURE, AT_LESSON + 1)


def test_back_a_link_esc_a_reload_and_closed_notes_keep_the_talk(page: Page) -> None:
    begin_at_beat(page, 1)
    page.keyboard.press("3")
    is_away(page)
    page.go_back()
    is_back(page, 1)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Open in Watch").click()
    is_away(page)
    expect(page).to_have_url(re.compile(rf"/\?(.*&)?talk={LECTURE.slug}&stop={AT_LESSON}"))
    page.reload()
    ready(page)
    is_away(page)
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.get_by_test_id("notes-return")).to_have_text("Back to the talk (0)")
    notes.get_by_test_id("notes-return").click()
    is_back(page, 1)
    expect(notes.locator("h1")).to_have_text(LECTURE.stops[AT_LESSON - 1].title)  # it follows over pages
    expect(notes.get_by_test_id("notes-return")).to_have_count(0)
    notes.close()
    page.reload()
    ready(page)
    is_back(page, 1)
    page.get_by_role("combobox").first.click()  # another lesson of the course
    page.get_by_role("option").first.click()
    is_away(page)
    page.keyboard.press("0")
    is_back(page, 1)
    page.get_by_test_id("talk-leave").click()
    expect(page.get_by_test_id("talk")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("talk="))


def test_on_stage_the_pointer_shows_the_way_back_and_a_clicker_comes_back_at_the_end(page: Page) -> None:
    begin_at_beat(page, 1)
    page.keyboard.press("2")
    is_away(page)
    expect(grid(page)).to_have_class(PRESENTING)
    page.mouse.move(300, 300)
    page.mouse.move(320, 310)
    page.get_by_test_id("corner-return").click()
    is_back(page, 1)
    page.mouse.move(340, 320)
    expect(page.get_by_test_id("corner-leave")).to_be_visible()
    expect(page.get_by_test_id("corner-return")).to_be_hidden()
    page.keyboard.press("2")
    is_away(page)
    page.keyboard.press("End")
    page.keyboard.press("PageDown")
    is_back(page, 1)


def begin_at_beat(page: Page, beat: int) -> None:
    """Open a lesson of the lecture in the presenter view, at a beat counted from 0."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"/lessons?{urlencode(address(LECTURE, AT_LESSON - 1))}&beat={beat + 1}")
    ready(page)
    page.keyboard.press("p")
    at_stop(page, LECTURE, AT_LESSON)


def is_away(page: Page) -> None:
    """Wait until the page is a detour from the lesson."""
    expect(page.get_by_test_id("talk")).to_have_attribute("data-away", "true")
    expect(page.get_by_test_id("talk")).to_have_attribute("data-stop", str(AT_LESSON))
    expect(page).to_have_url(re.compile(rf"talk={LECTURE.slug}&stop={AT_LESSON}"))
    ready(page)


def is_back(page: Page, beat: int) -> None:
    """Wait until the lesson of the talk is on the screen again, at its beat."""
    expect(page.get_by_test_id("talk")).to_have_attribute("data-away", "false")
    lesson = page.get_by_test_id("lesson")
    expect(lesson).to_have_attribute("data-lesson", LECTURE.stops[AT_LESSON - 1].lesson.slug)
    expect(lesson).to_have_attribute("data-beat", str(beat))
    ready(page)


# What a lecturer has besides the clicker: a vote of the room, and notes in a window of their own.

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
    press(page, "v")  # and on to the next merge
    expect(grid(page)).to_have_attribute("data-step", "1")
    expect(vote).to_be_visible()
    expect(vote.locator(".result").first).to_be_hidden()
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    press(page, "Home", "v", "a", "b", "b", "a", "Shift+A")
    expect(vote.locator(".hands")).to_have_text(["1", "2", "0", "0"])
    expect(vote.locator(".result").first).to_be_hidden()  # hands are no answer
    words, box = grid(page).locator(".viewport").bounding_box(), vote.bounding_box()
    assert words
    assert box
    assert box["x"] >= words["x"] + words["width"]  # where the table was, not over the words
    chips = vote.locator(".chip").evaluate_all("all => all.map(({ clientHeight }) => clientHeight)")
    assert max(chips) < 1.5 * min(chips)  # none breaks inside
    press(page, "Enter")
    expect(vote.locator(".right")).to_have_count(3)
    press(page, "Enter")  # goes on
    expect(vote).to_be_hidden()
    winner = page.get_by_test_id("pair-table").locator("tr.chosen")
    expect(winner.locator(".unseen")).to_have_text(["chosen: it comes first in the text, at newest"])
    expect(grid(page)).not_to_have_attribute("data-beat", "guess")
    press(page, "v")  # the answer stands in the grid
    expect(vote).to_be_visible()
    expect(grid(page)).to_have_attribute("data-step", "1")
    press(page, "Home", "v")  # the question comes back with its hands and its answer
    expect(vote).to_be_visible()
    expect(vote).to_have_attribute("data-open", "false")
    expect(vote.locator(".hands")).to_have_text(["1", "2", "0", "0"])
    expect(grid(page)).to_have_attribute("data-step", "0")
    press(page, "Escape")
    expect(vote).to_be_hidden()
    press(page, "v")  # closed by accident
    expect(vote).to_be_visible()
    expect(grid(page)).to_have_attribute("data-step", "0")
    press(page, "Shift+V")  # the hands are counted anew
    expect(vote).to_have_attribute("data-open", "true")
    expect(vote.locator(".hands")).to_have_text([""] * 4)
    press(page, "c")
    expect(vote.locator(".hands")).to_have_text(["0", "0", "1", "0"])
    page.evaluate(SHIFT_V_WITH_CAPS_LOCK)
    expect(vote.locator(".hands")).to_have_text([""] * 4)
    press(page, "b", "Escape", "Shift+V")  # opens it, as V does
    expect(vote.locator(".hands")).to_have_text(["0", "1", "0", "0"])
    press(page, "Escape", "v", "PageDown")  # a clicker has neither V nor Enter
    expect(vote.locator(".result").first).to_be_visible()
    press(page, "PageDown")
    expect(vote).to_be_hidden()
    expect(grid(page)).to_have_attribute("data-beat", "select")
    press(page, "Home")
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


def test_a_clicker_alone_lets_the_room_vote_from_the_notes_which_show_the_hands(page: Page) -> None:
    path = next(path for path in paths() if path.minutes == 45)
    number = next(number for number, stop in enumerate(path.stops) if stop.page == "watch")
    enter(page, f"/lessons?{urlencode(address(path, number))}")
    expect(grid(page)).to_be_visible()
    page.keyboard.press("p")
    expect(grid(page)).to_have_class(PRESENTING)
    hides_the_answer(page)
    expect(grid(page).locator(".headline")).to_contain_text("Merge 1 of 12 · which pair comes next?")
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.locator("h1")).to_have_text(path.stops[number].title)
    notes.wait_for_function("document.hasFocus()")
    vote = page.get_by_test_id("vote")
    folded = notes.locator(".told details").filter(has_text="The next merge, hidden while you count hands")
    for merge in range(2):
        notes.keyboard.press("PageDown")
        expect(vote).to_be_visible()
        hides_the_answer(page)
        notes.keyboard.press("a")  # who has a keyboard counts
        expect(notes.get_by_test_id("hands-count").first).to_have_value("1")
        expect(folded).to_have_count(1)
        notes.keyboard.press("PageDown")
        expect(vote.locator(".result").first).to_be_visible()
        notes.keyboard.press("PageDown")
        expect(vote).to_be_hidden()
        expect(grid(page)).to_have_attribute("data-beat", "select")
        notes.keyboard.press("PageDown")
        expect(grid(page)).to_have_attribute("data-step", str(merge + 1))
        expect(grid(page)).to_have_attribute("data-beat", "settle")
        assert notes.evaluate("scrollY") == 0  # the clicker's keys are the talk's
    notes.keyboard.press("PageDown")
    notes.keyboard.press("a")
    expect(folded).to_have_count(1)
    page.keyboard.press("r")  # another rule: nobody has voted on its merges
    expect(page.get_by_test_id("tie-last").locator(".chip").first).to_be_visible()
    page.keyboard.type("las")
    page.keyboard.press("Enter")
    ready(page)
    expect(page).to_have_url(re.compile("tie_break=last"))
    expect(grid(page)).to_have_attribute("data-step", "2")  # the same step of another training
    expect(notes.get_by_role("heading", name="The next merge")).to_be_visible()
    expect(folded).to_have_count(0)
    notes.close()
    page.keyboard.press("Escape")


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


def test_the_notes_follow_the_talk_and_their_keys_move_it(page: Page) -> None:
    lesson = SHORT.stops[0].lesson
    # Loads the page, since the test before may have left a presenter view.
    page.goto(f"/lessons?talk={SHORT.slug}")
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
    opens_notes(
        page, path.stops[number].title, tells="“First occurrence” picks e + s: it comes first in the text"
    )


def opens_notes(page: Page, title: str, tells: str = "") -> None:
    """Press N with the focus where the presenter view has put it, and expect the notes in a window."""
    grid(page).locator(".viewport").focus()
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    expect(opened.value.locator("h1")).to_have_text(title)
    # The speaker reads the next merge before the room.
    expect(opened.value.locator("body")).to_contain_text(tells)
    opened.value.close()


# A show of hands: the last question, its hands, and the list of all of them.

# With Caps Lock on, the key arrives as a small letter, which Playwright's keyboard cannot send.
SHIFT_V_WITH_CAPS_LOCK = """() => (document.activeElement ?? document.body).dispatchEvent(
  new KeyboardEvent('keydown', { key: 'v', shiftKey: true, bubbles: true, cancelable: true, composed: true }))"""
LISTED = "[data-testid=tallies] .questions > li"
WITH_LESSON = next(
    (number, stop, beat)
    for number, stop in enumerate(LECTURE.stops)
    for beat, one in enumerate(stop.lesson.beats)
    if not stop.page and one.exercise and one.exercise.kind == "pair" and beat
)


def test_hands_are_counted_in_the_notes_and_on_the_stage_and_the_answer_waits_until_it_is_shown(
    page: Page,
) -> None:
    notes = count_hands(page)
    rows = notes.get_by_test_id("hands").locator("li")
    right = right_answers()
    assert 0 < sum(right) < rows.count() == len(right)
    notes.keyboard.press("a")
    notes.keyboard.press("b")
    notes.keyboard.press("b")
    notes.keyboard.press("Shift+B")
    rows.nth(2).get_by_role("button", name="One hand more").click()
    rows.nth(2).get_by_test_id("hands-count").fill("12")
    expect(rows.locator("input").nth(0)).to_have_value("1")
    expect(rows.locator("input").nth(1)).to_have_value("1")
    expect(rows.locator(".share").nth(2)).to_have_text("86%")  # 12 of 14
    expect(page.get_by_test_id("vote")).to_be_hidden()  # the room sees nothing of it
    is_hidden_in(notes)
    notes.get_by_test_id("hands-stage").click()
    vote = page.get_by_test_id("vote")
    expect(vote.locator(".hands")).to_have_text(["1", "1", "12", *["0"] * (len(right) - 3)])
    assert all(
        vote.locator(".share").evaluate_all(
            "all => all.map((one) => one.checkVisibility({ opacityProperty: true }))"
        )
    )
    assert vote.evaluate("one => one.scrollHeight <= one.clientHeight + 1")  # a room cannot scroll
    expect(vote).to_have_attribute("data-open", "true")
    page.keyboard.press("a")  # counts here, too
    expect(rows.locator("input").nth(0)).to_have_value("2")
    is_hidden_in(notes)
    page.keyboard.press("v")
    expect(notes.locator("[data-testid=hands] li.right")).to_have_count(sum(right))
    expect(notes.locator(f"{LISTED} li.right")).to_have_count(sum(right))
    assert [*map(bool, rows.locator(".mark").all_inner_texts())] == right
    page.keyboard.press("Escape")
    page.keyboard.press("v")  # the same hands once more, and one row of the list
    expect(vote.locator(".hands").nth(2)).to_have_text("12")
    expect(vote).to_have_attribute("data-open", "false")
    expect(notes.locator(LISTED)).to_have_count(1)
    notes.get_by_test_id("hands-right").click()  # hides it again, on the stage as well
    is_hidden_in(notes)
    expect(vote).to_have_attribute("data-open", "true")
    page.keyboard.press("PageUp")
    expect(vote).to_be_hidden()
    page.keyboard.press("PageDown")  # the lesson's own answer
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-answered", "true")
    expect(notes.locator("[data-testid=hands] li.right")).to_have_count(sum(right))
    notes.close()


def test_the_key_beside_count_again_does_in_the_notes_what_the_button_does(page: Page) -> None:
    notes = count_hands(page)
    counts, questions = notes.get_by_test_id("hands-count"), notes.locator(LISTED)
    notes.keyboard.press("a")
    expect(counts.first).to_have_value("1")
    notes.keyboard.press("Shift+V")
    expect(counts.first).to_have_value("0")
    notes.keyboard.press("a")  # the focus is where hands are counted
    expect(counts.first).to_have_value("1")
    expect(questions).to_have_count(2)
    notes.keyboard.press("Escape")  # also from outside of the rows
    notes.evaluate(SHIFT_V_WITH_CAPS_LOCK)
    expect(counts.first).to_have_value("0")
    notes.keyboard.press("Shift+V")  # no hands: nothing to count again, as the button says
    expect(notes.get_by_test_id("hands-again")).to_be_disabled()
    expect(page.get_by_test_id("vote")).to_be_hidden()
    notes.keyboard.press("h")
    notes.keyboard.press("b")
    expect(questions).to_have_count(3)
    is_hidden_in(notes)
    notes.close()


def test_the_list_outlives_a_reload_and_its_window_and_is_cleared_after_a_question(page: Page) -> None:
    notes = count_hands(page)
    notes.keyboard.press("a")
    notes.get_by_test_id("hands-again").click()  # after the discussion
    expect(notes.get_by_test_id("hands-count").first).to_have_value("0")
    notes.keyboard.press("h")
    notes.keyboard.press("b")
    questions = notes.locator(LISTED)
    expect(questions).to_have_count(2)
    expect(questions.nth(0).locator(".share")).to_have_text(["1", *["0"] * (len(right_answers()) - 1)])
    expect(questions.nth(1).locator(".share").nth(1)).to_have_text("1")
    notes.close()
    page.reload()
    ready(page)
    sent = "() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage)"
    assert "tallies" in page.evaluate(sent)
    notes = opened_notes(page)
    questions = notes.locator(LISTED)
    expect(questions).to_have_count(2)
    expect(notes.get_by_test_id("hands-count").nth(1)).to_have_value("1")  # the question goes on
    expect(notes.get_by_test_id("tallies-kept")).to_contain_text("until you clear it")
    with notes.expect_download() as saved:
        notes.get_by_test_id("tallies-csv").click()
    text = Path(saved.value.path()).read_text("utf-8-sig")
    assert text.count("\n") == 1 + 2 * len(right_answers())
    assert f'"{LECTURE.title}"' in text
    assert '"yes"' not in text  # nothing was told
    notes.get_by_test_id("tallies-clear").click()
    expect(notes.get_by_role("alert")).to_contain_text("Clear 2 questions for good?")
    notes.get_by_test_id("tallies-stay").click()
    expect(questions).to_have_count(2)
    notes.get_by_test_id("tallies-clear").click()
    notes.get_by_test_id("tallies-clear-now").click()
    expect(questions).to_have_count(0)
    expect(notes.get_by_test_id("tallies")).to_contain_text("No hands were counted in this talk yet.")
    expect(notes.get_by_test_id("hands-count").nth(1)).to_have_value("0")
    notes.close()


def test_all_questions_of_a_lecture_are_printed_on_one_page(page: Page) -> None:
    begin_at_question(page)
    questions = [
        (beat.question, [*"ABCDE"[: 3 + number % 3]])
        for stop in LECTURE.stops
        if not stop.page
        for number, beat in enumerate(stop.lesson.beats)
        if beat.question
    ]
    page.evaluate(STORE_TALLIES, [LECTURE.title, questions])
    page.reload()
    ready(page)
    notes = opened_notes(page)
    expect(notes.locator(LISTED)).to_have_count(len(questions))
    notes.evaluate("() => { window.print = () => { document.title = 'printed'; }; }")
    notes.get_by_test_id("tallies-print").click()
    expect(notes).to_have_title("printed")
    for size in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page[^s]", notes.pdf(format=size))) == 1, size
    notes.emulate_media(media="print")
    shown = notes.locator("body").inner_text()
    assert LECTURE.title in shown
    assert re.search(r"\d+ \w+ 20\d\d", shown)  # the date
    assert all(question in shown for question, _ in questions)
    expect(notes.locator(".told")).to_be_hidden()
    expect(notes.get_by_test_id("hands")).to_be_hidden()
    for part in (".bar", ".share", ".label"):
        drawn = notes.locator(f"{LISTED} {part}").evaluate_all(
            "all => all.every((one) => one.offsetWidth > 5)"
        )
        assert drawn, part
    notes.close()


@pytest.mark.parametrize(
    ("forged", "says"),
    [
        ("{", "could not be read, so a new one begins"),
        pytest.param(
            '{"version":1,"talks":[{"title":"<img src=x onerror=alert(1)>"}]}',
            "could not be read",
            marks=pytest.mark.weekly,
        ),
        ("MARKUP", "<img src=x onerror=alert(1)>"),  # a list of ours, whose texts are no markup
    ],
)
def test_a_forged_list_is_no_markup_and_does_no_harm(page: Page, forged: str, says: str) -> None:
    begin_at_question(page)
    if forged == "MARKUP":
        page.evaluate(STORE_TALLIES, [LECTURE.title, [[says, [says, "b"]]]])
    else:
        page.evaluate("text => localStorage.setItem('merge-by-merge/tallies', text)", forged)
    page.reload()
    ready(page)
    notes = opened_notes(page)
    expect(notes.get_by_test_id("tallies")).to_contain_text(says)
    expect(notes.locator("img")).to_have_count(0)
    notes.keyboard.press("h")
    notes.keyboard.press("a")
    expect(notes.locator(LISTED).last.locator(".share").first).to_have_text("1")
    notes.close()


def test_where_nothing_can_be_kept_a_sentence_says_so_and_the_list_lasts_over_pages(
    new_page: NewPage,
) -> None:
    page = new_page(accept_downloads=False)  # a context of its own, which no other test gets
    run_first(
        page,
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new DOMException('refused', 'SecurityError'); } });",
    )
    begin_at_question(page)
    page.keyboard.press("p")
    notes = opened_notes(page)
    expect(notes.get_by_test_id("tallies-kept")).to_contain_text("This browser stores nothing")
    notes.keyboard.press("h")
    notes.keyboard.press("a")
    expect(notes.locator(LISTED)).to_have_count(1)
    page.keyboard.press("2")  # another page of the app
    expect(page.get_by_test_id("talk")).to_have_attribute("data-away", "true")
    expect(notes.get_by_test_id("notes-return")).to_be_visible()
    expect(notes.locator(LISTED)).to_have_count(1)
    notes.close()


def test_notes_fit_a_telephone_in_the_dark_and_say_that_there_is_no_question_yet(page: Page) -> None:
    begin_at_question(page)
    page.evaluate("() => localStorage.removeItem('merge-by-merge/tallies')")
    page.goto(f"/lessons?talk={SHORT.slug}")
    ready(page)
    notes = opened_notes(page)
    notes.emulate_media(color_scheme="dark")
    notes.set_viewport_size({"width": 390, "height": 844})
    expect(notes.get_by_test_id("hands")).to_contain_text("No question yet.")
    expect(notes.get_by_test_id("tallies")).to_contain_text("No hands were counted in this talk yet.")
    assert notes.evaluate("document.documentElement.scrollWidth <= innerWidth")
    beat = next(number for number, beat in enumerate(SHORT.stops[0].lesson.beats, 1) if beat.exercise)
    page.goto(f"/lessons?talk={SHORT.slug}&stop=1&lesson={SHORT.stops[0].lesson.slug}&beat={beat}")
    ready(page)
    page.keyboard.press("n")
    expect(notes.get_by_test_id("hands").locator("li").first).to_be_visible()
    assert notes.evaluate("document.documentElement.scrollWidth <= innerWidth")
    notes.close()


# Writes a talk of now into the browser's storage: its title, and each question with its answers, of which the first is
# right and told.
STORE_TALLIES = """([title, questions]) => {
  const at = Date.now() - 60_000;
  const tallies = questions.map(([asks, labels], number) => ({
    id: String(number), name: `other/${number}`, where: `Step ${number + 1}`, asks, at: at + number, open: false,
    answers: labels.map((label, place) => ({ label, right: place === 0 })), hands: labels.map((_, place) => 9 + place),
  }));
  const talks = [{ title, began: at, tallies }];
  localStorage.setItem('merge-by-merge/tallies', JSON.stringify({ version: 1, talks }));
}"""


def begin_at_question(page: Page) -> None:
    """Open the lecture at a lesson's question about a pair, with nothing kept."""
    number, _, beat = WITH_LESSON
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"/lessons?{urlencode(address(LECTURE, number))}&beat={beat + 1}")
    ready(page)
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-beat", str(beat))


def opened_notes(page: Page) -> Page:
    """Open the notes, and wait until they have the focus: before, a key is lost."""
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.locator("h1")).to_be_visible()
    notes.wait_for_function("document.hasFocus()")
    return notes


def count_hands(page: Page) -> Page:
    """Return the notes at a lesson's question, on stage, with the focus where hands are counted and none counted."""
    begin_at_question(page)
    page.evaluate("() => localStorage.removeItem('merge-by-merge/tallies')")
    page.reload()
    ready(page)
    page.keyboard.press("p")
    expect(page.get_by_test_id("lesson")).to_have_class(PRESENTING)
    notes = opened_notes(page)
    notes.keyboard.press("h")
    expect(notes.get_by_test_id("hands-count").first).to_be_focused()
    return notes


def right_answers() -> list[bool]:
    """Return whether each answer to the question is right, as the engine has them."""
    _, stop, beat = WITH_LESSON
    lesson = stop.lesson
    trace = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)
    exercise = lesson.beats[beat].exercise
    assert exercise
    return [right for _, right in answers_to_raise(lesson.question(trace, lesson.beats[beat]), exercise.kind)]


def is_hidden_in(notes: Page) -> None:
    """Expect that the notes do not tell the answer to who looks at them, before it is shown."""
    expect(notes.locator(".right")).to_have_count(0)
    expect(notes.locator(".mark").filter(has_text=re.compile(r"\S"))).to_have_count(0)
    _, stop, beat = WITH_LESSON
    for told in (stop.lesson.beats[beat].answer, stop.lesson.beats[beat + 1].say):
        expect(notes.get_by_text(plain(told))).to_have_count(1)
        expect(notes.get_by_text(plain(told))).to_be_hidden()
    for details in notes.locator(".told details").all():
        expect(details.locator("p").first).to_be_hidden()


def plain(text: str) -> str:
    """Return the beginning of a text as the notes show it, without backticks."""
    return text.replace("`", "")[:40]
