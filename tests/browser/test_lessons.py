"""Lessons in a real browser: Space changes the beats, the grid follows, answers wait, links lead to a beat."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

import bpe
from bpe import END_OF_WORD
from harness.chromium import enter, grid, ready, run_first, wider
from tests.browser.conftest import NewPage
from tests.browser.grid_page import themed
from tests.browser.test_pages import RULES, THEMES, violations
from tests.browser.test_watch import click, letter
from tests.waiting import until
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.evidence import models
from ui.page_parts.lessons.glossary import terms
from ui.page_parts.lessons.moving_numbers import has_numbers

FIRST = lessons()["count-merge-repeat"]
TRAINED = bpe.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, merges=12)  # in the glossary's pictures


def card(page: Page) -> Locator:
    """Return the lesson's card."""
    return page.locator("[data-testid=lesson]")


def card_text(page: Page) -> Locator:
    """Return the text on the card."""
    return page.locator("[data-testid=lesson-told]")


def open_lesson(page: Page, slug: str = FIRST.slug, beat: int = 1) -> Page:
    """Open the page at a beat, and wait until it is drawn and the grid is at its step."""
    enter(page, f"/lessons?lesson={slug}&beat={beat}")
    expect(card(page)).to_have_attribute("data-lesson", slug)
    visible = lessons()[slug].beats[beat - 1]
    if visible.stage == "encoding":
        expect(grid(page)).to_have_attribute("data-step", "0")  # it rests before its first step
    else:
        expect(grid(page)).to_have_attribute("data-step", str(visible.step))
    return page


@pytest.mark.quick
def test_the_button_that_goes_on_stays_where_it_is(page: Page) -> None:
    open_lesson(page, "the-first-tie")
    button = page.get_by_test_id("lesson-next")
    places = set()
    for _ in range(len(lessons()["the-first-tie"].beats)):
        box = button.bounding_box()
        assert box
        places.add((box["x"], box["y"]))
        if button.inner_text() == "Show the answer":
            button.click()
            ready(page)
            after = button.bounding_box()
            assert after
            places.add((after["x"], after["y"]))
        if not button.inner_text().startswith("Next lesson"):
            button.click()
            ready(page)
    assert len(places) == 1


def test_space_turns_the_beats_and_the_grid_follows(page: Page) -> None:
    open_lesson(page)
    for number, beat in enumerate(FIRST.beats):
        expect(card(page)).to_have_attribute("data-beat", str(number))
        expect(grid(page)).to_have_attribute("data-step", str(beat.step))
        expect(card_text(page)).to_contain_text(beat.say.replace("`", "")[:30])
        if beat.question:
            expect(card(page)).to_have_attribute("data-answered", "false")
            expect(card_text(page)).not_to_contain_text(beat.answer.replace("`", "")[-20:])
            page.keyboard.press("Space")
            expect(card_text(page)).to_contain_text(beat.answer.replace("`", "")[-20:])
        expect(card(page)).to_have_attribute("data-answered", "true")
        page.keyboard.press("Space")
    expect(card(page)).to_have_attribute("data-lesson", "the-first-tie")
    expect(card(page)).to_have_attribute("data-beat", "0")


STORED = "() => Object.keys(localStorage).filter((name) => name.startsWith('merge-by-merge/')).sort()"


