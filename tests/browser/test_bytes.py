"""Bytes in a real browser: cells highlight those above and below them, by mouse and keys, whatever the width."""

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.chromium import close_choice, enter, open_choice, ready, visit
from tests.browser.conftest import NewPage


def rows(page: Page) -> Locator:
    return page.locator("[data-testid=aligned-rows]").first


def lit(page: Page) -> list[str]:
    """Return the texts of the lit cells, row by row."""
    return rows(page).locator(".cell.on").all_inner_texts()


@pytest.mark.quick
def test_a_byte_lights_its_character_and_its_token(shared_page: Page) -> None:
    page = shared_page
    visit(page, "/bytes?preset=hf-bytelevel")
    rows(page).locator(".cell.continuation").first.hover()
    assert lit(page) == ["😊", "U+1F60A", "9F", "Ł", "9F"]
    note = page.locator("[data-testid=aligned-note]").first
    expect(note).to_contain_text("continuation byte")


def test_what_the_rows_show_is_not_repeated_in_words_below_them(page: Page) -> None:
    """Beside the rows of a short text there is room for it. Below others, it is there for those who cannot see."""
    enter(page, "/bytes?preset=hf-bytelevel")
    for text, is_beside in (("a😊", True), ("the quick brown fox jumps over the lazy dog 😊 " * 3, False)):
        page.locator(".st-key-field_bytes_text textarea").fill(text)
        page.locator(".st-key-field_bytes_text textarea").press("Control+Enter")
        ready(page)
        rows(page).locator(".cell.continuation").first.hover()
        linked = page.locator("[data-testid=aligned-note]").first.locator(".linked").first
        expect(linked).to_contain_text("😊")
        assert (linked.evaluate("part => part.getBoundingClientRect().width") > 20) == is_beside


def test_the_rows_are_walked_by_keys(shared_page: Page) -> None:
    page = shared_page
    visit(page, "/bytes?preset=hf-bytelevel")
    rows(page).get_by_role("gridcell").first.focus()
    assert lit(page) == ["A", "U+0041", "41", "A", "A"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert lit(page) == ["😊", "U+1F60A", "F0", "ð", "F0"]


def test_lead_and_continuation_bytes_differ_in_shape(shared_page: Page) -> None:
    page = shared_page
    visit(page, "/bytes")

    def shape(kind: str) -> tuple[str, str]:
        cell = rows(page).locator(f".bands .cell.{kind}").first
        read = "element => [getComputedStyle(element).borderRadius, getComputedStyle(element).borderStyle]"
        radius, style = cell.evaluate(read)
        return radius, style

    assert len({shape("ascii"), shape("lead"), shape("continuation")}) == 3


def test_a_press_shows_what_the_tokenizer_does_not_know(page: Page) -> None:
    enter(page, "/bytes?merges=7")
    tokens = rows(page).locator("[data-row=tokens]")
    expect(page.get_by_test_id("whose-tokens")).to_contain_text("byte-level")
    expect(tokens.locator(".unknown")).to_have_count(0)
    page.get_by_role("button", name="Show what is unknown").click()
    expect(tokens.locator(".unknown")).not_to_have_count(0)
    page.get_by_role("button", name="Show byte-level tokens").click()
    expect(tokens.locator(".unknown")).to_have_count(0)


def test_normal_forms_change_the_rows(page: Page) -> None:
    visit(page, "/bytes?text=%C3%A9")
    expect(rows(page).locator("[data-row=code-points] .cell")).to_have_count(1)
    page.locator(".st-key-bytes_form").get_by_text("NFD", exact=True).click()
    expect(rows(page).locator("[data-row=code-points] .cell")).to_have_count(2)


def test_a_long_text_is_broken_into_bands_that_fit(new_page: NewPage) -> None:
    page = new_page(theme="dark", width=390, height=844)
    enter(page, "/bytes?text=the%20lowest%20newest%20%F0%9F%98%8A%20and%20more")
    bands = rows(page).locator(".band")
    expect(bands.nth(2)).to_be_visible()
    for band in bands.all():
        box = band.bounding_box()
        assert box
        assert box["x"] + box["width"] <= 390


def test_the_code_that_splits_and_spells_is_that_of_the_variant(page: Page) -> None:
    enter(page, "/bytes?variant=bytes-gpt2&text=low+caf%C3%A9")
    listing = page.get_by_test_id("listing")
    expect(listing.get_by_test_id("code")).to_be_hidden()
    listing.get_by_role("button", name="Code").click()
    lines = listing.locator("li code")
    expect(lines.first).to_contain_text("PATTERN = r")
    expect(lines.nth(1)).to_have_text("words = regex.findall(PATTERN, text)")
    expect(listing.locator("[data-beat=split] .chip")).to_have_text(["low", "·café"])
    expect(listing.locator("[data-beat=spell] .chip")).to_have_count(9)
    enter(page, "/bytes?recipe_source=train&text=low")
    listing.get_by_role("button", name="Code").click()
    expect(lines.last).to_have_text("symbols = [(*word, MARK) for word in words]")


def test_the_own_word_comes_along_with_gpt_4o_and_other_pages_keep_their_training(page: Page) -> None:
    enter(page, "/")
    page.get_by_test_id("your-text").fill("strawberry")
    expect(page.get_by_test_id("choice-text")).to_contain_text("Your text")
    tokenizer = page.get_by_test_id("choice-tokenizer").inner_text()
    _to(page, "Bytes")
    expect(page.get_by_test_id("page-text")).to_have_value("strawberry")
    expect(rows(page).locator("[data-row=tokens] .cell")).to_have_text(["st", "raw", "berry"])
    _to(page, "Watch")
    assert page.get_by_test_id("choice-tokenizer").inner_text() == tokenizer
    _to(page, "Bytes")
    expect(page.get_by_test_id("merges-from")).to_contain_text("GPT-4o")
    open_choice(page, "tokenizer")
    page.locator(".st-key-menu_tokenizer").get_by_text("Train", exact=True).click()
    ready(page)
    close_choice(page)
    _to(page, "Watch")
    _to(page, "Bytes")
    expect(page.get_by_test_id("merges-from")).to_contain_text("“strawberry”")


def _to(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    ready(page)
