"""Lessons in a real browser: Space changes the beats, the grid follows, answers wait, links lead to a beat."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.chromium import grid, ready, wider
from tests.browser.grid_page import themed
from tests.browser.test_pages import THEMES, violations
from ui.lessons import lessons

FIRST = lessons()["count-merge-repeat"]
GRID = "[data-testid=token-grid]"


def card(page: Page) -> Locator:
    """Return the lesson's card."""
    return page.locator("[data-testid=lesson]")


def told(page: Page) -> Locator:
    """Return the text on the card."""
    return page.locator("[data-testid=lesson-told]")


def training(page: Page) -> Locator:
    """Return the grid of the lesson's training; one that encodes a new text may stand above it."""
    return page.locator(GRID).last


def open_lesson(page: Page, slug: str = FIRST.slug, beat: int = 1) -> Page:
    """Open the page at a beat, and wait until it is drawn and the grid is at its step."""
    page.goto(f"/lessons?lesson={slug}&beat={beat}")
    ready(page)
    expect(card(page)).to_have_attribute("data-lesson", slug)
    expect(training(page)).to_have_attribute("data-step", str(lessons()[slug].beats[beat - 1].step))
    return page


def test_space_turns_the_beats_and_the_grid_follows(page: Page) -> None:
    open_lesson(page)
    for number, beat in enumerate(FIRST.beats):
        expect(card(page)).to_have_attribute("data-beat", str(number))
        expect(grid(page)).to_have_attribute("data-step", str(beat.step))
        expect(told(page)).to_contain_text(beat.say.replace("`", "")[:30])
        if beat.question:
            expect(card(page)).to_have_attribute("data-answered", "false")
            expect(told(page)).not_to_contain_text(beat.answer.replace("`", "")[-20:])
            page.keyboard.press("Space")
            expect(told(page)).to_contain_text(beat.answer.replace("`", "")[-20:])
        expect(card(page)).to_have_attribute("data-answered", "true")
        page.keyboard.press("Space")
    expect(card(page)).to_have_attribute("data-lesson", "the-first-tie")
    expect(card(page)).to_have_attribute("data-beat", "0")


def test_the_grid_keeps_the_answer_to_itself(page: Page) -> None:
    open_lesson(page, "the-first-tie", 2)
    badge = page.locator("[data-testid=tie-badge]")
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    expect(badge).to_be_hidden()
    expect(page.locator("[data-testid=lesson-shown]")).to_be_hidden()
    page.locator("[data-testid=lesson-next]").click()
    expect(badge).to_contain_text("3 pairs tied at 9")
    expect(page.locator("[data-testid=lesson-shown] [aria-label=tied]")).to_have_count(3)


def test_the_link_and_a_reload_lead_to_the_beat(page: Page) -> None:
    open_lesson(page)
    page.get_by_role("button", name="Beat 5", exact=True).click()
    expect(page).to_have_url(re.compile("beat=5"))
    page.reload()
    ready(page)
    expect(card(page)).to_have_attribute("data-beat", "4")
    expect(grid(page)).to_have_attribute("data-step", str(FIRST.beats[4].step))


def test_another_page_and_back_keeps_the_beat(page: Page) -> None:
    open_lesson(page, "bytes", 4)
    page.get_by_role("link", name="Vocabulary").click()
    ready(page)
    page.get_by_role("link", name="Lessons").click()
    ready(page)
    expect(card(page)).to_have_attribute("data-lesson", "bytes")
    expect(card(page)).to_have_attribute("data-beat", "3")
    expect(training(page)).to_have_attribute("data-step", "3")


def test_a_grid_moved_by_hand_comes_back(page: Page) -> None:
    open_lesson(page, "the-first-tie", 3)
    astray = page.locator("[data-testid=lesson-astray]")
    expect(astray).to_be_hidden()
    page.keyboard.press("End")
    expect(astray).to_contain_text("step 12")
    page.locator("[data-testid=lesson-return]").click()
    expect(grid(page)).to_have_attribute("data-step", "0")
    expect(astray).to_be_hidden()


def test_another_lesson_is_chosen_by_part_and_title(page: Page) -> None:
    open_lesson(page)
    page.locator(".st-key-lesson_part").get_by_text("Ties", exact=True).click()
    expect(card(page)).to_have_attribute("data-lesson", "a-lottery")
    ready(page)
    page.locator(".st-key-lesson").get_by_text("Which goes first?").click()
    expect(card(page)).to_have_attribute("data-lesson", "which-goes-first")
    ready(page)
    # The key continues the lesson and does not press the same button again.
    page.keyboard.press("Space")
    expect(card(page)).to_have_attribute("data-answered", "true")


def test_a_new_text_is_encoded_beside_what_was_learned(page: Page) -> None:
    open_lesson(page, "lowest-rank-first", 3)
    film = grid(page)
    expect(film).to_have_attribute("data-text", "thug")
    expect(film).to_have_attribute("data-steps", "2")
    page.keyboard.press("Space")
    expect(card(page)).to_have_attribute("data-beat", "3")
    expect(film).to_have_attribute("data-text", "mug")


def test_the_lesson_goes_along_into_the_presenter_view(page: Page) -> None:
    open_lesson(page)
    page.keyboard.press("p")
    expect(card(page)).to_have_class(re.compile("presenting"))
    shape, window = card(page).bounding_box(), page.viewport_size
    assert shape
    assert window
    assert shape["x"] > window["width"] * 0.6
    page.keyboard.press("Space")
    expect(card(page)).to_have_attribute("data-beat", "1")
    page.keyboard.press("Escape")
    expect(card(page)).not_to_have_class(re.compile("presenting"))


def test_open_in_watch_takes_text_recipe_and_step_along(page: Page) -> None:
    open_lesson(page, "does-it-matter", 4)
    page.get_by_role("button", name="Open in Watch").first.click()
    expect(page.get_by_role("heading", name="Byte pair encoding")).to_be_visible()
    ready(page)
    expect(grid(page)).to_have_attribute("data-step", "24")
    expect(grid(page)).to_have_attribute("data-steps", "400")
    assert "corpus_sample=story" in page.url


def test_an_answered_beat_fits_a_narrow_screen_and_everyone_can_use_it(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    for slug in ("tokens-in-use", "lowest-rank-first", "bytes", "the-first-tie"):
        open_lesson(page, slug, 2)
        page.locator("[data-testid=lesson-next]").click()
        for theme in THEMES:
            themed(page, theme)
            assert wider(page) == 0, (slug, theme)
    for theme in THEMES:
        themed(page, theme)
        assert violations(page) == [], theme
