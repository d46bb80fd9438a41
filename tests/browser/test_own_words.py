"""The viewer's own words in a film, opened from disk: what the page learns from them is what `bpe.train` learns."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

import bpe
from film.live import live_recipe, live_settings
from film.page import FilmLane, FilmOptions, OwnWords, film_page, lanes_page
from film.training_feed import training_feed
from harness.chromium import grid
from tests.browser.conftest import Open
from tests.browser.test_pages import violations
from tests.ui.lessons.lesson_checks import kind_of
from tests.waiting import until
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.lesson import Lesson
from ui.page_parts.lessons.lesson_film import lesson_film

# A film with the field for its viewer's own words: make it, type into it, compare its grids with the engine.

RECORDED = "low low low lower lower newest newest widest"
OWN = "the cat sat on the mat with the hat"  # its first merge is a tie of three pairs


def film(text: str = RECORDED, *, fixed: bool = False, **settings: Any) -> str:
    return film_page(bpe.train(text, merges=12, **settings), text, FilmOptions(title="Words"), fixed=fixed)


def two_rules() -> str:
    traces = [bpe.train(RECORDED, tie_break=rule, merges=12) for rule in ("first", "pair-max")]
    lanes = [
        FilmLane(training_feed(one, RECORDED), one.tie_break.title, "", live_recipe(one)) for one in traces
    ]
    return lanes_page(lanes, FilmOptions(title="Rules", own=OwnWords(RECORDED)))


def field(page: Page, name: str) -> Locator:
    return page.get_by_test_id(f"own-{name}")


def type_words(page: Page, text: str) -> None:
    if field(page, "words").get_attribute("aria-expanded") == "false":
        field(page, "words").click()
    field(page, "text").fill(text)


def shows(page: Page, trace: bpe.Trace, step: int, number: int = 0) -> None:
    """Go to a step and check a grid there: its merges, tokens of the corpus and tied pairs."""
    root = grid(page, number)
    expect(root).to_have_attribute("data-steps", str(len(trace.steps)))
    page.get_by_test_id("scrubber").first.fill(str(step))
    expect(root).to_have_attribute("data-step", str(step))
    expect(root).to_have_attribute("data-tokens", str(trace.tokens_total(step)))
    if step < len(trace.steps):
        expect(root).to_have_attribute("data-tied", str(trace.steps[step].tied))


# Texts that nobody tunes a trainer for.
TEXTS = (
    "标准 标题 été e\u0301te\u0301 😀😀👩‍👩‍👧 aaaa",
    "  two\n\nlines\tand 1234 it's we'll  ",
    "ऋषियों שלום \u202e low",
)


@pytest.mark.quick
def test_typed_words_are_trained_at_once_as_the_engine_trains_them(open_film: Open) -> None:
    page = open_film(film())
    type_words(page, OWN)
    trace = bpe.train(OWN, merges=12)
    root = grid(page)
    expect(root).to_have_attribute("data-steps", str(len(trace.steps)))
    expect(field(page, "status")).to_have_text("12 merges learned from 35 characters; the limit is 12.")
    expect(page.get_by_test_id("tie-badge")).to_contain_text("3 pairs tied at 4")
    rows = page.get_by_test_id("pair-table").locator("tbody tr")
    expect(rows).to_have_count(len(trace.pair_counts(0)))
    rows.evaluate_all("(all) => all.forEach((row) => (row.dataset.before = ''))")
    field(page, "text").press_sequentially(" s")  # the keys type; they neither play nor step
    assert field(page, "text").input_value() == OWN + " s"
    expect(root).to_have_attribute("data-step", "0")
    typed = bpe.train(OWN + " s", merges=12)
    expect(rows).to_have_count(len(typed.pair_counts(0)))
    assert 0 < page.locator("tr[data-before]").count() < rows.count()  # rows that stay the same stay in place
    assert rows.evaluate_all("(all) => all.flatMap((row) => row.getAnimations()).length") == 0
    field(page, "merges").fill("3")
    expect(root).to_have_attribute("data-steps", "3")


def test_what_one_types_first_takes_the_place_of_the_text(open_film: Open) -> None:
    page = open_film(film())
    page.get_by_test_id("own-words").click()
    expect(field(page, "text")).to_be_focused()
    page.keyboard.type("my name")
    expect(field(page, "text")).to_have_value("my name")


def test_the_menus_offer_every_rule_and_a_choice_gives_the_frames_of_the_engine(open_film: Open) -> None:
    page = open_film(film())
    live = live_settings()
    offered = [row["slug"] for row in live["rules"] if row["menu"]]
    page.get_by_test_id("own-words").click()
    assert (
        field(page, "rule").locator("option").evaluate_all("(all) => all.map((one) => one.value)") == offered
    )
    variants = [row["slug"] for row in live["variants"]]
    # Some of each: tests/js compares all variants and all rules with the engine.
    for variant, rule, text in zip(variants[::3], offered, TEXTS, strict=False):
        type_words(page, text)
        field(page, "variant").select_option(variant)
        field(page, "rule").select_option(rule)
        trace = bpe.train(text, variant, tie_break=rule, merges=12)
        expect(page).to_have_url(re.compile(f"rule={rule}&variant={variant}&merges=12"))
        for step in (0, len(trace.steps) // 2, len(trace.steps)):
            shows(page, trace, step)


def test_another_tied_pair_is_picked_in_the_badge_and_in_the_table_and_each_pick_is_undone(
    open_film: Open,
) -> None:
    page = open_film(film())
    type_words(page, OWN)
    first = bpe.train(OWN, merges=12)
    expect(grid(page)).to_have_attribute("data-tied", "3")
    page.get_by_test_id("pick").first.click()
    picked = bpe.train(OWN, merges=12, picks={0: first.tied_pairs(0)[1]})
    expect(page.get_by_test_id("tie-badge")).to_contain_text("You picked a + t")
    shows(page, picked, 12)
    shows(page, picked, 0)
    take = page.get_by_test_id("take").last
    page.locator("tr", has=take).last.hover()  # a row offers its pair when one points at it
    take.click()
    again = bpe.train(OWN, merges=12, picks={0: first.tied_pairs(0)[2]})
    expect(page.get_by_test_id("tie-badge")).to_contain_text("You picked t + </w>")
    shows(page, again, 12)
    field(page, "undo").click()
    expect(field(page, "undo")).to_have_count(0)
    shows(page, first, 12)


def test_as_it_was_brings_the_recording_back_and_keeps_what_was_typed(open_film: Open) -> None:
    page = open_film(film(), "#step=2")
    type_words(page, OWN)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your words")
    expect(page).to_have_url(re.compile("#text=the"))
    field(page, "reset").click()
    expect(field(page, "panel")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_have_text("Words")
    assert (
        grid(page).get_attribute("data-id") == training_feed(bpe.train(RECORDED, merges=12), RECORDED)["id"]
    )
    expect(page).to_have_url(re.compile("#step=0$"))
    field(page, "words").click()
    assert field(page, "text").input_value() == OWN


def test_lanes_train_side_by_side_each_with_its_rule(open_film: Open) -> None:
    page = open_film(two_rules())
    type_words(page, OWN)
    traces = [bpe.train(OWN, tie_break=rule, merges=12) for rule in ("first", "pair-max")]
    for number, trace in enumerate(traces):
        shows(page, trace, 5, number)
    field(page, "rule").nth(0).select_option("last")
    shows(page, bpe.train(OWN, tie_break="last", merges=12), 5, 0)
    expect(page).to_have_url(re.compile("rule=last~pair-max&variant=char-eow~char-eow"))
    expect(page.get_by_role("heading", name="Last occurrence")).to_be_visible()
    field(page, "new-text").fill("that hat")
    expect(page.get_by_test_id("token-grid").nth(2)).to_have_attribute("data-text", re.compile("."))
    expect(page.get_by_test_id("token-grid")).to_have_count(4)


LONG_WORD = "Donaudampfschifffahrtsgesellschaft and ananas banana"


def test_the_offer_of_the_other_pair_is_whole_in_two_lanes_however_long_the_word(open_film: Open) -> None:
    page = open_film(two_rules(), width=390)
    type_words(page, LONG_WORD)
    expect(page.get_by_test_id("pick")).to_have_count(2)

    def is_whole(number: int) -> bool:
        offer = page.get_by_test_id("pick").nth(number).bounding_box()
        strip = page.get_by_test_id("tie-badge").nth(number).bounding_box()
        assert offer
        assert strip
        return bool(offer["y"] >= strip["y"] and offer["y"] + offer["height"] <= strip["y"] + strip["height"])

    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        until(lambda: is_whole(0) and is_whole(1), f"both offers at {width} pixels")


def test_a_film_of_one_lane_compares_two_rules_on_the_viewer_s_words(open_film: Open) -> None:
    page = open_film(film())
    type_words(page, OWN)
    shows(page, bpe.train(OWN, merges=12), 2)
    field(page, "compare").click()
    for number, rule in enumerate(("first", "last")):
        shows(page, bpe.train(OWN, tie_break=rule, merges=12), 2, number)
    expect(page.get_by_role("heading", name="Last occurrence")).to_be_visible()
    expect(page.get_by_test_id("pair-table")).to_have_count(0)
    named = page.get_by_test_id("viewport").evaluate_all("grids => grids.map((grid) => grid.ariaLabel)")
    assert named[0].startswith("Token grid, First occurrence"), "a listener must know which rule a grid is of"
    assert named[1].startswith("Token grid, Last occurrence")
    expect(page).to_have_url(re.compile("rule=first~last&variant=char-eow~char-eow"))
    other = open_film(film(), "#" + page.url.partition("#")[2])
    shows(other, bpe.train(OWN, tie_break="last", merges=12), 2, 1)
    field(page, "compare").click()
    expect(page.get_by_test_id("token-grid")).to_have_count(1)
    rows = page.get_by_test_id("pair-table").locator("tbody tr")
    expect(rows).to_have_count(len(bpe.train(OWN, merges=12).pair_counts(2)))


def test_a_new_text_is_split_with_the_merges_learned_so_far(open_film: Open) -> None:
    page = open_film(film())
    type_words(page, OWN)
    trace = bpe.train(OWN, merges=12)
    shows(page, trace, 4)
    field(page, "new-text").fill("that hat")
    for merges in (4, 2):
        tokens = bpe.train(OWN, merges=merges).tokenizer().encode("that hat")
        shows(page, trace, merges)
        expect(field(page, "new-status")).to_have_text(f"Split with the first {merges} merges.")
        expect(grid(page, 1)).to_have_attribute("data-tokens", str(len(tokens)))
    shows(page, trace, 0)
    expect(field(page, "new-status")).to_contain_text("No merge has been done yet")


STATES = {
    "empty": ("", "The field is empty: type a few words."),
    "nothing to merge": (" \n ", "Nothing is merged: no pairs are left to merge."),
    "too long": ("ab " * 7_000, "At most 20,000 characters here; this text has 21,000 characters"),
}


def test_what_cannot_be_trained_is_said_in_a_sentence_and_nothing_typed_is_lost(open_film: Open) -> None:
    page = open_film(film())
    for text, sentence in STATES.values():
        type_words(page, text)
        expect(field(page, "status")).to_contain_text(sentence)
        assert field(page, "text").input_value() == text
    type_words(page, OWN)
    shows(page, bpe.train(OWN, merges=12), 12)


def test_a_long_training_shows_its_progress_and_the_next_key_or_stop_ends_it(open_film: Open) -> None:
    page = open_film(film())
    # The training rests after each slice. A slower processor would help less the more a machine has to do.
    page.evaluate("""() => {
      const later = window.setTimeout;
      window.setTimeout = (act, wait, ...rest) => later(act, wait || 1_000, ...rest);
    }""")
    page.get_by_test_id("own-words").click()
    field(page, "merges").fill("5000")
    words = " ".join(f"{number * 7919 % 100_003:x}{number:x}" for number in range(1_500))
    field(page, "text").fill(words)
    expect(field(page, "stop")).to_be_visible()
    expect(field(page, "status")).to_contain_text(re.compile("Reading the text|of .* merges"))
    field(page, "stop").dispatch_event("click")  # a click scrolls first, and the training may end meanwhile
    expect(field(page, "status")).to_contain_text("Stopped")
    page.wait_for_timeout(2_500)  # a training that goes on would tell of its next slice meanwhile
    assert "Stopped" in field(page, "status").inner_text()
    field(page, "text").fill(words + "a")
    expect(field(page, "stop")).to_be_visible()
    field(page, "text").fill(OWN)
    expect(grid(page)).to_have_attribute("data-steps", str(len(bpe.train(OWN, merges=5_000).steps)))
    expect(field(page, "stop")).to_be_hidden()


def test_a_fixed_film_only_plays_whatever_its_address_says(open_film: Open) -> None:
    page = open_film(film(fixed=True), f"#text={quote(OWN)}&step=3")
    expect(grid(page)).to_have_attribute("data-step", "3")
    expect(grid(page)).to_have_attribute("data-steps", "12")
    expect(page.get_by_test_id("own-words")).to_have_count(0)


# The viewer's own words in a lesson's film: they take the lesson's place, and it comes back as it was.


def film_of(slug: str) -> str:
    lesson = lessons()[slug]
    trace = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)
    return lesson_film(lesson, trace, lesson.beats[0])


def seen(page: Page) -> Locator:
    return page.locator("[data-testid=token-grid]:visible")


def own_words_play(page: Page, lesson: Lesson, rule: str) -> bpe.Trace:
    """Check the grid of the viewer's words."""
    trace = bpe.train(OWN, tie_break=rule, merges=100)
    assert len(trace.steps) > int(lesson.recipe.settings["merges"])  # the lesson stops earlier
    expect(seen(page)).to_have_count(1)
    expect(seen(page)).to_have_attribute("data-steps", str(len(trace.steps)))
    expect(seen(page)).to_have_attribute("data-text", re.compile("the cat"))
    return trace


