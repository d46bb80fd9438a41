"""Talks, walked by the keys of a clicker alone, across lessons and pages, with questions of the room on the way."""

import re
from functools import partial
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from harness.app_server import AppServer
from harness.chromium import enter, grid, ready
from tests.browser.beat_picture import lacks, wait_for_stage
from tests.browser.conftest import NewPage
from tests.browser.grid_page import WORDS, press, show
from tests.browser.readable import has_ink
from tests.browser.stage_walk import let_encoding_end
from tests.waiting import until
from ui.page_parts.lessons.curriculum import LessonPath, Stop, address, paths
from ui.page_parts.lessons.lesson import Beat, Lesson

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


def test_two_presses_lead_from_the_first_screen_to_the_first_stop_on_stage(page: Page) -> None:
    enter(page, "/")
    page.evaluate(COUNT_PRESSES)
    page.evaluate(
        "sessionStorage['merge-by-merge.talk-started'] = '1'"
    )  # a talk that was given before in this tab
    page.get_by_role("link", name="Give a talk").click()
    page.get_by_role("button", name=f"Begin: {LECTURE.title}").click()
    at_stop(page, LECTURE, 1)
    expect(page.get_by_test_id("lesson")).to_have_class(PRESENTING)
    expect(grid(page)).to_have_class(PRESENTING)
    assert page.evaluate("[presses, Boolean(document.fullscreenElement)]") == [2, True]
    assert (
        page.evaluate("sessionStorage.getItem('merge-by-merge.talk-started')") is None
    )  # its clock begins anew
    black, keys, leave = map(page.get_by_test_id, ("black-out", "corner-keys", "corner-leave"))
    page.keyboard.press("b")  # also where a picture is in the grid's place
    expect(black).to_be_visible()
    page.keyboard.press("b")
    expect(black).to_be_hidden()
    page.mouse.move(340, 320)
    expect(keys).to_be_visible()
    leave.click()
    expect(page.get_by_test_id("lesson")).not_to_have_class(PRESENTING)
    page.go_back()
    page.get_by_text("Its stops, and what to say").last.click()
    last = paths()[-1]
    page.get_by_test_id(f"begin-{last.slug}-2").click()  # a talk may begin at any stop
    at_stop(page, last, 2)
    expect(page.get_by_test_id("lesson")).to_have_class(PRESENTING)


