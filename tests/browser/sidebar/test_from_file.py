"""A tokenizer from a file in a real browser: opened, played on Watch, a lane on Compare, used by Encode."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import enter, grid, navigate, ready
from tests.browser.grid.grid_page import press
from tests.material.texts import SENTENCES
from tests.material.trained_tokenizers import hugging_face

NAME = "<b>my</b>.json"


@pytest.mark.slow
def test_a_file_plays_on_watch_stands_on_compare_and_encodes(page: Page) -> None:
    library = hugging_face(SENTENCES * 3)
    merges = json.loads(library.to_str())["model"]["merges"]
    enter(page, "/?recipe_source=file&corpus_sample=story")
    expect(page.get_by_text("which no link can contain").first).to_be_visible()
    page.locator(".st-key-tokenizer_upload input[type=file]").set_input_files(
        {"name": NAME, "mimeType": "application/json", "buffer": library.to_str().encode()}
    )
    expect(grid(page)).to_have_attribute("data-step", "0")
    ready(page)
    expect(page.get_by_text(f"of its {len(merges)} merges apply to this text").first).to_be_visible()
    assert page.locator("main b", has_text="my").count() == 0  # the file's name is no markup
    steps = int(grid(page).get_attribute("data-steps") or 0)
    assert 0 < steps <= len(merges)
    badge = grid(page).get_by_test_id("counts-badge")
    expect(badge).to_contain_text("Training on this text would choose")
    assert grid(page).get_by_test_id("tie-badge").is_hidden()
    assert grid(page).get_by_test_id("pick").count() == 0
    expect(grid(page).get_by_test_id("headline")).to_contain_text("of the tokenizer")
    press(page, "ArrowRight", "ArrowRight")
    expect(grid(page)).to_have_attribute("data-step", "2")
    press(page, "End")
    expect(grid(page)).to_have_attribute("data-step", str(steps))
    ready(page)

    navigate(page, "/compare")
    ready(page)
    lanes = page.locator("[data-testid=token-grid]")
    expect(lanes).to_have_count(2)
    expect(page.locator(".st-key-verdict h2")).to_contain_text("held-out")

    navigate(page, "/encode")
    ready(page)
    text = "The lowest towers are ☃"
    field = page.locator(".st-key-encode_text textarea")
    field.fill(text)
    field.press("Control+Enter")
    ids = ", ".join(map(str, library.encode(text).ids))
    expect(page.get_by_text(f"[{ids}]").first).to_be_visible()
