"""The viewer's own words in a lesson's film: they take the lesson's place, and it comes back as it was."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import bpe
from tests.browser.films.conftest import Open
from tests.browser.films.own_words_page import OWN, field, shows
from ui.lessons import Lesson, lessons
from ui.lessons.lesson_film import kind_of, lesson_film

pytestmark = pytest.mark.slow


def film_of(slug: str) -> str:
    lesson = lessons()[slug]
    trace = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)
    return lesson_film(lesson, trace, lesson.beats[0])


def seen(page: Page) -> Locator:
    return page.locator("[data-testid=token-grid]:visible")


def own_words_play(page: Page, lesson: Lesson, rule: str) -> bpe.Trace:
    """Check the grid of the viewer's words."""
    trace = bpe.train(OWN, tie_break=rule, merges=lesson.recipe.settings["merges"])
    expect(seen(page)).to_have_count(1)
    expect(seen(page)).to_have_attribute("data-steps", str(len(trace.steps)))
    expect(seen(page)).to_have_attribute("data-text", re.compile("the cat"))
    return trace


def test_a_lesson_trains_on_the_viewer_s_words_and_comes_back_as_it_was(open_film: Open) -> None:
    lesson = lessons()["count-merge-repeat"]
    page = open_film(film_of(lesson.slug), "#beat=3")
    expect(page.get_by_test_id("caption")).to_contain_text("3 of ")
    field(page, "words").click()
    expect(field(page, "text")).to_have_value(re.compile("^hug hug .* hugs hugs$"))
    field(page, "text").fill(OWN)
    field(page, "rule").select_option("last")
    own_words_play(page, lesson, "last")
    expect(page.get_by_test_id("caption").first).to_be_hidden()
    expect(page.get_by_test_id("pair-table")).to_be_visible()
    expect(page).to_have_url(re.compile("#text=the.*rule=last"))
    other = open_film(film_of(lesson.slug), "#" + page.url.partition("#")[2])
    own_words_play(other, lesson, "last")
    field(page, "reset").click()
    expect(page.get_by_test_id("caption").first).to_contain_text("3 of ")
    expect(page).to_have_url(re.compile("#beat=3$"))
    expect(seen(page)).to_have_count(1)
    page.get_by_test_id("last-caption").click()
    expect(page.get_by_test_id("caption").first).to_contain_text("2 of ")


def test_a_film_saved_from_a_lesson_plays_the_viewer_s_words(open_film: Open, tmp_path: Path) -> None:
    lesson = lessons()["the-first-tie"]
    page = open_film(film_of(lesson.slug), f"#text={OWN.replace(' ', '+')}")
    trace = own_words_play(page, lesson, str(lesson.recipe.settings["tie_break"]))
    with page.expect_download() as download:
        field(page, "save").click()
    download.value.save_as(tmp_path / "saved.html")
    saved = open_film((tmp_path / "saved.html").read_text("utf-8"))
    shows(saved, trace, 2)
    saved.get_by_test_id("own-words").click()
    expect(field(saved, "text")).to_have_value(OWN)


def test_the_button_is_there_where_a_beat_shows_the_training(open_film: Open) -> None:
    lesson = lessons()["bytes"]
    page = open_film(film_of(lesson.slug))
    kinds = [kind_of(beat) for beat in lesson.beats]
    assert len(set(kinds)) > 1
    for number, kind in enumerate(kinds, 1):
        page.evaluate("(beat) => { location.hash = `beat=${beat}`; }", number)
        expect(page.get_by_test_id("caption")).to_contain_text(f"{number} of {len(kinds)}")
        expect(field(page, "words")).to_be_visible(visible=kind == "grid")
