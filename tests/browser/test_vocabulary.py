"""Vocabulary in a real browser: the table, one token's tree by mouse and keys, the charts, the link."""

import re

import pytest
from playwright.sync_api import Page, expect

import bpe
from bpe.formats import FORMATS
from harness.chromium import enter, ready, take_away
from tests.browser.test_encode import TRACE
from ui.trainings.corpus import from_sample


@pytest.mark.quick
def test_a_tree_is_walked_and_followed(page: Page) -> None:
    enter(page, "/vocabulary")
    tree = page.locator("[data-testid=merge-tree]")
    bars = tree.get_by_role("treeitem")
    expect(bars).to_have_count(13)  # newest</w>: seven initial symbols, and six merges
    root = bars.first.get_attribute("aria-label")
    assert root
    bars.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    ready(page)
    expect(bars.first).not_to_have_attribute("aria-label", root)
    expect(page.get_by_text("has the id")).not_to_contain_text("the id 18 and")


CHIPS = """(table) => [...table.querySelectorAll('tbody tr[data-row]')].map((row) => {
  const [chip] = row.querySelectorAll('.chip');
  const { backgroundColor, borderTopColor } = getComputedStyle(chip);
  return [chip.textContent, row.classList.contains('pale'), backgroundColor, borderTopColor];
})"""
GRID_CHIPS = """(root) => Object.fromEntries([...root.querySelectorAll('.chip')].map((chip) => {
  const { backgroundColor, borderTopColor } = getComputedStyle(chip);
  return [chip.textContent, [backgroundColor, borderTopColor]];
}))"""


def test_tokens_of_the_table_are_the_chips_of_the_pages_and_its_keys_choose(page: Page) -> None:
    enter(page, "/vocabulary")
    table = page.get_by_test_id("chip-table").first
    drawn = table.evaluate(CHIPS)
    assert drawn[0][:2] == ["widest</w>", False]
    assert drawn[1][:2] == ["wid", True]
    assert {fill == "rgba(0, 0, 0, 0)" for _, pale, fill, _ in drawn if pale} == {True}
    rows = table.locator("tbody tr[data-row]")
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("has the id 21 and")).to_be_visible()
    table.get_by_role("button", name="length").click()
    expect(table.get_by_role("columnheader", name="length")).to_have_attribute("aria-sort", "descending")
    assert table.evaluate(CHIPS)[0][0] in ("newest</w>", "widest</w>")
    table.get_by_role("button", name="length").click()
    assert table.evaluate(CHIPS)[0][0] in {"</w>", *"lowernstid"}  # an initial symbol
    enter(page, "/")  # the same token has the same colours beside the grid
    beside = page.get_by_test_id("pair-table").evaluate(GRID_CHIPS)
    fills = {label: [fill, edge] for label, pale, fill, edge in drawn if not pale}
    both = beside.keys() & fills.keys()
    assert not both or all(beside[label] == fills[label] for label in both)


def test_a_long_token_ends_in_three_dots_inside_its_chip(page: Page) -> None:
    enter(page, "/vocabulary")
    page.get_by_test_id("merges-from").click()
    page.locator(".st-key-field_corpus_text textarea").fill("Donaudampfschifffahrtsgesellschaftskapitän " * 3)
    page.locator(".st-key-field_corpus_text textarea").press("Control+Enter")
    chip = page.get_by_test_id("chip-table").first.locator("td .chip", has_text="Donaudampfschiff").first
    expect(chip).to_be_visible()
    read = """chip => [getComputedStyle(chip).textOverflow, chip.scrollWidth > chip.clientWidth,
      chip.closest('td').getBoundingClientRect().right - chip.getBoundingClientRect().right]"""
    dots, is_cut, room = chip.evaluate(read)
    assert (dots, is_cut) == ("ellipsis", True)
    assert room >= 0


