"""The field over the stage: somebody in the room asks "what about my name?", and the talk goes on where it was."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from bpe import train
from film.live import live_recipe
from film.page import FilmLane, FilmOptions, OwnWords, lanes_page
from film.training_feed import training_feed
from harness.app_server import crowd
from harness.chromium import enter, grid, ready
from published.packing import open_published
from published.rows import PUBLISHED
from tests import ROOT
from tests.browser.conftest import NewPage
from ui.languages.choices import FIRST
from ui.lessons.contents import lessons
from ui.lessons.curriculum import address, paths
from ui.lessons.lesson_film import lesson_film

SAMPLE = ROOT / "sample_corpora" / "low-lower-newest-widest.txt"
LECTURE = next(path for path in paths() if path.minutes == 45)
NUMBER = next(
    number
    for number, stop in enumerate(LECTURE.stops)
    if stop.lesson.slug == "the-first-tie" and not stop.page
)
PRESENTING = re.compile("presenting")
NAME = "Anna Banana-Bandana!"  # 20 characters
SOON = 0.5  # s from the last key to the picture
MANY = 100  # characters, more than the rows show
LEAVES_FULL_SCREEN = 4_000  # ms, longer than a stage waits for its next lane

# Remember when the last character came, and when the grid below the field first drew a text.
CLOCK = """(text) => {
  const find = (root, id) => {
    for (const one of root.querySelectorAll('*')) {
      if (one.dataset?.testid === id && (id !== 'token-grid' || one.closest('.part') === null)) {
        const host = one.getRootNode().host;
        if (id !== 'token-grid' || host?.classList.contains('part')) return one;
      }
      const inner = one.shadowRoot && find(one.shadowRoot, id);
      if (inner) return inner;
    }
    return null;
  };
  window.typed = {};
  find(document, 'stage-text').addEventListener('input', () => { window.typed.last = performance.now(); });
  const look = () => {
    const grid = find(document, 'token-grid');
    if (grid?.dataset.text?.replaceAll('</w>', '').includes(text)) window.typed.drawn ??= performance.now();
    else requestAnimationFrame(look);
  };
  look();
}"""


def field(page: Page) -> Locator:
    """Return the field over the stage."""
    return page.get_by_test_id("stage-text")


def drawn(page: Page, number: int = 0) -> Locator:
    """Return a grid below the field."""
    return page.locator("[data-testid=stage-field] .part").get_by_test_id("token-grid").nth(number)


def begin(page: Page, path: str) -> None:
    """Open a page in the presenter view, with the field ready to open."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(path)
    ready(page)
    page.get_by_test_id("stage-field").wait_for(state="attached")
    page.keyboard.press("p")
    expect(page.get_by_test_id("token-grid").first).to_have_class(PRESENTING)


def type_on_stage(page: Page, text: str) -> None:
    """Open the field with T, and type."""
    page.keyboard.press("t")
    expect(field(page)).to_be_focused()
    page.keyboard.type(text)


def test_a_name_is_typed_on_stage_and_the_talk_goes_on_at_its_beat(page: Page) -> None:
    begin(page, f"/lessons?{urlencode(address(LECTURE, NUMBER))}&beat=4")
    lesson = page.get_by_test_id("lesson")
    expect(lesson).to_have_attribute("data-beat", "3")
    before = grid(page).evaluate("({ dataset: { step, beat, text } }) => [step, beat, text]")
    at = page.url
    type_on_stage(page, "banana")
    expect(drawn(page)).to_have_attribute("data-text", "banana")
    expect(page.get_by_test_id("stage-status")).to_have_text("5 merges learned from 6 characters.")
    expect(drawn(page)).not_to_have_attribute("data-step", "0")  # it moves by itself
    expect(field(page)).to_be_focused()
    assert page.url == at
    page.keyboard.press("Enter")
    expect(drawn(page).locator(".viewport")).to_be_focused()
    page.keyboard.press("Escape")
    expect(field(page)).to_be_hidden()
    expect(drawn(page)).to_have_count(0)
    expect(grid(page)).to_have_class(PRESENTING)
    assert grid(page).evaluate("({ dataset: { step, beat, text } }) => [step, beat, text]") == before
    assert page.url == at
    type_on_stage(page, "Otto und Anna")  # T and p are letters here
    expect(drawn(page)).to_have_attribute("data-text", re.compile("Otto.*und.*Anna"))
    page.keyboard.press("PageDown")  # of a clicker: play, and back
    expect(drawn(page)).to_have_attribute("data-playing", "true")
    page.keyboard.press("PageUp")
    expect(field(page)).to_be_hidden()
    expect(lesson).to_have_attribute("data-beat", "3")
    page.keyboard.press("PageDown")
    expect(lesson).to_have_attribute("data-beat", "4")
    expect(page.get_by_test_id("talk")).to_have_attribute("data-stop", str(NUMBER + 1))
    page.keyboard.press("?")
    for key in ("T", "N", "P", "V"):
        expect(page.get_by_test_id("help").locator("kbd", has_text=re.compile(f"^{key}$"))).to_have_count(1)


