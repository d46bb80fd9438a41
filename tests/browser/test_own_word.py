"""Somebody who has never seen the app types a word on a page, and gets the answer about that word from that page."""

import re

from playwright.sync_api import Locator, Page, expect

from harness.chromium import enter, ready
from tests.browser.conftest import NewPage

WORD = "bandana"  # no sample is this text


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


# Page -> the answer about the word. Watch and Encode give theirs in test_choices.py.
ANSWERS: dict[str, str | re.Pattern[str]] = {
    "/compare": "Your text: the only word",
    "/vocabulary": f"These merges split “{WORD}” into 8 tokens: b a n d a n a",
    "/bytes": "7 graphemes, 7 code points, 7 bytes",
    "/tokenizers": re.compile("^2 tokens for (GPT-4o|each)"),  # each, once all are open
}


def test_a_page_answers_about_what_is_typed_in_its_first_field_and_in_no_other(new_page: NewPage) -> None:
    page = new_page(width=1280, height=800)
    for address, answer in ANSWERS.items():
        enter(page, address)
        first = page.locator("textarea:visible, .stTextInput input:visible").first
        expect(first).to_have_attribute("data-testid", re.compile("^(your-text|page-text)$"))
        type_word(page, first, WORD)
        own, *others = fields(page)
        assert own == WORD
        assert WORD not in others
        expect(page.get_by_text(answer).first).to_be_visible(timeout=60_000)  # a tokenizer may open first
        if address != "/compare":
            expect(page.get_by_test_id("merges-from")).not_to_contain_text(WORD)


def test_every_way_of_one_typed_word_is_in_sight_as_soon_as_the_ways_are_listed(new_page: NewPage) -> None:
    page = new_page(width=1280, height=800)
    enter(page, "/")
    type_word(page, page.get_by_test_id("your-text"), "strawberry")
    sentence = page.get_by_test_id("every-way-sentence")
    expect(sentence).to_contain_text("3,628,800 ways to break the ties", timeout=60_000)
    expect(page.get_by_test_id("every-way")).to_have_count(1)
    picture, player = (
        page.get_by_test_id("every-way").locator("svg").first.bounding_box(),
        page.get_by_test_id("transport").bounding_box(),
    )
    assert picture
    assert player
    assert picture["y"] + picture["height"] <= player["y"] <= 800
