"""The menus above a page show what they choose: by mouse and keyboard, for a screen reader, as sheets on a phone."""

import re

from playwright.sync_api import Locator, Page, expect

import bpe
from harness.chromium import close_choice, enter, grid, open_choice, ready, take_row, wider
from tests.browser.conftest import NewPage
from tests.browser.grid_page import guess, press
from tests.browser.test_pages import violations
from ui.trainings.corpus import from_sample, samples

OFFERED = [slug for slug, rule in bpe.TIE_BREAKS.items() if rule.menu]


def rows(page: Page) -> Locator:
    return page.get_by_test_id("choice-list").get_by_role("option")


def active(page: Page) -> str:
    """Return the row that the keys are at."""
    listbox = page.get_by_test_id("choice-list").get_by_role("listbox")
    return (listbox.get_attribute("aria-activedescendant") or "").removeprefix("row-")


def test_the_list_of_rules_shows_their_pairs_at_the_step_of_the_grid(new_page: NewPage) -> None:
    page = new_page()
    enter(page, "/")
    open_choice(page, "ties")
    expect(rows(page)).to_have_count(len(OFFERED))
    expect(page.get_by_test_id("tie-first").locator(".chip")).to_have_text(["e", "s", "es"])
    expect(page.get_by_test_id("choice-list")).to_contain_text("3 pairs tie at 9.")
    expect(page.get_by_test_id("choice-list")).to_contain_text(
        "Every one of 432 ways to break the ties splits"
    )
    assert page.locator(".st-key-menu_ties select, .st-key-menu_ties .stSelectbox").count() == 0
    groups = page.get_by_test_id("choice-list").get_by_role("group")
    expect(groups).to_have_count(4)
    expect(groups.last).to_have_attribute("aria-label", re.compile("^More, for contrast"))
    shown = groups.last.get_by_role("option").evaluate_all("rows => rows.map((row) => row.dataset.slug)")
    assert shown == [slug for slug in OFFERED if bpe.TIE_BREAKS[slug].for_contrast] == ["last", "longest"]
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("choice-list")).to_have_count(0)
    press(page, "ArrowRight")
    expect(grid(page)).to_have_attribute("data-step", "1")
    open_choice(page, "ties")
    expect(page.get_by_test_id("tie-first").locator(".chip")).to_have_text(["es", "t", "est"])
    take_row(page, "tie-last")
    expect(page.get_by_test_id("choice-ties")).to_contain_text("Last occurrence")
    expect(page.get_by_test_id("what-if")).to_contain_text("Last occurrence")
    page.get_by_test_id("tie-action").click()
    expect(page).to_have_url(re.compile("/compare"))
    ready(page)
    expect(page.get_by_test_id("choice-list")).to_have_count(0)
    expect(page.locator(".st-key-choice_lanes")).to_contain_text("First occurrence, Last occurrence")


def test_the_keyboard_walks_the_list_and_moves_nothing_else(new_page: NewPage) -> None:
    page = new_page()
    enter(page, "/")
    open_choice(page, "ties")
    expect(page.get_by_test_id("tie-first").locator(".chip")).to_have_count(3)
    shown = [row.get_attribute("data-slug") for row in rows(page).all()]
    assert active(page) == "first"
    page.keyboard.press("ArrowDown")
    assert active(page) == shown[1]
    page.keyboard.press("End")
    assert active(page) == shown[-1]
    page.keyboard.press("ArrowDown")
    assert active(page) == shown[-1]
    page.keyboard.press("Home")
    assert active(page) == shown[0]
    page.keyboard.type("sh")
    assert active(page) == "shortest"
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("choice-ties")).to_contain_text("Shortest token")
    expect(page.get_by_test_id("tie-shortest")).to_have_attribute("aria-selected", "true")
    expect(page.locator("[role=option][aria-selected=true]")).to_have_count(1)
    expect(grid(page)).to_have_attribute("data-step", "0")
    ready(page)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("choice-list")).to_have_count(0)

    guess(page)  # the list then tells no pair
    open_choice(page, "ties")
    expect(page.get_by_test_id("tie-first")).to_be_visible()
    page.wait_for_timeout(1_000)  # in which an answer would have come
    expect(page.get_by_test_id("choice-list").locator(".chip")).to_have_count(0)