@pytest.mark.parametrize("path", ["/watch", "/?recipe_source=published&published=gpt-4o"])
def test_the_first_picture_comes_within_half_a_second_of_the_last_key(page: Page, path: str) -> None:
    begin(page, path)
    type_on_stage(page, "a")  # what trains is loaded, or the tokenizer has split a text
    expect(drawn(page)).to_have_attribute("data-text", "a")
    page.keyboard.press("Backspace")
    page.evaluate(CLOCK, "Bandana")
    page.keyboard.type(NAME)
    page.wait_for_function("window.typed.drawn")
    typed = page.evaluate("window.typed")
    assert (typed["drawn"] - typed["last"]) / 1000 <= SOON * crowd()
    page.keyboard.press("Escape")


def test_a_published_tokenizer_counts_the_tokens_of_a_name(page: Page) -> None:
    begin(page, "/?recipe_source=published&published=gpt-4o")
    type_on_stage(page, "Priyanka Chandrasekhar")
    count = len(open_published("gpt-4o").tokenizer.encode("Priyanka Chandrasekhar"))
    expect(page.get_by_test_id("stage-status")).to_have_text(f"{count} tokens")
    expect(drawn(page)).to_have_attribute("data-text", re.compile("Priyanka"))
    expect(page).not_to_have_url(re.compile("Priyanka"))
    page.keyboard.press("Escape")


def test_on_encode_the_learned_merges_split_the_text_and_nothing_is_trained(page: Page) -> None:
    begin(page, "/encode")
    step, text, at = grid(page).get_attribute("data-step"), grid(page).get_attribute("data-text"), page.url
    type_on_stage(page, "lowest newer")
    learned = train(SAMPLE.read_text("utf-8"), variant="char-eow", merges=12)
    count = len(learned.tokenizer().encode("lowest newer"))
    expect(page.get_by_test_id("stage-status")).to_have_text(f"{count} tokens")
    expect(drawn(page)).to_have_attribute("data-steps", re.compile("^([1-9]|1[0-2])$"))  # merges that apply
    expect(drawn(page).get_by_test_id("rail")).to_be_visible()
    assert page.url == at
    page.keyboard.press("Escape")
    expect(field(page)).to_be_hidden()
    assert [grid(page).get_attribute(f"data-{name}") for name in ("step", "text")] == [step, text]


def test_on_bytes_the_field_shows_the_bytes_of_the_text(page: Page) -> None:
    begin(page, "/watch")
    page.keyboard.press(number_of(page, "Bytes"))
    expect(page.get_by_test_id("aligned-rows").first).to_be_visible()
    page.get_by_test_id("stage-field").wait_for(state="attached")
    type_on_stage(page, "é😊")
    rows = page.locator("[data-testid=stage-field]").get_by_test_id("aligned-rows")
    expect(rows.locator(".bands .cell.lead")).to_have_text(["C3", "F0"])
    expect(page.get_by_test_id("stage-status")).to_have_text(
        re.compile("^2 graphemes, 2 code points, 6 bytes and [0-9] tokens[.]$")
    )
    expect(page).not_to_have_url(re.compile("%C3|é"))
    page.keyboard.type("x" * MANY)
    expect(page.get_by_test_id("stage-status")).to_contain_text(f"The first 80 of {MANY + 2} characters.")
    page.keyboard.press("Escape")
    expect(field(page)).to_be_hidden()
    expect(rows).to_have_count(0)
    expect(page.get_by_test_id("aligned-rows").first.locator(".bands .cell.lead")).to_have_text(["F0"])


