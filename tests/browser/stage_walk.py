"""Walk every beat of every lesson in the presenter view, and list what a room could not read or would not find.

Each beat is looked at twice if it asks something, before its answer and after it, in windows of three sizes. In those
of a hall, 16 to 9, the subject of each stage must also fill it, in letters that the last row can read.
"""

import re
from collections.abc import Iterator
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from harness.chromium import enter, ready
from tests.browser.beat_picture import encoding_grid, lacks, wait_for_stage
from tests.browser.readable import unfilled, unreadable
from tests.waiting import until
from ui.page_parts.lessons.curriculum import LessonPath, Stop, address, paths
from ui.page_parts.lessons.lesson import Beat, Lesson

HALL = ((1280, 720), (1920, 1080))  # windows that a hall sees
SIZES = (*HALL, (1024, 768))
# A change of the window's size has been drawn.
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
# The lesson's grid is drawn, also one that is out of sight: it listens to the keys.
TAKES_KEYS = """(name) => {
  const group = globalThis[Symbol.for('merge-by-merge')]?.groups.get(name ?? 'lesson');
  return Boolean(group?.next && group.playhead && group.lanes.size);
}"""
# No merge is being drawn. The group goes when the talk goes on to another page.
RESTS = """(name) => {
  const { playhead } = globalThis[Symbol.for('merge-by-merge')]?.groups.get(name) ?? {};
  return !playhead || (!playhead.playing && playhead.beat !== 'fuse' && playhead.beat !== 'fast');
}"""
MOST_PRESSES = 40  # of one stop on a page
SHOWS = "Show the steps"
FASTER = "++"  # keys: what moves on a stage moves at four times the speed
IS_OVER = "({ dataset }) => dataset.step === dataset.steps && dataset.playing === 'false'"


def walk(page: Page, lesson: Lesson) -> Iterator[str]:
    """Go through a lesson with the keys of a clicker, and yield what is wrong."""
    width, height = SIZES[0]
    page.set_viewport_size({"width": width, "height": height})
    enter(page, f"/lessons?lesson={lesson.slug}&beat=1")
    page.wait_for_function(TAKES_KEYS)
    page.keyboard.press("p")
    card = page.get_by_test_id("lesson")
    expect(card).to_have_class(re.compile("presenting"))
    for key in FASTER:
        page.keyboard.press(key)
    for number, beat in enumerate(lesson.beats):
        expect(card).to_have_attribute("data-beat", str(number))
        wait_for_stage(page, lesson, beat)
        if beat.question:
            yield from _faults(page, f"{lesson.slug}, beat {number}, question")
            page.keyboard.press("PageDown")
            expect(card).to_have_attribute("data-answered", "true")
        if beat.stage == "encoding":
            ready(page)
            let_encoding_end(page, beat)
        yield from _faults(page, f"{lesson.slug}, beat {number}")
        missing = list(lacks(page, lesson, beat))
        yield from (f"{lesson.slug}, beat {number}: the picture lacks {part}" for part in missing)
        if number + 1 < len(lesson.beats):
            page.keyboard.press("PageDown")
    page.keyboard.press("Escape")  # the next lesson begins outside the presenter view
    expect(card).not_to_have_class(re.compile("presenting"))


def path_of(minutes: int) -> LessonPath:
    """Return the path of a talk of so many minutes."""
    return next(path for path in paths() if path.minutes == minutes)


def walk_stop(page: Page, path: LessonPath, stop: Stop) -> Iterator[str]:
    """Go through a talk's stop on a page with the keys of a clicker, and yield what is wrong."""
    width, height = SIZES[0]
    page.set_viewport_size({"width": width, "height": height})
    number = path.stops.index(stop)
    enter(page, f"/lessons?{urlencode(address(path, number))}")
    page.wait_for_function(TAKES_KEYS, arg=stop.page)
    page.keyboard.press("p")
    for press in range(MOST_PRESSES):
        page.wait_for_function(RESTS, arg=stop.page)
        if page.get_by_test_id("talk").get_attribute("data-stop") != str(number + 1):
            break
        yield from _faults(page, f"{stop.title}, after {press} presses")
        page.keyboard.press("PageDown")
        page.evaluate(TWO_FRAMES)
        ready(page)
    page.keyboard.press("Escape")


def let_encoding_end(page: Page, beat: Beat) -> None:
    """Let an encoding play to its end; one without a question waits for a key, unless the beat before has played it."""
    root, button = encoding_grid(page, beat), page.get_by_test_id("lesson-next")
    until(lambda: button.inner_text() == SHOWS or root.evaluate(IS_OVER), "an encoding that waits for a key")
    if button.inner_text() == SHOWS:
        page.keyboard.press("PageDown")
    until(lambda: root.evaluate(IS_OVER), "the end of the encoding")


def _faults(page: Page, where: str) -> Iterator[str]:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        yield from (
            f"{where}, {width} × {height}: {fault}" for fault in faults_of(page, is_hall=height != 768)
        )
    width, height = SIZES[0]
    page.set_viewport_size({"width": width, "height": height})


def faults_of(page: Page, *, is_hall: bool) -> list[str]:
    """Return what is wrong with the presenter view. Faults count if they are still there when the page is at rest."""

    def look() -> list[str]:
        return [*unreadable(page), *(unfilled(page) if is_hall else [])]

    if not look():
        return []
    ready(page)
    page.evaluate(TWO_FRAMES)
    return look()