def test_the_menus_are_sheets_on_a_phone_and_are_accessible(new_page: NewPage) -> None:
    page = new_page(theme="dark", width=390, height=844)
    enter(page, "/")
    open_choice(page, "ties")
    expect(page.get_by_test_id("tie-first").locator(".chip")).to_have_count(3)
    sheet = page.get_by_test_id("stPopoverBody").bounding_box()
    assert sheet
    assert (sheet["x"], sheet["width"]) == (0, 390)
    assert round(sheet["y"] + sheet["height"]) == 844
    assert wider(page) == 0
    for row in rows(page).all():
        box = row.bounding_box()
        assert box
        assert box["height"] >= 40
        assert row.evaluate("row => row.scrollWidth <= row.clientWidth")
    assert violations(page, (), "[data-testid=stPopoverBody]") == []
    close_choice(page)
    open_choice(page, "merges")
    expect(page.get_by_test_id("merges-tokens")).to_have_text(after(12)["tokens"])
    slider = page.get_by_test_id("merges-slider").bounding_box()
    assert slider
    assert slider["height"] >= 40
    assert wider(page) == 0


def test_trainers_and_samples_are_lists_that_spell_their_first_words(new_page: NewPage) -> None:
    page = new_page()
    enter(page, "/")
    open_choice(page, "tokenizer")
    words = page.get_by_test_id("preset-paper").locator(".word")
    expect(words).to_have_count(2)
    expect(words.first.locator(".chip")).to_have_text(["l", "o", "w", "</w>"])
    expect(page.get_by_test_id("preset-sentencepiece").locator(".word").first).to_contain_text("low")
    assert page.locator(".st-key-preset").count() == 0
    assert violations(page, (), "[data-testid=stPopoverBody]") == []
    take_row(page, "preset-minbpe-basic")
    expect(page.get_by_test_id("choice-tokenizer")).to_contain_text("minbpe")
    expect(page.get_by_test_id("preset-minbpe-basic").locator(".word .chip").first).to_have_text("l")
    close_choice(page)
    open_choice(page, "text")
    expect(page.get_by_test_id("sample-hug-pug-pun-bun-hugs").locator(".word")).to_have_count(2)
    page.keyboard.type(samples()["dna"].title[:4])
    assert active(page) == "dna"
    page.keyboard.press("End")
    last = active(page)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"corpus_sample={last}"))
    close_choice(page)
    open_choice(page, "text")  # the list opens where the chosen one is
    expect(page.get_by_test_id(f"sample-{last}").locator(".word").first).to_be_in_viewport(ratio=0.9)


def test_on_stage_r_opens_the_rules_over_it_and_one_is_taken_by_keys(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    enter(page, "/")
    page.keyboard.press("p")
    expect(grid(page)).to_have_class(re.compile("presenting"))
    page.keyboard.press("r")
    expect(page.get_by_test_id("tie-first").locator(".chip")).to_have_count(3)
    menu = page.get_by_test_id("stPopoverBody").bounding_box()
    assert menu
    assert menu["y"] >= 0
    assert menu["y"] + menu["height"] <= 720
    top = "([x, y]) => document.elementFromPoint(x, y).closest('[data-testid=stPopoverBody]') !== null"
    assert page.evaluate(top, [menu["x"] + 20, menu["y"] + 20])  # nothing of the stage covers it
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("choice-list")).to_have_count(0)
    expect(grid(page)).to_have_class(re.compile("presenting"))
    page.keyboard.press("r")
    expect(page.get_by_test_id("tie-last").locator(".chip")).to_have_count(3)
    for key in ("End", "ArrowUp", "Enter"):  # letters that come late, on a busy machine, begin a new word
        page.keyboard.press(key)
    expect(page.get_by_test_id("choice-list")).to_have_count(0)
    expect(page).to_have_url(re.compile("tie_break=last"))
    expect(grid(page)).to_have_class(re.compile("presenting"))
    expect(grid(page)).to_have_attribute("data-step", "0")


