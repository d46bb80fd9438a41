"""The tab Audit of Vocabulary in Chromium: rows are chosen by mouse, and the smaller tokenizer is saved."""

import pytest
from playwright.sync_api import Page, expect

import bpe
from bpe.analysis.audit import audit, remove_tokens
from bpe.formats import FORMATS
from tests.browser.chromium import enter, ready
from ui.sidebar.corpus import from_sample

SAMPLE = "low-lower-newest-widest"
TEXT = "low newest"


@pytest.mark.slow
def test_chosen_rows_and_kinds_are_removed_and_the_file_is_saved(page: Page) -> None:
    trace = bpe.train(from_sample(SAMPLE).training_text, merges=12, **bpe.PRESETS["hf-bytelevel"].settings)
    tokenizer = trace.tokenizer()
    findings = audit(tokenizer, [TEXT])
    enter(page, f"/vocabulary?corpus_sample={SAMPLE}&preset=hf-bytelevel&merges=12&audit=own")
    page.get_by_role("tab", name="Audit").click()
    field = page.locator(".st-key-audit_own_text textarea")
    field.fill(TEXT)
    field.press("Control+Enter")
    ready(page)
    kinds = page.locator(".st-key-audit_kind button")
    kinds.filter(has_text="Alike").click()
    ready(page)
    table = page.locator("[class*=st-key-audit_table_alike] [data-testid=stDataFrame]")
    table.scroll_into_view_if_needed()
    corner = table.bounding_box()
    assert corner
    page.mouse.click(corner["x"] + 18, corner["y"] + 35 + 17)  # the box of the first row
    expect(
        page.get_by_text("1 chosen token stays, since it is a part of tokens that you keep.")
    ).to_be_visible()
    kinds.filter(has_text="Never").click()  # the chosen row is still chosen
    ready(page)
    page.locator(".st-key-audit_remove button").filter(has_text="Never").click()
    expect(page.get_by_text("so it is split differently without it")).to_be_visible()  # with its longer token
    ids = {findings["alike"][0].id, *(finding.id for finding in findings["never"])}
    expected = remove_tokens(tokenizer, ids)
    assert len(expected.removed) > len(findings["never"])
    expect(page.get_by_text(f"-{len(expected.removed)} tokens")).to_be_visible()
    page.get_by_role("button", name="Save the smaller tokenizer").click()
    with page.expect_download() as download:
        page.locator(".st-key-audit_export_tokenizer-json button").click()
    content = download.value.path().read_text("utf-8")
    assert content == FORMATS["tokenizer-json"].write(expected.tokenizer)