def test_on_languages_each_tokenizer_of_the_page_splits_the_text(page: Page) -> None:
    begin(page, "/watch")
    page.keyboard.press(number_of(page, "Languages"))
    page.get_by_test_id("stage-field").wait_for(state="attached")
    type_on_stage(page, "नमस्ते world")
    counts = {slug: len(open_published(slug).tokenizer.encode("नमस्ते world")) for slug in FIRST}
    rows = page.locator("[data-testid=stage-field]").get_by_test_id("aligned-rows")
    names = [f"{PUBLISHED[slug].name} · {counts[slug]}" for slug in PUBLISHED if slug in FIRST]
    expect(rows.get_by_role("rowheader")).to_have_text(names)
    for slug in FIRST:
        expect(rows.locator(".line", has_text=PUBLISHED[slug].name + " ·").locator(".cell")).to_have_count(
            counts[slug]
        )
    span = rf"From {min(counts.values())} tokens \(.+\) to {max(counts.values())} \(.+\)[.]"
    expect(page.get_by_test_id("stage-status")).to_have_text(re.compile(span))
    expect(page).not_to_have_url(re.compile("world"))
    page.keyboard.press("Escape")
    expect(field(page)).to_be_hidden()
    expect(rows).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Languages")
    page.keyboard.press(number_of(page, "Watch"))
    expect(grid(page)).to_have_class(PRESENTING)


def test_on_the_glossary_a_word_trains_as_its_pictures_do(page: Page) -> None:
    begin(page, "/watch")
    page.keyboard.press(number_of(page, "Glossary"))
    page.get_by_test_id("stage-field").wait_for(state="attached")
    type_on_stage(page, "banana")
    expect(drawn(page)).to_have_attribute("data-text", "banana")
    expect(page.get_by_test_id("stage-status")).to_have_text("5 merges learned from 6 characters.")
    expect(drawn(page)).not_to_have_attribute("data-step", "0")
    expect(page).not_to_have_url(re.compile("banana"))
    page.keyboard.press("Escape")
    expect(field(page)).to_be_hidden()
    expect(drawn(page)).to_have_count(0)
    expect(page.get_by_test_id("terms")).to_be_visible()


def test_what_is_typed_before_a_page_is_there_is_in_the_field_when_it_comes(page: Page) -> None:
    begin(page, "/watch")
    pages = len(page.context.pages)
    for name in ("Vocabulary", "Encode", "Watch"):
        page.keyboard.press(number_of(page, name))
        page.keyboard.type("tpat Nan 2b")  # P, N and 2 are letters here
        page.keyboard.press("Backspace")
        expect(field(page)).to_be_focused()
        expect(field(page)).to_have_value("pat Nan 2")
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        expect(drawn(page)).to_have_attribute("data-text", re.compile("pat.*Nan.*2"))
        page.keyboard.press("Escape")
        expect(field(page)).to_be_hidden()
    expect(grid(page)).to_have_class(PRESENTING)
    assert len(page.context.pages) == pages  # and no notes


def test_a_text_that_was_selected_gives_way_also_when_another_page_has_come(page: Page) -> None:
    """T selects what was typed last; the page can change before the first letter."""
    begin(page, "/watch")
    type_on_stage(page, "banana")
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    expect(field(page)).to_have_value("banana")
    page.get_by_role("link", name="Vocabulary").dispatch_event("click")
    expect(page.get_by_role("heading", level=1)).to_have_text("Vocabulary")
    expect(field(page)).to_be_focused()
    page.keyboard.type("nan")
    expect(field(page)).to_have_value("nan")


