"""Somebody who has never seen the app types a word on a page, and gets the answer about that word from that page."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.chromium import close_choice, enter, grid, ready
from tests.browser.conftest import NewPage
from ui.choices.tokenizer_files import tokenizer_for_now

WORD = "bandana"  # no sample is this text
SENTENCE = "Is the unbelievable strawberry really three tokens long?"


def type_word(page: Page, field: Locator, word: str) -> None:
    """Type as a visitor does: click into the field, replace what is there, and leave it."""
    field.click()
    page.keyboard.press("Control+a")
    page.keyboard.type(word)
    page.keyboard.press("Tab")
    ready(page)


def fields(page: Page) -> list[str]:
    """Return what every field for text in sight holds."""
    seen = page.locator("textarea:visible, .stTextInput input:visible")
    return [field.input_value() for field in seen.all()]


@pytest.mark.parametrize("address", ["/", "/compare", "/encode", "/vocabulary", "/bytes"])
def test_the_first_field_of_a_page_answers_about_what_is_typed_there(new_page: NewPage, address: str) -> None:
    page = new_page(width=1280, height=800)
    enter(page, address)
    first = page.locator("textarea:visible, .stTextInput input:visible").first
    expect(first).to_have_attribute("data-testid", re.compile("^(your-text|page-text)$"))
    type_word(page, first, WORD)
    own, *others = fields(page)
    assert own == WORD
    assert WORD not in others, "it is in the page's field, and in no other one"
    if address in ("/", "/compare", "/encode"):
        for number in range(page.locator("[data-testid=token-grid]").count()):
            expect(grid(page, number)).to_have_attribute("data-text", WORD)
    if address == "/compare":
        expect(page.locator(".st-key-verdict h2")).to_contain_text("Your text: the only word")
    if address == "/encode":
        line = page.get_by_test_id("token-count-line")
        expect(line).to_contain_text(f"{len(WORD)} characters")
        expect(page.get_by_test_id("merges-from")).not_to_contain_text(WORD)
    if address == "/vocabulary":
        expect(page.get_by_text(f"These merges split “{WORD}” into 8 tokens: b a n d a n a")).to_be_visible()
        expect(page.get_by_test_id("merges-from")).not_to_contain_text(WORD)
    if address == "/bytes":
        expect(page.get_by_text("7 graphemes, 7 code points, 7 bytes")).to_be_visible()
        expect(page.get_by_test_id("merges-from")).not_to_contain_text(WORD)


def test_on_languages_own_text_is_typed_where_it_is_chosen(new_page: NewPage) -> None:
    page = new_page(width=1280, height=800)
    enter(page, "/languages")
    expect(page.get_by_test_id("merges-from")).not_to_be_visible()
    assert fields(page) == []
    enter(page, "/languages?texts=own&measure=tokens")
    page.get_by_test_id("merges-from").click()
    type_word(page, page.get_by_test_id("training-text"), SENTENCE)
    tokens = len(tokenizer_for_now("gpt-4o").encode(SENTENCE))
    row = page.get_by_role("row", name=re.compile("^Your text"))
    expect(row.get_by_role("cell").nth(1)).to_have_text(str(tokens))


def test_gpt_4o_counts_a_pasted_sentence_in_two_presses(new_page: NewPage) -> None:
    page = new_page(width=1280, height=800)
    enter(page, "/")
    page.evaluate(
        "(text) => { const data = new DataTransfer(); data.setData('text/plain', text);"
        " document.body.dispatchEvent(new ClipboardEvent('paste',"
        " { clipboardData: data, bubbles: true, cancelable: true })); }",
        SENTENCE,
    )
    expect(grid(page)).to_have_attribute("data-text", re.compile("^Is the unbelievable"))
    ready(page)
    page.get_by_test_id("choice-tokenizer").click()
    page.locator(".st-key-recipe_source button").filter(has_text="Published").click()
    tokens = len(tokenizer_for_now("gpt-4o").encode(SENTENCE))
    expect(page.get_by_test_id("token-count")).to_have_text(str(tokens))
    expect(page.get_by_test_id("token-count-line")).to_contain_text("GPT-4o")
    close_choice(page)
    expect(page.get_by_test_id("token-count")).to_be_in_viewport()