def test_a_lesson_trains_on_the_viewer_s_words_and_comes_back_as_it_was(open_film: Open) -> None:
    lesson = lessons()["count-merge-repeat"]
    page = open_film(film_of(lesson.slug), "#beat=3")
    expect(page.get_by_test_id("lesson")).to_contain_text("3 of ")
    field(page, "words").click()
    expect(field(page, "text")).to_have_value(re.compile("^hug hug .* hugs hugs$"))
    field(page, "text").fill(OWN)
    field(page, "rule").select_option("last")
    own_words_play(page, lesson, "last")
    expect(page.get_by_test_id("lesson").first).to_be_hidden()
    expect(page.get_by_test_id("pair-table")).to_be_visible()
    expect(page).to_have_url(re.compile("#text=the.*rule=last"))
    other = open_film(film_of(lesson.slug), "#" + page.url.partition("#")[2])
    own_words_play(other, lesson, "last")
    assert violations(page, ["landmark-unique"]) == []
    field(page, "reset").click()
    expect(page.get_by_test_id("lesson").first).to_contain_text("3 of ")
    expect(page).to_have_url(re.compile("#beat=3$"))
    expect(seen(page)).to_have_count(1)
    page.get_by_test_id("lesson-back").click()
    expect(page.get_by_test_id("lesson").first).to_contain_text("2 of ")


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
        expect(page.get_by_test_id("lesson")).to_contain_text(f"{number} of {len(kinds)}")
        expect(field(page, "words")).to_be_visible(visible=kind == "grid")


