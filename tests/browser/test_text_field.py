"""The field for a text: nothing takes away what is typed there."""

import re

from playwright.sync_api import Page, expect

from harness.chromium import enter, grid, open_choice, ready, run_first
from tests.browser.conftest import NewPage
from tests.browser.test_choices import LATE

STORED = "sessionStorage.getItem('merge-by-merge/encode_text')"


def test_a_late_message_with_another_text_takes_nothing_away(new_page: NewPage) -> None:
    """The server's answer to a press, read late, has a text over which another was typed meanwhile."""
    page = new_page()
    run_first(page, LATE)
    enter(page, "/bytes")
    field = page.get_by_test_id("page-text")
    expect(field).to_have_value("A😊")
    page.get_by_role("button", name="Hindi").click()
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("typed meanwhile")
    expect(page.get_by_text("15 graphemes")).to_be_visible()
    expect(field).to_have_value("typed meanwhile")
    page.get_by_role("button", name="Hindi").click()  # and the next press counts
    expect(field).to_have_value("नमस्ते")


def test_neither_a_run_of_the_page_moves_the_caret_nor_does_it_end_what_can_be_undone(page: Page) -> None:
    enter(page, "/encode")
    field = page.get_by_test_id("page-text")
    field.fill("low lower")
    expect(grid(page)).to_have_attribute("data-text", "low lower")
    field.press("Home")
    page.keyboard.type("ne")
    expect(grid(page)).to_have_attribute("data-text", "nelow lower")
    ready(page)
    page.keyboard.type("w")  # a letter of Streamlit's: R and C are its keys
    page.keyboard.type("rc")
    expect(grid(page)).to_have_attribute("data-text", "newrclow lower")
    page.keyboard.press("Control+z")
    expect(field).not_to_have_value("newrclow lower")
    expect(field).to_be_focused()


def test_what_is_composed_is_sent_when_it_is_complete(page: Page) -> None:
    enter(page, "/encode")
    field = page.get_by_test_id("page-text")
    field.fill("")
    expect(page.get_by_text("Type a text above.")).to_be_visible()
    field.focus()
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
    page.wait_for_timeout(1_000)  # in which a complete text would be sent
    expect(field).to_have_value("に")
    expect(page.get_by_text("Type a text above.")).to_be_visible()
    keyboard.send("Input.insertText", {"text": "日本"})
    expect(field).to_have_value("日本")
    expect(grid(page)).to_have_attribute("data-text", "日本")


def test_half_a_character_is_neither_shown_nor_stored(page: Page) -> None:
    enter(page, "/encode")
    field = page.get_by_test_id("page-text")
    field.focus()
    field.select_text()
    page.evaluate("document.execCommand('insertText', false, 'low \\ud83d')")
    expect(field).to_have_value("low \ufffd")
    assert page.evaluate(STORED) == "low \ufffd"


def test_of_a_paste_that_is_too_long_the_beginning_is_taken_and_the_page_says_so(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    enter(page, "/encode?view=decode")
    field = page.get_by_label("Ids to decode")
    page.evaluate("navigator.clipboard.writeText('1 '.repeat(100_001))")
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+v")
    expect(page.get_by_text("The field takes 200,000 characters")).to_be_visible()
    assert len(field.input_value()) == 200_000
    page.keyboard.press("Control+z")
    assert len(field.input_value()) < 1_000
    expect(page.get_by_text("The field takes 200,000 characters")).to_have_count(0)


def test_a_typed_setting_is_one_line_and_survives_a_menu_that_is_closed_at_once_and_a_reload(
    page: Page,
) -> None:
    enter(page, "/?preset=none&variant=custom")
    open_choice(page, "tokenizer")
    field = page.get_by_role("textbox", name="Pattern")
    field.focus()
    field.select_text()
    page.keyboard.insert_text("[a-z]\n{2}")
    expect(field).to_have_value("[a-z]{2}")
    page.keyboard.press("Enter")
    expect(grid(page)).to_have_attribute("data-steps", "6")  # lo, we, ne, st, wi and de
    expect(field).to_have_value("[a-z]{2}")
    field.fill("[a-z]{3}")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    expect(grid(page)).to_have_attribute("data-steps", "8")  # two for each of low, new, wid and est
    page.reload()
    expect(grid(page)).to_have_attribute("data-steps", "8")
    open_choice(page, "tokenizer")
    expect(field).to_have_value("[a-z]{3}")


def test_a_tap_that_leaves_a_field_of_streamlits_is_not_heard_before_the_text(new_page: NewPage) -> None:
    page = new_page(has_touch=True, width=1280, height=800)
    enter(page, "/vocabulary")
    field = page.locator(".st-key-vocabulary_find input")
    field.focus()
    page.evaluate("document.execCommand('insertText', false, 'es\\ud83d')")
    expect(field).to_have_value("es\ufffd")
    menu = page.get_by_test_id("stTopNav")
    menu.get_by_role("link", name="Encode").tap()
    expect(page).to_have_url(re.compile("/encode"))
    ready(page)
    menu.get_by_role("link", name="Vocabulary").tap()
    expect(field).to_have_value("es\ufffd")