def test_the_device_remembers_answers_and_place_until_the_reader_says_otherwise(page: Page) -> None:
    open_lesson(page, "two-endings", 1)
    card(page).get_by_role("textbox").fill("13")
    card(page).get_by_test_id("check").click()
    verdict = card(page).get_by_test_id("verdict")
    expect(verdict).to_have_attribute("data-verdict", "wrong")
    ready(page)
    said = verdict.text_content() or ""
    page.evaluate("() => sessionStorage.clear()")  # as if the tab had been closed
    page.goto("/lessons")
    ready(page)
    expect(card(page)).to_have_attribute("data-lesson", "two-endings")
    expect(verdict).to_have_text(said)
    menu = page.get_by_role("button", name=re.compile("^Exercises:"))
    menu.click()
    expect(page.get_by_text("1 exercise tried so far, 0 right.")).to_be_visible()
    ready(page)
    listed = page.locator(".st-key-exercise_list").get_by_role("button")
    listed.nth(1).click()  # the first one of the second lesson
    expect(card(page)).to_have_attribute("data-lesson", FIRST.slug)
    expect(card(page)).to_have_attribute("data-beat", "2")
    ready(page)
    listed.nth(2).click()  # another one of the same lesson
    expect(card(page)).to_have_attribute("data-beat", "5")
    ready(page)
    assert page.evaluate(STORED) == ["merge-by-merge/exercises", "merge-by-merge/place"]
    page.get_by_text("Remember on this device").click()
    expect(page.get_by_text("stay in this browser tab until you close it")).to_be_visible()
    ready(page)
    assert page.evaluate(STORED) == ["merge-by-merge/device"]
    page.get_by_text("Remember on this device").click()
    expect(page.get_by_text("stay in this browser until you switch this off")).to_be_visible()
    ready(page)
    assert page.evaluate(STORED) == ["merge-by-merge/exercises", "merge-by-merge/place"]
    page.get_by_text("Remember on this device").click()
    expect(page.get_by_text("stay in this browser tab until you close it")).to_be_visible()
    ready(page)
    page.evaluate("() => sessionStorage.clear()")
    page.goto("/lessons")
    ready(page)
    expect(card(page)).to_have_attribute("data-lesson", "why-subwords")
    page.evaluate("() => localStorage.clear()")


def test_two_tabs_keep_the_answers_of_both_until_one_of_them_says_otherwise(new_page: NewPage) -> None:
    one = new_page(width=1280, height=800)
    other = one.context.new_page()
    open_lesson(other, "which-goes-first", 1)
    one.bring_to_front()  # behind the other, it would be drawn once a second
    open_lesson(one, "two-endings", 1)
    card(one).get_by_role("textbox").fill("13")
    card(one).get_by_test_id("check").click()
    expect(card(one).get_by_test_id("verdict")).to_have_attribute("data-verdict", "wrong")
    ready(one)
    other.bring_to_front()
    other.keyboard.press("ArrowRight")  # shows an answer
    expect(card(other)).to_have_attribute("data-answered", "true")
    ready(other)
    # A tab hears a moment later of what another one has stored, and Python a moment after an answer.
    attempts = "JSON.parse(localStorage['merge-by-merge/exercises'] ?? '{}')"
    other.wait_for_function(f"() => Object.keys({attempts}).length > 1")
    stored = other.evaluate(f"() => {attempts}")
    assert stored.keys() == {"two-endings/1", "which-goes-first/1"}
    assert stored["two-endings/1"][0] == 1
    # What one tab has forgotten, the other does not bring back.
    one.evaluate("() => { localStorage.clear(); localStorage['merge-by-merge/device'] = 'no'; }")
    other.keyboard.press("ArrowRight")
    expect(card(other)).to_have_attribute("data-beat", "1")
    ready(other)
    assert other.evaluate(STORED) == ["merge-by-merge/device"]
    other.close()
    one.evaluate("() => localStorage.clear()")


def test_the_grid_keeps_the_answer_to_itself(page: Page) -> None:
    open_lesson(page, "the-first-tie", 2)
    badge = page.locator("[data-testid=tie-badge]")
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    expect(badge).to_be_hidden()
    expect(page.locator("[data-testid=lesson-shown]")).to_be_hidden()
    verdict = page.get_by_test_id("verdict")
    page.get_by_role("button", name="l + o", exact=True).click()
    expect(verdict).to_contain_text(
        "l + o occurs 7 times (5 in low, 2 in lower). Another pair occurs more often."
    )
    expect(badge).to_be_hidden()
    click(page, letter(page, "s"), letter(page, "t"))  # in the grid
    expect(verdict).to_contain_text("It ties with 2 other pairs: each of them is right.")
    expect(badge).to_contain_text("3 pairs tied at 9")
    expect(page.locator("[data-testid=lesson-shown] [aria-label=tied]")).to_have_count(3)