def test_a_deep_tree_is_whole_on_a_laptop(page: Page) -> None:
    enter(page, "/vocabulary?corpus_source=paste")
    page.get_by_test_id("merges-from").click()
    page.get_by_test_id("training-text").fill("lectures questions " * 2)
    root = page.get_by_test_id("merge-tree").get_by_role("treeitem").first
    expect(root).to_have_attribute("aria-label", re.compile("^questions</w>"))
    cut = "(tree) => { const it = tree.querySelector('.scroll'); return it.scrollWidth - it.clientWidth; }"
    assert page.get_by_test_id("merge-tree").evaluate(cut) == 0
    expect(page.get_by_test_id("merge-tree").locator(".letter small").first).to_be_hidden()


def test_tokens_built_from_a_token_lead_on(page: Page) -> None:
    number = TRACE.id_of(b"es")
    enter(page, f"/vocabulary?token={number}")
    page.locator("[data-testid=merge-tree] .built .chip").first.click()
    expect(page.get_by_text(f"has the id {TRACE.id_of(b'est')} and")).to_be_visible()


def test_the_link_holds_search_and_token(page: Page) -> None:
    enter(page, "/vocabulary")
    field = page.locator(".st-key-vocabulary_find input")
    field.fill("est")
    field.press("Enter")
    expect(page).to_have_url(re.compile("#typed="))
    ready(page)
    page.reload()
    ready(page)
    expect(field).to_have_value("est")
    expect(page.get_by_text(re.compile(r"^4 of 23 tokens"))).to_be_visible()


def test_a_long_vocabulary_is_paged(page: Page) -> None:
    """Newest first: the second page begins where the first one ended, and a row chosen there is that token."""
    enter(page, "/vocabulary?corpus_sample=story&preset=none&variant=bytes&merges=1500")
    output = page.get_by_text(re.compile(r"^[\d,]+ of [\d,]+ tokens occur")).inner_text()
    total = int(output.split()[2].replace(",", ""))
    assert total > 1_000
    page.locator("[class*=st-key-vocabulary_page]").get_by_role("button", name="Page 2", exact=True).click()
    expect(page.get_by_text(f"Rows 1,001 to {min(total, 2_000):,} of {total:,}.")).to_be_visible()
    ready(page)
    row = page.get_by_test_id("chip-table").first.locator("tbody tr[data-row='0']")
    # Exactly this id: that of the first page's first row may end with the same digits.
    expect(row.locator("td").first).to_have_text(f"{total - 1_001:,}")
    row.click()
    expect(page.get_by_text(f"has the id {total - 1_001:,} and")).to_be_visible()


# Export tokenizer in Chromium: the files that the pages save are those of the core, and a refusal says why.

EXPORT_SAMPLE = "low-lower-newest-widest"
BYTES = "hf-bytelevel"


def test_a_page_saves_the_tokenizer_at_its_step(page: Page) -> None:
    enter(page, f"/vocabulary?corpus_sample={EXPORT_SAMPLE}&preset={BYTES}&merges=4&step=4")
    take_away(page, "Tokenizer")
    trace = bpe.train(from_sample(EXPORT_SAMPLE).training_text, merges=4, **bpe.PRESETS[BYTES].settings)
    with page.expect_download() as download:
        page.locator(".st-key-export_tokenizer-json button").click()
    assert download.value.suggested_filename == "tokenizer.json"
    assert download.value.path().read_bytes() == FORMATS["tokenizer-json"].trace_content(trace, 4)


def test_a_file_is_saved_by_a_key_at_its_address_or_else_by_streamlit(page: Page) -> None:
    enter(page, "/vocabulary")
    button = page.get_by_role("button", name=re.compile("Download all"))
    for key in ("Enter", "Space", "Enter"):
        button.focus()
        with page.expect_download() as download, page.expect_request("**/mbm/file/**"):
            page.keyboard.press(key)
        assert download.value.suggested_filename == "vocabulary.csv"
        assert "newest" in download.value.path().read_text("utf-8")
        if key == "Space":  # from now on, something else answers at the address
            expect(button).to_be_focused()
            page.route("**/mbm/file/**", lambda route: route.fulfill(status=200, body=""))