def test_vocabulary_opens_the_field_after_a_reload_and_in_full_screen(page: Page) -> None:
    begin(page, "/watch")
    page.keyboard.press(number_of(page, "Vocabulary"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Vocabulary")
    type_on_stage(page, "banana")
    page.wait_for_timeout(LEAVES_FULL_SCREEN)
    expect(field(page)).to_be_focused()
    assert page.evaluate("Boolean(document.fullscreenElement)")
    page.keyboard.press("Escape")
    page.reload()
    page.get_by_test_id("stage-field").wait_for(state="attached")
    page.keyboard.type("tan")
    expect(field(page)).to_have_value("an")
    page.keyboard.press("Escape")
    page.keyboard.press(number_of(page, "Watch"))
    expect(grid(page)).to_have_class(PRESENTING)


def test_a_press_on_the_text_of_a_stage_opens_the_field_as_t_does(page: Page) -> None:
    begin(page, "/watch?step=2")
    page.keyboard.press("PageDown")
    before = grid(page).evaluate("({ dataset: { step, beat, text } }) => [step, beat, text]")
    word = grid(page).locator(".viewport .letter").first
    word.hover(force=True)  # the chips below the pointer are no elements of the mouse
    expect(page.get_by_test_id("token-details").first).to_contain_text("click to type a text")
    word.click(force=True)
    expect(field(page)).to_be_focused()
    page.keyboard.type("banana")
    expect(drawn(page)).to_have_attribute("data-text", "banana")
    page.keyboard.press("Escape")
    expect(field(page)).to_be_hidden()
    assert grid(page).evaluate("({ dataset: { step, beat, text } }) => [step, beat, text]") == before
    expect(page.get_by_test_id("token-details").first).to_be_hidden()


def number_of(page: Page, name: str) -> str:
    """Return the key that opens a page."""
    names = page.get_by_test_id("stSidebarNavLink").evaluate_all(
        "all => all.map(({ textContent }) => textContent.trim())"
    )
    return str(names.index(name) + 1)


def test_lanes_on_stage_train_on_the_text_side_by_side(page: Page) -> None:
    enter(page, "/compare")
    page.get_by_test_id("stage-field").wait_for(state="attached")
    page.keyboard.press("p")
    expect(page.get_by_test_id("lane-stage").first).to_have_class(PRESENTING)
    type_on_stage(page, "banana bandana")
    lanes = (
        page.locator("[data-testid=stage-field]").get_by_test_id("lane-stage").get_by_test_id("token-grid")
    )
    expect(lanes).to_have_count(2)
    for lane in lanes.all():
        expect(lane).to_have_attribute("data-text", re.compile("an"))
    page.keyboard.press("Escape")
    expect(lanes).to_have_count(0)


def test_a_film_from_a_file_has_the_field_too(new_page: NewPage, tmp_path: Path) -> None:
    trace = train("low lower newest", variant="char-eow", merges=5)
    lane = FilmLane(training_feed(trace, "low lower newest"), recipe=live_recipe(trace))
    film = tmp_path / "film.html"
    film.write_text(lanes_page([lane], FilmOptions(own=OwnWords("low lower newest"))), "utf-8")
    page = new_page()
    page.goto(film.as_uri())
    expect(grid(page)).to_be_visible()
    page.keyboard.press("t")  # not in the presenter view
    expect(field(page)).to_be_hidden()
    page.keyboard.press("p")
    expect(grid(page)).to_have_class(PRESENTING)
    at = page.url
    type_on_stage(page, "banana")
    expect(drawn(page)).not_to_have_attribute("data-step", "0")
    assert page.url == at
    page.keyboard.press("Escape")
    expect(field(page)).to_be_hidden()
    expect(grid(page)).to_have_attribute("data-step", "0")


def test_on_an_encoding_a_film_splits_the_text_with_its_own_merges(new_page: NewPage, tmp_path: Path) -> None:
    lesson = lessons()["the-merges-are-the-model"]
    trace = train(lesson.corpus.training_text, **lesson.recipe.settings)
    beat = next(number for number, one in enumerate(lesson.beats, start=1) if one.stage == "encoding")
    film = tmp_path / "film.html"
    film.write_text(lesson_film(lesson, trace, lesson.beats[0]), "utf-8")
    page = new_page()
    page.goto(f"{film.as_uri()}#beat={beat}")
    expect(grid(page)).to_be_visible()
    page.keyboard.press("p")
    expect(grid(page)).to_have_class(PRESENTING)
    text, at = grid(page).get_attribute("data-text"), page.url
    type_on_stage(page, "lower and lowest")
    tokens = len(trace.tokenizer().encode("lower and lowest"))
    expect(page.get_by_test_id("stage-status")).to_have_text(f"{tokens} tokens")
    page.keyboard.press("Escape")
    expect(field(page)).to_be_hidden()
    expect(grid(page)).to_have_attribute("data-text", text or "")
    assert page.url == at
