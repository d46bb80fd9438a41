"""Encode in a real browser: the grid, the boundary picker, decoding, and nothing lost on the way."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

import bpe
from bpe.encoding.encoders import ENCODERS
from harness.chromium import enter, grid, ready, visit, wider
from published.packing import open_published
from tests.browser.conftest import NewPage
from tests.waiting import until
from ui.page_parts.encode.views import VIEWS
from ui.trainings.corpus import from_sample

SLUG = "low-lower-newest-widest"
FLOWING = (
    "Large language models read tokens, not letters. A tokenizer cuts a text into pieces that occur often."
)
TRACE = bpe.train(from_sample(SLUG).training_text, merges=12, **bpe.PRESETS["paper"].settings)


def encode(page: Page, text: str, link: str = "") -> None:
    """Open the page, enter the text with Ctrl+Enter, and wait until the grid shows its tokens."""
    visit(page, f"/encode?{link}")
    field = page.locator(".st-key-field_encode_text textarea")
    field.fill(text)
    field.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-text", text)
    ready(page)
    assert grid(page).get_attribute("data-step") == grid(page).get_attribute("data-steps")


def test_the_grid_ends_with_the_cores_tokens(page: Page) -> None:
    encode(page, "lowest newer widest low")
    line, button = page.get_by_test_id("token-count-line"), page.get_by_test_id("from-start")
    expect(line).to_contain_text("tokens · 23 characters")
    button.click()
    expect(grid(page)).to_have_attribute("data-step", "0")
    at_start = grid(page).get_attribute("data-tokens")
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


def test_the_tokens_flow_like_words_until_the_first_step_back(new_page: NewPage) -> None:
    page = new_page(width=1280, height=800)
    page.goto(f"/encode?recipe_source=published&published=gpt-2&text={quote(FLOWING)}")
    ready(page)
    tokens = open_published("gpt-2").tokenizer.tokens(FLOWING)
    expect(grid(page)).to_have_attribute("data-tokens", str(len(tokens)))

    def lines() -> dict[float, float]:
        """Return where the last chip of each line ends, by the height of the line."""
        boxes = grid(page).locator(".chips .box")
        edges = "all => all.map((one) => one.getBoundingClientRect()).map(({ top, right }) => [top, right])"
        found: dict[float, float] = {}
        for top, right in boxes.evaluate_all(edges):
            found[top] = max(right, found.get(top, 0))
        return found

    flowing = lines()
    viewport = grid(page).get_by_test_id("viewport").bounding_box()
    assert viewport
    right = viewport["x"] + viewport["width"]
    # No line but the last ends before the room for a long token.
    *full, _ = (end for _, end in sorted(flowing.items()))
    assert full
    assert all(right - end < 0.3 * viewport["width"] for end in full)
    page.get_by_test_id("from-start").click()
    grid(page).get_by_test_id("viewport").focus()
    page.keyboard.press("End")
    ready(page)
    *full, _ = (end for _, end in sorted(lines().items()))
    # Now the lines break where they broke before the first step.
    assert any(right - end > 0.3 * viewport["width"] for end in full)


def test_a_menu_has_the_ids_to_copy(page: Page) -> None:
    encode(page, "low lowest")
    ids = TRACE.tokenizer().encode("low lowest")
    page.get_by_role("button", name=f"Copy {len(ids)} ids").click()
    expect(page.get_by_test_id("stCode").first).to_have_text(str(ids))


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
    steps = grid(page).get_attribute("data-steps") or ""
    expect(grid(page)).to_have_attribute("data-step", steps)  # the keys were the inspector's


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
    expect(code.locator("[data-beat=rest]")).to_contain_text("8 of 8")
    page.keyboard.press("Home")
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
    expect(code.locator("[data-beat=rest]")).to_contain_text("3 of 3")  # it stays open for another text
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