def figures(page: Page) -> dict[str, str]:
    return {
        name: page.get_by_test_id(f"merges-{name}").inner_text() for name in ("tokens", "vocabulary", "ties")
    }


def after(merges: int) -> dict[str, str]:
    trace = bpe.train(from_sample(next(iter(samples()))).training_text, "char-eow", merges=merges)
    ties = sum(step.tied > 1 for step in trace.steps)
    last = len(trace.steps)  # there are fewer if no pair is left
    numbers = (trace.tokens_total(last), trace.vocabulary_size(last), ties)
    return dict(zip(("tokens", "vocabulary", "ties"), map(str, numbers), strict=True))


def test_the_slider_of_merges_tells_what_the_text_becomes_and_trains_so_far(new_page: NewPage) -> None:
    page = new_page()
    enter(page, "/")
    open_choice(page, "merges")
    slider = page.get_by_test_id("merges-slider")
    expect(page.get_by_test_id("merges-tokens")).to_have_text(after(12)["tokens"])
    assert figures(page) == after(12)
    slider.focus()  # two fields for a number come before it
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert figures(page) == after(10)
    assert slider.get_attribute("aria-valuetext") == "10 merges: {tokens}, {vocabulary}, {ties}. ".format(
        **after(10)
    )
    expect(page).to_have_url(re.compile("merges=10"))  # a moment after the last key
    expect(page.get_by_test_id("merges-chosen")).to_have_text("10 merges")
    ready(page)
    page.keyboard.press("End")
    assert figures(page) == dict.fromkeys(("tokens", "vocabulary", "ties"), "?")  # not learned yet
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("merges=20"))
    ready(page)
    expect(page.get_by_test_id("merges-tokens")).to_have_text(after(20)["tokens"])
    expect(page.get_by_test_id("choice-list")).to_contain_text(
        "Training ends after 15 merges: no pair is left"
    )
    assert violations(page, (), "[data-testid=stPopoverBody]") == []


def test_on_stage_each_menu_of_the_page_has_a_key(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    for address, keys in (
        ("/", {"s": "text", "k": "tokenizer", "m": "merges"}),
        ("/compare", {"l": "lanes"}),
    ):
        enter(page, address)
        page.keyboard.press("p")
        stage = page.locator(".presenting")  # the grid, or what holds several of them
        expect(stage.first).to_be_attached()
        for key, name in keys.items():
            page.keyboard.press(key)
            menu = page.locator(f"[data-testid=stPopoverBody]:popover-open .st-key-menu_{name}")
            expect(menu).to_be_visible()
            box = menu.bounding_box()
            assert box
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 720
            if key == "m":  # what is chosen there is trained, and the stage is as it was
                expect(page.get_by_test_id("merges-slider")).to_be_visible()  # nothing hidden takes the focus
                page.get_by_test_id("merges-slider").focus()
                page.keyboard.press("Home")
                page.keyboard.press("ArrowRight")
                page.keyboard.press("Enter")
                expect(page).to_have_url(re.compile("merges=1$|merges=1&"))
            else:
                page.keyboard.press("Escape")
            expect(menu).to_have_count(0)
            expect(stage.first).to_be_attached()
        page.keyboard.press("Escape")
        expect(stage).to_have_count(0)


def test_on_bytes_the_menus_know_the_training_though_the_page_trains_on_bytes_too(new_page: NewPage) -> None:
    page = new_page()
    enter(page, "/bytes?recipe_source=train")
    open_choice(page, "ties")
    expect(page.get_by_test_id("tie-first").locator(".chip")).to_have_text(["e", "s", "es"])