# What goes out from the viewer's own words in a film: links, code, files, pictures; and the frames that it is
# in.

HOSTILE = "</script><img src=x onerror=alert(1)> low <b>low</b>"
LINKED = {"short": OWN, "long and hostile": HOSTILE * 20}


@pytest.mark.parametrize("text", LINKED.values(), ids=LINKED)
def test_a_link_leads_to_the_same_words_rule_variant_pick_and_step(
    text: str, open_film: Open, tmp_path: Path
) -> None:
    page = open_film(film())
    type_words(page, text)
    field(page, "variant").select_option("bytes-gpt2")
    field(page, "rule").select_option("last")
    trace = bpe.train(text, "bytes-gpt2", tie_break="last", merges=12)
    shows(page, trace, 0)
    take = page.get_by_test_id("take").first
    page.locator("tr", has=take).first.hover()  # a row offers its pair when one points at it
    take.click()
    expect(field(page, "undo")).to_have_count(1)
    page.get_by_test_id("scrubber").fill("3")
    expect(grid(page)).to_have_attribute("data-step", "3")
    field(page, "link").click()
    expect(field(page, "copied")).to_have_value(re.compile("#"))
    link = field(page, "copied").input_value()
    assert (quote("the cat").replace("%20", "+") in link) == (text == OWN)
    assert link.startswith("film.html#")  # from disk, the folders of the computer stay out of it
    expect(page.locator(".copy-note")).to_contain_text("so the link works only in the same folder")
    field(page, "embed").click()
    expect(page.locator(".copy-note")).to_contain_text("so the code works only in the same folder")
    facts = [grid(page).get_attribute(name) for name in ("data-id", "data-step", "data-text", "data-tokens")]
    other = open_film(film(), link.partition(".html")[2])
    for name, fact in zip(("data-id", "data-step", "data-text", "data-tokens"), facts, strict=True):
        expect(grid(other)).to_have_attribute(name, fact or "")
    assert field(other, "text").input_value() == text
    assert other.locator("img").count() == 0


