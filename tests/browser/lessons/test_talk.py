"""A talk of 45 minutes, walked by the keys of a clicker alone, across lessons and pages, to its end and partly back."""

import re

import pytest
from playwright.sync_api import Page, expect

import bpe
from tests.browser.chromium import enter, ready
from tests.browser.grid.pairs_in_sight import pairs_in_sight
from tests.ui.lessons.facts.lesson_claim import trained
from tests.waiting import until
from ui.lessons import Beat, Lesson, named_pairs
from ui.lessons.beats.subjects import KINDS
from ui.lessons.overview.curriculum import Stop, paths

LECTURE = next(path for path in paths() if path.minutes == 45)
MOST_KEYS = 60  # that one stop may take
STOPS_BACK = 4  # of the way back
PRESENTING = re.compile("presenting")

# What the page shows, as one text that changes with every key that has an effect.
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
  const card = search(document, '[data-testid=lesson]')?.dataset ?? {};
  const grid = search(document, '[data-testid=token-grid]')?.dataset ?? {};
  const words = search(document, '[data-testid=split-words]');
  const beat = grid.beat === 'settle' ? 'rest' : grid.beat; // one becomes the other by itself
  return {
    stop: search(document, '[data-testid=talk]')?.dataset.stop ?? '',
    card: [card.lesson, card.beat, card.answered].join(' '),
    grid: [grid.step, beat, grid.text, words ? words.hidden : ''].join(' '),
    moves: grid.playing === 'true' || beat === 'fuse' || beat === 'fast' ? 'moves' : '',
  };
}"""
# Whether the stage of a subject shows all of its content, with letters that the last row reads.
WHOLE = """([stage]) => {
  const content = stage.querySelector('.content');
  const sizes = [...stage.querySelectorAll('.chip, .name, .title, .meaning, li, p')]
    .filter((part) => part.textContent.trim() && getComputedStyle(part).visibility === 'visible')
    .map((part) => parseFloat(getComputedStyle(part).fontSize));
  return content.scrollHeight <= content.clientHeight + 1 && content.scrollWidth <= content.clientWidth + 1
    && Math.min(...sizes) >= 0.02 * innerHeight;
}"""


def press(page: Page, key: str) -> dict[str, str]:
    """Press a key and wait until the page shows something else and is at rest; return what it shows."""
    before = page.evaluate(STATE)
    page.keyboard.press(key)
    until(lambda: page.evaluate(STATE) != before, f"a change after {key} at {before}")
    ready(page)
    until(lambda: not page.evaluate(STATE)["moves"], "the rest of the grid")
    state: dict[str, str] = page.evaluate(STATE)
    return state


def at_stop(page: Page, number: int) -> None:
    """Wait until a stop is on the screen, in the presenter view."""
    expect(page.get_by_test_id("talk")).to_have_attribute("data-stop", str(number))
    ready(page)
    stop = LECTURE.stops[number - 1]
    view = {"": "lesson", "compare": "lane-stage"}.get(stop.page, "token-grid")
    expect(page.get_by_test_id(view).first).to_have_class(PRESENTING)


@pytest.mark.slow
def test_a_lecture_of_45_minutes_is_walked_by_keys_alone_to_its_end_and_some_stops_back(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    enter(page, f"/lessons?talk={LECTURE.slug}")
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-lesson", LECTURE.stops[0].lesson.slug)
    page.keyboard.press("p")
    for number, stop in enumerate(LECTURE.stops, start=1):
        at_stop(page, number)
        walk_on(page, number, stop)
    page.set_viewport_size({"width": 1024, "height": 768})
    for number in range(len(LECTURE.stops), len(LECTURE.stops) - STOPS_BACK, -1):
        at_stop(page, number)
        walk_back(page, number)


def walk_on(page: Page, number: int, stop: Stop) -> None:
    """Press the key until the next stop, or at the last one until its last beat; look at every beat of a lesson."""
    seen: set[int] = set()
    for _ in range(MOST_KEYS):
        if not stop.page:
            seen |= look_at(page, stop.lesson)
            if number == len(LECTURE.stops) and is_over(page, stop.lesson):
                break
        press(page, "PageDown")
        if page.get_by_test_id("talk").get_attribute("data-stop") != str(number):
            break
        if not stop.page and page.get_by_test_id("lesson").get_attribute("data-lesson") != stop.lesson.slug:
            break
    if not stop.page:
        assert seen == set(range(len(stop.lesson.beats))), stop.title


def walk_back(page: Page, number: int) -> None:
    """Press the other key until the stop before."""
    for _ in range(MOST_KEYS):
        if number == 1 and page.get_by_test_id("lesson").get_attribute("data-beat") == "0":
            return
        press(page, "PageUp")
        if page.get_by_test_id("talk").get_attribute("data-stop") != str(number):
            return
    raise AssertionError(f"stop {number} has no way back")


def is_over(page: Page, lesson: Lesson) -> bool:
    card = page.get_by_test_id("lesson")
    last = str(len(lesson.beats) - 1)
    return card.get_attribute("data-beat") == last and card.get_attribute("data-answered") == "true"


def look_at(page: Page, lesson: Lesson) -> set[int]:
    """Check that the picture holds what the text of the beat names; return the beat."""
    card = page.get_by_test_id("lesson")
    assert card.get_attribute("data-lesson") == lesson.slug
    number = int(card.get_attribute("data-beat") or 0)
    beat = lesson.beats[number]
    if card.get_attribute("data-answered") == "true":
        holds(page, lesson, beat)
    return {number}


def holds(page: Page, lesson: Lesson, beat: Beat) -> None:
    if beat.stage in KINDS:
        stage = page.get_by_test_id("lesson-subject")
        expect(stage).to_have_class(PRESENTING)
        assert stage.evaluate_all(WHOLE), beat.say
    elif beat.stage == "encoding":
        expect(page.locator("[data-testid=token-grid][data-text]")).to_have_attribute(
            "data-text", beat.encode
        )
    elif beat.stage in ("grid", "compare"):
        unspelled = bpe.VARIANTS[lesson.recipe.variant].unspelled
        named = [
            " ".join(unspelled(token.replace("·", " ")).hex() for token in pair)
            for pair in named_pairs(beat.say)
        ]
        lanes = range(2 if beat.stage == "compare" else 1)
        if named and any(pair in lesson_pairs(lesson, beat) for pair in named):
            until(lambda: any(pairs_in_sight(page, lane) & set(named) for lane in lanes), beat.say)


def lesson_pairs(lesson: Lesson, beat: Beat) -> set[str]:
    """Return the pairs of the lesson's text at the step of a beat, each as "left right" in hexadecimal."""
    counts = trained(lesson.slug, lesson.recipe).pair_counts(beat.step)
    return {f"{left.hex()} {right.hex()}" for left, right in counts}