def test_a_grid_moved_by_hand_comes_back(page: Page) -> None:
    open_lesson(page, "the-first-tie", 3)
    astray = page.locator("[data-testid=lesson-astray]")
    expect(astray).to_be_hidden()
    page.keyboard.press("End")
    expect(astray).to_contain_text("You have moved ahead.")
    page.locator("[data-testid=lesson-return]").click()
    expect(grid(page)).to_have_attribute("data-step", "0")
    expect(astray).to_be_hidden()
    page.keyboard.press("Shift+ArrowRight")
    expect(astray).to_contain_text("You have moved ahead.")
    page.keyboard.press("PageDown")  # goes on with the lesson
    expect(card(page)).to_have_attribute("data-beat", "3")
    expect(astray).to_be_hidden()


def asking(slug: str, stage: str) -> int:
    """Return the first beat of a lesson with a question on this stage, from 1."""
    beats = lessons()[slug].beats
    return next(number for number, beat in enumerate(beats, start=1) if beat.stage == stage and beat.question)


def test_an_encoding_waits_for_the_answer_and_then_plays(page: Page) -> None:
    open_lesson(page, "lowest-rank-first", asking("lowest-rank-first", "encoding"))
    film = grid(page)
    expect(page.get_by_test_id("token-grid")).to_have_count(1)  # one player
    expect(page.get_by_test_id("rail")).to_contain_text("u+g")
    expect(film).to_have_attribute("data-text", "bug")
    expect(film).to_have_attribute("data-beat", "guess")
    expect(page.get_by_test_id("headline")).not_to_contain_text("ug")
    expect(page.get_by_test_id("headline")).not_to_contain_text("uses")
    page.keyboard.press("p")  # the word fills the stage, beside the card
    expect(film).to_have_class(re.compile("presenting"))
    page.keyboard.press("PageDown")
    expect(card(page)).to_have_attribute("data-answered", "true")
    expect(film).to_have_attribute("data-step", "1")
    expect(film).to_have_attribute("data-beat", "rest")
    page.keyboard.press("PageDown")
    expect(card(page)).to_have_attribute("data-beat", "2")
    expect(film).to_have_attribute("data-text", "thug")
    expect(film).to_have_class(re.compile("presenting"))
    expect(page.get_by_test_id("lesson-next")).to_have_text("Show the steps")
    page.keyboard.press("PageDown")
    expect(film).to_have_attribute("data-playing", "true")
    page.keyboard.press("PageDown")
    expect(film).to_have_attribute("data-step", "2")
    expect(card(page)).to_have_attribute("data-beat", "2")
    page.keyboard.press("PageUp")
    expect(card(page)).to_have_attribute("data-beat", "1")
    expect(film).to_have_attribute("data-text", "bug")
    expect(film).to_have_attribute("data-step", "1")  # it has been played


# Lets the page store only what it stores with a verdict, as if it were left before the run that stores all attempts.
# What is stored once the verdict is shown comes too late for a reload at that moment.
ONLY_AT_ONCE = """() => {
  const { setItem } = Storage.prototype;
  const isShown = (root) => [...root.querySelectorAll('*')].some(
    (element) => element.dataset?.verdict === 'right' || (element.shadowRoot && isShown(element.shadowRoot)),
  );
  Storage.prototype.setItem = function (name, text) {
    if (!name.endsWith('/exercises') || !isShown(document)) setItem.call(this, name, text);
  };
}"""