COUNT_PRESSES = """() => {
  window.presses = 0;
  for (const kind of ['pointerdown', 'keydown']) {
    window.addEventListener(kind, () => { presses += 1; }, { capture: true });
  }
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
    lesson = LECTURE.stops[number - 1].lesson
    last = len(lesson.beats) - 1
    enter(page, f"/lessons?{urlencode(address(LECTURE, number - 1))}&beat={last + 1}")
    page.keyboard.press("p")
    at_stop(page, LECTURE, number)
    walk_lesson(page, lesson, last)
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
    drawn = grid(page)  # of this page, or of Watch
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
    return [page.evaluate(STATE), cards, re.sub(r"[?&]step=\d+", "", page.url)]


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


@pytest.mark.weekly
def test_pages_that_keys_open_keep_the_talk_and_one_key_leads_back_to_its_beat(page: Page) -> None:
    begin_at_beat(page, 1)
    for key in "2345678":  # 1 is Lessons
        page.keyboard.press(key)
        is_away(page)
    page.keyboard.press("0")
    is_back(page, 1)
    page.keyboard.press("3")  # a wrong digit
    is_away(page)
    expect(grid(page)).to_have_class(PRESENTING)
    page.keyboard.press("1")
    is_back(page, 1)
    page.keyboard.press("PageDown")  # the talk goes on from there
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-answered", "true")


def test_back_a_link_esc_a_reload_and_closed_notes_keep_the_talk(page: Page) -> None:
    begin_at_beat(page, 1)
    page.keyboard.press("4")
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
    page.keyboard.press("3")
    is_away(page)
    expect(grid(page)).to_have_class(PRESENTING)
    page.mouse.move(300, 300)
    page.mouse.move(320, 310)
    page.get_by_test_id("corner-return").click()
    is_back(page, 1)
    page.mouse.move(340, 320)
    expect(page.get_by_test_id("corner-leave")).to_be_visible()
    expect(page.get_by_test_id("corner-return")).to_be_hidden()
    page.keyboard.press("3")
    is_away(page)
    page.keyboard.press("End")
    page.keyboard.press("PageDown")
    is_back(page, 1)


def begin_at_beat(page: Page, beat: int) -> None:
    """Open a lesson of the lecture in the presenter view, at a beat counted from 0."""
    page.set_viewport_size({"width": 1280, "height": 720})
    enter(page, f"/lessons?{urlencode(address(LECTURE, AT_LESSON - 1))}&beat={beat + 1}")
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


# What a lecturer has besides the clicker: notes in a window of their own.

SHORT = min(paths(), key=lambda path: path.minutes)


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


def hides_the_answer(page: Page) -> None:
    """Expect that neither grid nor pair table tells the next merge."""
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    expect(page.get_by_test_id("pair-table")).to_have_attribute("data-beat", "guess")
    names = page.locator("tr[data-left] .pairing").all_inner_texts()
    assert names
    assert names == sorted(names)
    for answer in ("td.number", "td.rank", ".meter", ".tie"):
        expect(page.get_by_test_id("pair-table").locator(answer).first).to_be_hidden()


def test_the_list_of_keys_of_a_talk_has_five_and_the_others_behind_a_press(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    enter(page, f"/lessons?talk={SHORT.slug}")
    page.keyboard.press("p")
    at_stop(page, SHORT, 1)
    page.keyboard.press("?")
    help_ = page.get_by_test_id("help").locator("visible=true")
    keys = help_.locator("dt").locator("visible=true")
    expect(keys).to_have_text(["Space→", "←", "T", "PEscF5", "N"])
    help_.get_by_text("All keys").click()
    expect(keys.filter(has_text="?")).to_be_visible()
    expect(help_.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")


def test_the_notes_follow_the_talk_and_their_keys_move_it(page: Page) -> None:
    lesson = SHORT.stops[0].lesson
    enter(page, f"/lessons?talk={SHORT.slug}")
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-lesson", lesson.slug)
    notes = opened_notes(page)
    expect(notes.locator("h1")).to_have_text(SHORT.stops[0].title)
    expect(notes.locator(".notes")).to_have_text(SHORT.stops[0].notes)
    expect(notes.locator(".clock")).to_contain_text(f"of {SHORT.minutes}:00")
    expect(notes.locator("header")).to_contain_text(f"step 1 of {len(lesson.beats)}")
    expect(notes.locator("body")).to_contain_text(plain(lesson.beats[0].say))
    notes.keyboard.press("PageDown")
    for _ in range(2 if lesson.beats[0].question else 0):
        notes.keyboard.press("PageDown")
    expect(page.get_by_test_id("lesson")).not_to_have_attribute("data-beat", "0")
    expect(notes.locator("header")).not_to_contain_text("step 1 of")
    pages = len(page.context.pages)
    page.keyboard.press("n")  # the same window again
    ready(page)
    assert len(page.context.pages) == pages
    notes.emulate_media(color_scheme="dark")  # on a telephone in the dark
    notes.set_viewport_size({"width": 390, "height": 844})
    assert notes.evaluate("document.documentElement.scrollWidth <= innerWidth")
    notes.close()


def test_the_notes_open_on_stage_and_a_clicker_alone_asks_and_answers_from_them(page: Page) -> None:
    path = next(path for path in paths() if path.minutes == 45)
    number = next(number for number, stop in enumerate(path.stops) if stop.page == "watch")
    enter(page, f"/lessons?{urlencode(address(path, number - 1))}&beat=99")
    page.keyboard.press("p")
    expect(page.get_by_test_id("lesson")).to_have_class(PRESENTING)
    notes = opened_notes(page)
    expect(notes.locator("h1")).to_have_text(path.stops[number - 1].title)
    notes.close()
    for _ in range(6):  # the rest of this lesson
        if page.get_by_test_id("talk").get_attribute("data-stop") == str(number + 1):
            break
        page.keyboard.press("PageDown")
        ready(page)
    expect(page.get_by_test_id("talk")).to_have_attribute("data-stop", str(number + 1))
    expect(grid(page)).to_have_class(PRESENTING)
    expect(grid(page).locator(".headline")).to_contain_text("Merge 1 of 12 · which pair comes next?")
    hides_the_answer(page)  # the first guess stands beside no answer
    notes = opened_notes(page)
    expect(notes.locator("h1")).to_have_text(path.stops[number].title)
    # The speaker reads the next merge before the room.
    expect(notes.locator("body")).to_contain_text("“First occurrence” picks e + s: ")
    for merge in range(2):
        hides_the_answer(page)
        for beat in ("count", "select"):
            notes.keyboard.press("PageDown")
            expect(grid(page)).to_have_attribute("data-beat", beat)
        notes.keyboard.press("PageDown")
        expect(grid(page)).to_have_attribute("data-step", str(merge + 1))
        expect(grid(page)).to_have_attribute("data-beat", "settle")
        notes.keyboard.press("PageDown")
        assert notes.evaluate("scrollY") == 0  # the clicker's keys are the talk's
    notes.close()
    page.keyboard.press("Escape")


def opened_notes(page: Page) -> Page:
    """Press N with the focus on the grid, and wait until the notes have it: before, a key is lost."""
    if grid(page).count():
        grid(page).locator(".viewport").focus()
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.locator("h1")).to_be_visible()
    notes.wait_for_function("document.hasFocus()")
    return notes


def plain(text: str) -> str:
    """Return the beginning of a text as the notes show it, without backticks."""
    return text.replace("`", "")[:40]
