"""Export tokenizer in Chromium: the files that the pages save are those of the core, and a refusal says why."""

import pytest
from playwright.sync_api import Page, expect

import bpe
from bpe.formats import FORMATS
from tests.browser.chromium import enter, ready, visit
from ui.sidebar.corpus import from_sample

EXPORT_SAMPLE = "low-lower-newest-widest"
BYTES = "hf-bytelevel"


@pytest.mark.parametrize("address", ["/", "/vocabulary", "/encode"])
@pytest.mark.slow
def test_a_page_saves_the_tokenizer_at_its_step(address: str, shared_page: Page) -> None:
    page = shared_page
    visit(page, f"{address}?corpus_sample={EXPORT_SAMPLE}&preset={BYTES}&merges=4&step=4")
    page.get_by_role("button", name="Export tokenizer").click()
    ready(page)
    trace = bpe.train(from_sample(EXPORT_SAMPLE).training_text, merges=4, **bpe.PRESETS[BYTES].settings)
    with page.expect_download() as download:
        page.locator(".st-key-export_tokenizer-json button").click()
    assert download.value.suggested_filename == "tokenizer.json"
    assert download.value.path().read_text("utf-8") == FORMATS["tokenizer-json"].export(trace, 4)


@pytest.mark.slow
def test_at_step_0_all_merges_are_exported_unless_the_step_is_chosen(page: Page) -> None:
    enter(page, f"/?corpus_sample={EXPORT_SAMPLE}&preset={BYTES}&merges=4&step=0")
    page.get_by_role("button", name="Export tokenizer").click()
    ready(page)
    trace = bpe.train(from_sample(EXPORT_SAMPLE).training_text, merges=4, **bpe.PRESETS[BYTES].settings)
    for choice, merges in (("All 4 merges", 4), ("No merge", 0)):
        page.get_by_test_id("stPopoverBody").get_by_text(choice, exact=True).click()
        ready(page)
        with page.expect_download() as download:
            page.locator(".st-key-export_tokenizer-json button").click()
        assert download.value.path().read_text("utf-8") == FORMATS["tokenizer-json"].export(trace, merges)


@pytest.mark.slow
def test_a_format_that_cannot_hold_the_tokenizer_says_why(page: Page) -> None:
    enter(page, f"/?corpus_sample={EXPORT_SAMPLE}&preset=paper&step=1")
    page.get_by_role("button", name="Export tokenizer").click()
    ready(page)
    expect(page.locator(".st-key-export_tiktoken button")).to_be_disabled()
    trace = bpe.train(from_sample(EXPORT_SAMPLE).training_text, merges=12, **bpe.PRESETS["paper"].settings)
    expect(page.get_by_text(FORMATS["tiktoken"].refusal(trace, 12) or "")).to_be_visible()
