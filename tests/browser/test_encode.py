"""Encode in a real browser: the grid, the boundary picker, decoding, and nothing lost on the way."""

import re

import pytest
from playwright.sync_api import Page, expect

import bpe
from bpe.encoding.encoders import ENCODERS
from harness.chromium import enter, grid, ready, visit, wider
from tests.browser.conftest import NewPage
from tests.waiting import until
from ui.choices.corpus import from_sample
from ui.encode.views import VIEWS

SLUG = "low-lower-newest-widest"
TRACE = bpe.train(from_sample(SLUG).training_text, merges=12, **bpe.PRESETS["paper"].settings)


def encode(page: Page, text: str, link: str = "") -> None:
    """Open the page, enter the text with Ctrl+Enter, and wait until all of it is encoded."""
    visit(page, f"/encode?{link}")
    field = page.locator(".st-key-field_encode_text textarea")
    field.fill(text)
    field.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-step", "0")
    ready(page)


def test_the_grid_ends_with_the_cores_tokens(page: Page) -> None:
    encode(page, "lowest newer widest low")
    expect(grid(page)).to_have_attribute("data-text", "lowest newer widest low")
    line, at_start = page.get_by_test_id("token-count-line"), grid(page).get_attribute("data-tokens")
    expect(line).to_contain_text(f"tokens at the end, {at_start} now · 23 characters")
    page.get_by_role("button", name="Encoder").click()
    for slug in ("rank", "longest"):  # tests/film has the feed of every encoder
        encoder = ENCODERS[slug]
        choice = page.locator(".st-key-encode_encoder input")
        if choice.input_value() != encoder.title:
            former = grid(page).get_attribute("data-id")
            assert former
            choice.fill(encoder.title)
            expect(page.get_by_role("option", name=encoder.title, exact=True)).to_be_visible()
            choice.press("Enter")
            # The field changes before the grid does.
            expect(grid(page)).not_to_have_attribute("data-id", former)
        expect(choice).to_have_value(encoder.title)
        ready(page)
        grid(page).locator("[data-testid=viewport]").focus()
        page.keyboard.press("End")
        last = grid(page).get_attribute("data-steps")
        assert last
        expect(grid(page)).to_have_attribute("data-step", last)
        tokens = TRACE.tokenizer().tokens("lowest newer widest low", slug)
        expect(grid(page)).to_have_attribute("data-tokens", str(len(tokens)))
        expect(line.locator(".line")).to_have_text(re.compile(rf"{len(tokens)} tokens · 23 characters"))
        expect(grid(page)).to_have_attribute("data-text", "lowest newer widest low")


def test_unknown_characters_are_tiles_that_show_them(shared_page: Page) -> None:
    page = shared_page
    encode(page, "low Ω")
    box = grid(page).locator(".chips .box").nth(4)
    assert box.evaluate("element => getComputedStyle(element).borderStyle") == "dashed"
    expect(grid(page).locator("[data-testid=frame-text]")).to_contain_text("Ω")


@pytest.mark.quick
def test_pointing_at_neighbours_by_mouse_and_keys(shared_page: Page) -> None:
    page = shared_page
    encode(page, "lowest low")
    inspector = page.locator("[data-testid=inspector]")
    answer = page.locator("[data-testid=inspector-answer]")
    expect(inspector.get_by_role("radio")).to_have_count(len(TRACE.boundaries("lowest low")))
    inspector.locator(".boundary.wall").first.click()
    expect(answer).to_contain_text("are in different pre-tokens")
    page.keyboard.press("Home")
    expect(answer).to_contain_text("joined l and o into lo here")
    expect(grid(page)).to_have_attribute("data-step", "0")  # the keys were the inspector's


def test_decoding_token_by_token_and_bad_ids(page: Page) -> None:
    # A field of the page before may still store its text, so the page is loaded anew.
    page.goto("/encode?view=decode&text=low%20lowest")
    ready(page)
    out = page.locator("[data-testid=decoded-text]")
    expect(out).to_contain_text("low low")
    slider = page.locator("[data-testid=decoding] input[type=range]")
    slider.focus()
    page.keyboard.press("Home")
    expect(out).to_have_text("nothing decoded yet")
    page.keyboard.press("ArrowRight")
    expect(out).to_have_text("low ")
    field = page.locator(".st-key-field_encode_ids textarea")
    field.fill("0 4096 1")
    field.press("Control+Enter")
    expect(page.get_by_text("4096 at position 1 is not an id")).to_be_visible()


def test_in_all_views_user_text_is_never_markup_and_fits_a_narrow_screen(new_page: NewPage) -> None:
    page = new_page(theme="dark", width=390, height=844)
    encode(
        page, "<img src=x onerror=alert(1)> **b** :red[x] $y$ low A\N{SMILING FACE WITH SMILING EYES} lowest"
    )
    for view in VIEWS.values():
        page.locator(".st-key-encode_view").get_by_text(view.title, exact=True).click()
        ready(page)
        assert not page.locator("img[src=x]").count(), view.title
        assert wider(page) == 0, view.title


def test_the_code_of_the_encoder_follows_the_steps_and_the_choice(page: Page) -> None:
    enter(page, "/encode")
    listing = page.get_by_test_id("listing").first
    code = listing.get_by_test_id("code")
    expect(code).to_be_hidden()
    page.keyboard.press("c")
    expect(code.locator("li.on code")).to_contain_text("while (known := [pair for pair in pairwise(word)")
    expect(code.locator("[data-beat=rest]")).to_contain_text("0 of 8")
    select = code.locator("[data-beat=select]")
    expect(select.get_by_role("button", name="e + s, merge 1")).to_be_visible()
    select.get_by_role("button").focus()
    expect(grid(page)).to_have_attribute("data-lit", "merge")
    page.keyboard.press("End")
    expect(code.locator("[data-beat=rest]")).to_contain_text("8 of 8")
    expect(select.get_by_role("button")).to_have_count(0)
    field = page.get_by_test_id("page-text")
    field.fill("low")
    field.press("Control+Enter")
    expect(code.locator("[data-beat=rest]")).to_contain_text("0 of 3")  # it stays open for another text
    field.fill("low lowest newer")
    field.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-steps", "8")
    field.press("Escape")
    ready(page)

    # On stage, the code is beside the grid.
    page.keyboard.press("Home")
    page.keyboard.press("p")
    page.keyboard.press("ArrowRight")
    expect(code.locator("li.on code")).to_have_text("earliest = min(known, key=rank_of.get)")
    beside, around = listing.bounding_box(), grid(page).bounding_box()
    assert beside
    assert around
    assert around["x"] + around["width"] <= beside["x"] + 1
    page.keyboard.press("c")
    expect(listing).to_be_hidden()
    until(lambda: (grid(page).bounding_box() or {"width": 0})["width"] > beside["x"] + 1, "room again")
    page.keyboard.press("Escape")

    enter(page, "/encode?encoder=rules")
    page.get_by_role("button", name="Code", exact=True).click()
    expect(code.locator("li").first).to_have_text("def rules_in_order(word, merges):")
    expect(code.locator("li.on code")).to_have_text("for pair in merges:")


def test_ids_are_decoded_by_two_lines(page: Page) -> None:
    enter(page, "/encode?view=decode")
    listing = page.get_by_test_id("listing").nth(1)
    listing.get_by_role("button", name="Code").click()
    expect(listing.locator("li")).to_have_count(2)
    expect(listing.locator("[data-beat=select] .chip")).to_have_count(7)
    listing.locator("li").nth(1).focus()
    expect(listing.locator(".note")).to_contain_text("The marker </w> becomes a space")