def test_a_film_of_ones_own_words_is_saved_and_opens_alone(open_film: Open, tmp_path: Path) -> None:
    page = open_film(film())
    type_words(page, HOSTILE)
    field(page, "rule").select_option("last")
    trace = bpe.train(HOSTILE, tie_break="last", merges=12)
    shows(page, trace, 4)
    with page.expect_download() as download:
        field(page, "save").click()
    download.value.save_as(tmp_path / "saved.html")
    saved = open_film((tmp_path / "saved.html").read_text("utf-8"))
    shows(saved, trace, 4)
    assert field(saved, "panel").is_hidden()
    saved.get_by_test_id("own-words").click()
    assert field(saved, "text").input_value() == HOSTILE
    shows(saved, trace, 12)


def test_an_embedded_film_plays_the_words_of_its_address_without_the_panel(open_film: Open) -> None:
    page = open_film(film())
    type_words(page, OWN)
    field(page, "embed").click()
    expect(field(page, "copied")).to_have_value(re.compile("iframe"))
    code = field(page, "copied").input_value()
    assert code.startswith('<iframe src="film.html#')
    slides = open_film(f"<!doctype html>{code}", name="slides.html")
    inside = slides.frame_locator("iframe")
    expect(inside.get_by_test_id("token-grid")).to_have_attribute(
        "data-tokens", str(bpe.train(OWN, merges=12).tokens_total(0))
    )
    expect(inside.get_by_test_id("own-panel")).to_be_hidden()


def test_a_picture_of_ones_own_words_is_saved(open_film: Open) -> None:
    page = open_film(film())
    type_words(page, OWN)
    page.get_by_test_id("pictures").locator("summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG").click()
    picture = download.value.path().read_text("utf-8")
    assert picture.startswith("<svg")
    assert ">c<" in picture


@pytest.mark.parametrize("slug", ["count-merge-repeat", ""])
def test_on_a_phone_the_field_opens_in_sight_and_the_words_are_below_it(slug: str, open_film: Open) -> None:
    page = open_film(film_of(slug) if slug else film(), width=390)
    field(page, "words").click()
    expect(seen(page)).to_have_count(1)
    shown = seen(page).bounding_box()
    typed = field(page, "text").bounding_box()
    assert typed
    assert shown
    assert 0 <= typed["y"] < shown["y"] < 300


def test_the_panel_fits_a_phone(open_film: Open) -> None:
    page = open_film(two_rules(), width=390)
    type_words(page, "a" * 300 + " " + OWN)
    field(page, "new-text").fill("that hat")
    field(page, "link").click()
    expect(grid(page, 2)).to_be_attached()
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
