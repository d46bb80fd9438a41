"""A talk of 45 minutes, walked by the keys of a clicker alone, across lessons and pages, to its end and partly back."""

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import enter, ready
from tests.browser.lessons.beat_picture import lacks, wait_for_stage
from tests.browser.lessons.stage_walk import let_encoding_end
from tests.waiting import until
from ui.lessons import Beat, Lesson
from ui.lessons.curriculum import Stop, paths

LECTURE = next(path for path in paths() if path.minutes == 45)
MOST_KEYS = 60  # that one stop may take
STOPS_BACK = 4  # of the way back
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


@pytest.mark.slow
def test_a_lecture_of_45_minutes_is_walked_by_keys_alone_to_its_end_and_some_stops_back(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    enter(page, f"/lessons?talk={LECTURE.slug}")
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-lesson", LECTURE.stops[0].lesson.slug)
    page.keyboard.press("p")
    for key in FASTEST:
        page.keyboard.press(key)
    for number, stop in enumerate(LECTURE.stops, start=1):
        at_stop(page, number)
        if stop.page:
            walk_page(page, number, "PageDown")
        else:
            walk_lesson(page, stop.lesson)
        if number < len(LECTURE.stops) and not stop.page:
            page.keyboard.press("PageDown")
    page.set_viewport_size({"width": 1024, "height": 768})
    for number in range(len(LECTURE.stops), len(LECTURE.stops) - STOPS_BACK, -1):
        at_stop(page, number)
        walk_back(page, number, LECTURE.stops[number - 1])


def at_stop(page: Page, number: int) -> None:
    """Wait until a stop is on the screen, in the presenter view, and takes the keys."""
    expect(page.get_by_test_id("talk")).to_have_attribute("data-stop", str(number))
    ready(page)
    stop = LECTURE.stops[number - 1]
    view = {"": "lesson", "compare": "lane-stage"}.get(stop.page, "token-grid")
    expect(page.get_by_test_id(view).first).to_have_class(PRESENTING)
    page.wait_for_function(TAKES_KEYS, arg=stop.page or "lesson")


def is_whole(page: Page, lesson: Lesson, beat: Beat) -> bool:
    """Return whether the picture of a beat holds what its text names."""
    return not [*lacks(page, lesson, beat)]


def has_left(page: Page, state: dict[str, Any]) -> bool:
    """Return whether a page shows another state."""
    return bool(page.evaluate(STATE) != state)


def walk_lesson(page: Page, lesson: Lesson) -> None:
    """Go from beat to beat to the last one, and check that the picture of each holds what its text names."""
    card = page.get_by_test_id("lesson")
    expect(card).to_have_attribute("data-lesson", lesson.slug)
    for number, beat in enumerate(lesson.beats):
        expect(card).to_have_attribute("data-beat", str(number))
        wait_for_stage(page, lesson, beat)
        if beat.question:
            expect(card).to_have_attribute("data-answered", "false")
            page.keyboard.press("PageDown")
            expect(card).to_have_attribute("data-answered", "true")
        if beat.stage == "encoding":
            let_encoding_end(page, beat)
        until(partial(is_whole, page, lesson, beat), f"the picture of {beat.say}")
        if number + 1 < len(lesson.beats):
            page.keyboard.press("PageDown")


def walk_page(page: Page, number: int, key: str) -> None:
    """Press a key until the next stop."""
    for _ in range(MOST_KEYS):
        before = page.evaluate(STATE)
        page.keyboard.press(key)
        until(partial(has_left, page, before), f"a change at {before}")
        until(lambda: not page.evaluate(STATE)["moves"], "the rest of the grid")
        if page.get_by_test_id("talk").get_attribute("data-stop") != str(number):
            return
    raise AssertionError(f"stop {number} has no way on with {key}")


def walk_back(page: Page, number: int, stop: Stop) -> None:
    """Press the other key until the stop before."""
    if stop.page:
        return walk_page(page, number, "PageUp")
    for beat in reversed(range(len(stop.lesson.beats))):
        expect(page.get_by_test_id("lesson")).to_have_attribute("data-beat", str(beat))
        page.keyboard.press("PageUp")
    return None