# Swallows the first message that brings back what was stored, as a run of the page can do.
SWALLOW = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    const isIt = !window.swallowed && new TextDecoder().decode(data).includes('"exercises"');
    if (isIt) window.swallowed = true;
    else send.call(this, data);
  };
}"""


def test_an_exercise_says_why_an_answer_is_wrong_and_the_score_of_a_right_one_survives_a_reload(
    page: Page,
) -> None:
    open_lesson(page, "the-merges-are-the-model", 4)
    verdict, tokens = page.get_by_test_id("verdict"), page.get_by_role("textbox", name="The tokens")
    expect(verdict).to_have_role("status")
    gap = page.get_by_role("button", name="Split between w and e")
    gap.click()
    expect(gap).to_have_attribute("aria-pressed", "true")
    expect(tokens).to_have_value("low er_")
    tokens.fill("low e r _")
    page.keyboard.press("Enter")
    expect(verdict).to_contain_text("You stopped too early")
    gap.focus()
    page.keyboard.press("ArrowRight")  # the keys of the lesson do not open the answer now
    expect(card(page)).to_have_attribute("data-answered", "false")
    tokens.fill("lowe r _")
    page.evaluate(ONLY_AT_ONCE)
    page.keyboard.press("Enter")
    expect(verdict).to_have_attribute("data-verdict", "right")
    expect(card(page)).to_have_attribute("data-answered", "true")
    expect(grid(page)).to_have_attribute("data-step", "3")
    score = page.locator(".st-key-lesson input")
    expect(score).to_have_value(re.compile(r"\(1/2\)"))
    run_first(page, f"({SWALLOW})()")
    page.reload()  # the browser tab keeps the score, and sends it again where it was not heard
    expect(score).to_have_value(re.compile(r"\(1/2\)"))
    assert page.evaluate("() => window.swallowed")


def test_bytes_and_two_trainings_are_on_the_stage(page: Page) -> None:
    open_lesson(page, "bytes", asking("bytes", "bytes"))
    page.keyboard.press("p")
    rows = page.get_by_test_id("aligned-rows")
    expect(rows).to_have_class(re.compile("presenting"))
    tokens = rows.locator("[data-row=tokens] .cell").first
    expect(tokens).to_be_hidden()  # they would answer the question
    page.keyboard.press("PageDown")
    expect(tokens).to_be_visible()
    page.keyboard.press("PageDown")
    expect(rows).to_have_count(0)
    expect(grid(page)).to_be_visible()
    page.keyboard.press("Escape")
    open_lesson(page, "does-it-matter", 4)
    expect(page.get_by_test_id("tie-badge")).to_have_count(2)
    picks = page.get_by_test_id("headline")
    expect(picks).to_have_count(2)
    assert len(set(picks.all_text_contents())) == 2


# Whether the first row that a lesson's text is about is the first in sight.
BEGINS = """(models) => {
  const box = (name) => models.querySelector(name).getBoundingClientRect();
  const edge = box('thead th').bottom || box('.sight').top;
  return Math.abs(box('.marked').top - edge) <= 2;
}"""
IS_CUT = """(losses) => {
  const bottom = (element) => element.getBoundingClientRect().bottom;
  return bottom(losses.querySelector('.axis')) > bottom(losses);
}"""
FALLEN = """(dots) => dots.map((dot) => {
  const style = getComputedStyle(dot);
  return style.opacity === '1' && ['none', '0px'].includes(style.translate);
})"""


def test_losses_fall_into_place_with_the_answer_and_a_reader_hears_them_only_then(page: Page) -> None:
    open_lesson(page, "does-a-model-notice", asking("does-a-model-notice", "losses"))
    losses = page.get_by_test_id("lesson-subject")
    rows = losses.get_by_role("listitem")
    expect(rows).to_have_count(9)
    assert losses.locator(".dot").evaluate_all(FALLEN) == [True] * 6 + [False] * 48
    expect(rows.nth(0)).to_contain_text("First occurrence: 6 models from 1.7784 to 1.7851, mean 1.7812")
    assert rows.nth(1).aria_snapshot() == "- listitem: Last occurrence"
    page.keyboard.press("Space")
    expect(rows.nth(1).locator(".says")).to_be_visible()
    until(lambda: all(losses.locator(".dot").evaluate_all(FALLEN)), "the dots in their places")
    for width in (390, 1024):
        page.set_viewport_size({"width": width, "height": 844})
        expect(rows.nth(8)).to_be_visible()
        until(lambda: not losses.evaluate(IS_CUT), f"all rows in a window of {width} pixels")
        assert wider(page) <= 0
    page.set_viewport_size({"width": 1280, "height": 800})


def test_the_table_of_models_begins_at_the_rows_of_the_text(page: Page) -> None:
    number = next(
        at for at, beat in enumerate(lessons()["which-tokenizer"].beats, 1) if beat.shown.get("models")
    )
    open_lesson(page, "which-tokenizer", number + 1)
    table = page.get_by_test_id("models-table")
    names = table.get_by_role("rowheader")
    expect(names).to_have_count(len(models()))
    for width in (1280, 390):  # narrow, its cells stand below each other
        page.set_viewport_size({"width": width, "height": 800})
        until(lambda: table.evaluate(BEGINS), f"the marked row in a window of {width} pixels")
        assert wider(page) <= 0
    page.set_viewport_size({"width": 1280, "height": 800})
    assert names.all_text_contents() == [model.name for model in models().values()]


def test_the_answer_is_not_pointed_at_when_it_slides_under_the_pointer(page: Page) -> None:
    open_lesson(page, "the-first-tie", 2)
    button = page.locator("[data-testid=lesson-next]").bounding_box()
    assert button
    at = (button["x"] + 30, button["y"] + button["height"] / 2)
    page.mouse.move(*at)
    page.mouse.click(*at)
    expect(card(page)).to_have_attribute("data-answered", "true")
    chip = page.get_by_test_id("lesson-told").locator(".chip[data-token]").first.bounding_box()
    assert chip
    # In this window another part of the card may be there: slide a chip under the pointer.
    dy = at[1] - chip["y"] - chip["height"] / 2
    dx = at[0] - chip["x"] - chip["width"] / 2
    page.get_by_test_id("lesson-told").evaluate(
        "(told, [x, y]) => { told.style.translate = `${x}px ${y}px`; }", [dx, dy]
    )
    page.wait_for_timeout(400)
    expect(grid(page)).not_to_have_class(re.compile("lighting"))
    page.mouse.move(at[0] + 1, at[1])
    expect(grid(page)).to_have_class(re.compile("lighting"))


def test_a_highlighted_token_is_scrolled_into_sight(page: Page) -> None:
    slug, beat = next(
        (lesson.slug, number)
        for lesson in lessons().values()
        for number, beat in enumerate(lesson.beats, start=1)
        if lesson.slug == "parts-of-a-word" and beat.tokens == (b"able" + END_OF_WORD,)
    )
    page.set_viewport_size({"width": 500, "height": 400})
    open_lesson(page, slug, beat)
    assert page.get_by_test_id("viewport").evaluate("(viewport) => viewport.scrollTop") > 0


def test_the_lesson_goes_along_into_the_presenter_view(page: Page) -> None:
    open_lesson(page)
    hint = card(page).locator(".stage")
    expect(hint).to_be_in_viewport()
    expect(hint).to_have_text("P present")
    page.keyboard.press("p")
    expect(card(page)).to_have_class(re.compile("presenting"))
    expect(hint).to_be_hidden()
    text, words = card(page).bounding_box(), grid(page).locator(".card").bounding_box()
    assert text
    assert words
    above, beside = text["y"] + text["height"] <= words["y"], words["x"] + words["width"] <= text["x"]
    assert above or beside  # whichever makes the words larger
    for key, beat in (("Space", "1"), ("ArrowLeft", "0"), ("PageDown", "1")):
        page.keyboard.press(key)
        expect(card(page)).to_have_attribute("data-beat", beat)
    page.keyboard.press("Escape")
    expect(card(page)).not_to_have_class(re.compile("presenting"))


# The lists that show a part of their rows only.
CUT_OFF = "lists => lists.filter(one => one.scrollHeight > one.clientHeight + 1).map(one => one.textContent)"


def test_an_answered_beat_fits_a_narrow_screen_and_everyone_can_use_it(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    for slug in ("tokens-in-use", "lowest-rank-first", "bytes", "the-first-tie"):
        open_lesson(page, slug, 2)
        page.locator("[data-testid=lesson-next]").click()
        if slug in ("tokens-in-use", "the-first-tie"):  # others ask for an answer first, or show no rows
            expect(page.get_by_test_id("lesson-shown").locator(".rows")).to_be_visible()
            assert page.get_by_test_id("lesson-shown").locator(".rows").evaluate_all(CUT_OFF) == [], slug
        assert wider(page) == 0, slug
    for theme in THEMES:
        themed(page, theme)
        assert violations(page, RULES[theme]) == [], theme


def number_of(page: Page) -> Locator:
    return card_text(page).get_by_role("slider", name="Merges").first


def test_a_number_in_a_sentence_is_dragged_and_the_grid_goes_along(page: Page) -> None:
    lesson = lessons()["count-merge-repeat"]
    at = next(number for number, beat in enumerate(lesson.beats) if has_numbers(beat.say))
    open_lesson(page, lesson.slug, at + 1)
    tokens = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings).tokens_by_step()
    last = len(tokens) - 1
    number = number_of(page)

    def stands_at(step: int) -> None:
        expect(grid(page)).to_have_attribute("data-step", str(step))
        expect(number).to_have_attribute("aria-valuenow", str(step))
        expect(number).to_have_attribute(
            "aria-valuetext", re.compile(f"after {step}.* merges? .* {tokens[step]} tokens")
        )
        expect(page.get_by_test_id("lesson-astray")).to_be_hidden()
        expect(card(page)).to_have_attribute("data-beat", str(at))

    assert (number.get_attribute("aria-valuemin"), number.get_attribute("aria-valuemax")) == ("0", str(last))
    assert number.evaluate("(one) => getComputedStyle(one).cursor") == "ew-resize"
    box = number.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 4, y)
    page.mouse.down()
    page.mouse.move(box["x"] - 28, y, steps=4)  # 16 px are a merge
    expect(grid(page)).to_have_attribute("data-step", "2")  # at once, before the button is let go
    page.mouse.up()
    stands_at(2)
    for key, step in {"ArrowRight": 3, "ArrowDown": 2, "End": last, "PageDown": last - 1, "Home": 0}.items():
        number.press(key)
        stands_at(step)
    grid(page).get_by_test_id("viewport").focus()
    page.keyboard.press("Shift+ArrowRight")  # the other way round, too: the sentence follows the grid
    stands_at(1)


def test_on_stage_a_clicker_goes_on_after_a_number_was_dragged(page: Page) -> None:
    at = next(number for number, beat in enumerate(FIRST.beats) if has_numbers(beat.say))
    open_lesson(page, FIRST.slug, at + 1)
    page.keyboard.press("p")
    expect(card(page)).to_have_class(re.compile("presenting"))
    number = number_of(page)
    box = number.bounding_box()
    assert box
    page.mouse.move(box["x"] + 4, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 24, box["y"] + 8, steps=3)
    page.mouse.up()
    expect(grid(page)).to_have_attribute("data-step", str(FIRST.beats[at].step + 1))
    number.press("ArrowLeft")  # by keyboard, with the number in focus
    expect(grid(page)).to_have_attribute("data-step", str(FIRST.beats[at].step))
    number.press("PageDown")  # the clicker's key
    expect(card(page)).to_have_attribute("data-beat", str(at + 1))


SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"
SELECTED = "(one) => String(getSelection()) + String(one.getRootNode().getSelection?.() ?? '')"
# Whether what is touched 13 px from the middle of an element, to each side, is that element.
LARGE = """(one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return [[-13, 0], [13, 0], [0, -13], [0, 13], [-12, -12], [12, 12]].every(
    ([right, down]) => one.getRootNode().elementFromPoint(x + right, y + down) === one,
  );
}"""


def drag_by_finger(page: Page, number: Locator, *path: tuple[float, float]) -> None:
    """Put a finger on a number, move it along a path relative to where it began, and take it away."""
    number.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    box = number.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    for right, down in path:
        touch("touchMove", {"x": x + right, "y": y + down})
    touch("touchEnd")
    session.detach()


@pytest.mark.weekly  # a mouse and keys drag one in every run
def test_the_glossary_finds_a_term_while_one_types(page: Page) -> None:
    enter(page, "/glossary")
    page.get_by_label("Find a term").press_sequentially("wall")
    expect(page.locator("[data-term]")).to_have_count(1)
    expect(page.locator("[data-term=wall]")).to_be_visible()


def test_a_finger_drags_a_number_and_neither_scrolls_the_page_nor_selects_text(new_page: NewPage) -> None:
    page = new_page(width=390, height=700, has_touch=True, is_mobile=True)
    at = next(number for number, beat in enumerate(FIRST.beats) if has_numbers(beat.say))
    first = FIRST.beats[at].step
    open_lesson(page, FIRST.slug, at + 1)
    in_lesson = number_of(page)

    def dragged(number: Locator, begun: int) -> None:
        assert number.evaluate(LARGE)
        number.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
        before = page.evaluate(SCROLLED)
        drag_by_finger(page, number, (-8, 1), (-20, 4), (-33, 12), (-34, 60))
        expect(number).to_have_attribute("aria-valuenow", str(begun - 2))  # 16 px are a merge
        expect(number).to_have_attribute("aria-valuetext", re.compile(f"{begun - 2} merge"))
        drag_by_finger(page, number, (12, 0), (33, -10))
        expect(number).to_have_attribute("aria-valuenow", str(begun))
        assert page.evaluate(SCROLLED) == before
        assert number.evaluate(SELECTED) == ""
        assert number.evaluate("(one) => one.getRootNode().activeElement === one")

    dragged(in_lesson, first)
    # Down or up, a finger scrolls as anywhere else, and the number stays.
    before = page.evaluate(SCROLLED)
    drag_by_finger(page, in_lesson, (2, -20), (8, -60), (40, -120), (40, -160))
    until(lambda: page.evaluate(SCROLLED) > before)
    expect(in_lesson).to_have_attribute("aria-valuenow", str(first))

    # The picture of a term moves, too: where a word of a lesson opens it, and on its own page.
    open_lesson(page, FIRST.slug, 2)
    card_text(page).get_by_role("button", name="vocabulary").tap()
    note = page.get_by_test_id("meaning")
    in_note = note.get_by_role("slider").first
    shown = note.locator(".picture.now .chip")
    dragged(in_note, terms()["vocabulary"].at)
    assert shown.count() == TRAINED.vocabulary_size(terms()["vocabulary"].at)
    in_note.press("End")
    assert shown.count() == TRAINED.vocabulary_size(12)
    expect(grid(page)).to_have_attribute(
        "data-step", str(FIRST.beats[1].step)
    )  # the lesson stays where it is
    in_note.press("Escape")
    expect(note).to_be_hidden()
    enter(page, "/glossary")
    page.get_by_label("Find a term").fill("vocabulary")
    page.keyboard.press("Enter")
    dragged(page.locator("[data-term=vocabulary]").get_by_role("slider").first, terms()["vocabulary"].at)


def test_a_chart_on_a_phone_has_letters_that_one_reads_and_no_larger_legend(new_page: NewPage) -> None:
    page = new_page(width=390, height=844)
    enter(page, "/lessons?lesson=how-large&beat=1")
    chart = page.get_by_test_id("lesson-chart")
    sizes = chart.locator("span").evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(sizes) >= 11
    assert max(sizes) <= 16
