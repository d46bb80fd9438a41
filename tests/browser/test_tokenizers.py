"""The page Tokenizers in a browser: a name is typed, and a row for each published tokenizer says how it reads it."""

from itertools import accumulate

import pytest
from playwright.sync_api import Page, expect

from harness.chromium import enter, ready
from published.packing import open_published
from published.rows import PUBLISHED
from tests.browser.conftest import NewPage

NAME = "Zażółć gęślą jaźń 😊"


def type_text(page: Page, text: str) -> None:
    """Type as a visitor does, who stays in the field."""
    page.get_by_test_id("page-text").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def row_of(page: Page, slug: str) -> tuple[int, list[int]]:
    row = page.get_by_test_id(f"split-{slug}")
    ends = str(row.get_attribute("data-ends"))
    return int(str(row.get_attribute("data-count"))), [int(end) for end in ends.split(",") if end]


def wider(page: Page) -> int:
    main = "document.querySelector('[data-testid=stMain]')"
    return int(page.evaluate(f"() => {main}.scrollWidth - {main}.clientWidth"))


def test_a_name_is_typed_and_each_row_says_how_its_tokenizer_reads_it(new_page: NewPage) -> None:
    page = new_page(width=1280, height=800)
    enter(page, "/tokenizers")
    for slug in PUBLISHED:
        page.get_by_test_id(f"split-{slug}").wait_for(timeout=60_000)
    type_text(page, NAME)
    counts = {}
    for slug in ("gpt-4o", "gpt-2", "mistral-7b"):
        tokenizer = open_published(slug).tokenizer
        counts[slug] = len(tokenizer.encode(NAME))
        expect(page.get_by_test_id(f"split-{slug}")).to_have_attribute(
            "data-count", str(counts[slug]), timeout=60_000
        )
        sizes = [len(token) for token in tokenizer.tokens(NAME)]
        if slug != "mistral-7b":  # whose tokens spell a space as ▁
            assert row_of(page, slug) == (counts[slug], [*accumulate(sizes)])
    sentence = page.get_by_test_id("splits-sentence")
    expect(sentence).to_contain_text(f"{counts['gpt-4o']} tokens for GPT-4o")
    shown = page.locator("[data-testid^=split-]:not([data-testid=split-note])")
    numbers = [int(str(row.get_attribute("data-count"))) for row in shown.all()]
    assert len(numbers) == len(PUBLISHED)
    assert numbers == sorted(numbers)
    for width in (1024, 390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        ready(page)
        assert wider(page) <= 0, width
    # By keyboard: from chip to chip, each of which says what it is.
    page.set_viewport_size({"width": 1280, "height": 800})
    ready(page)
    first = page.locator("[data-testid^=split-] .chip[tabindex='0']")
    first.focus()
    said = page.get_by_test_id("split-note")
    expect(said).to_contain_text("id ")
    before = said.inner_text()
    page.keyboard.press("ArrowRight")
    assert said.inner_text() != before
    page.keyboard.press("ArrowDown")
    assert said.inner_text().split(" · ")[-1] != before.split(" · ")[-1]
    page.get_by_test_id("show-ids").click()
    expect(page.locator("[data-testid=split-gpt-4o] .id").first).to_be_visible()
    page.get_by_test_id("beside-gpt-2").click()
    page.wait_for_url("**/compare**")
    ready(page)
    expect(page.get_by_test_id("your-text")).to_have_value(NAME)


def test_old_links_to_languages_lead_to_the_page(new_page: NewPage) -> None:
    page = new_page(width=1280, height=800)
    page.goto("/languages?by=gpt-2&measure=fertility")
    ready(page)
    page.wait_for_url("**/tokenizers?**")
    expect(page.get_by_test_id("page-text")).to_be_visible()
    expect(page.locator(".st-key-measured_by")).to_contain_text("GPT-2", timeout=60_000)
    expect(page.locator(".st-key-measured_by")).not_to_contain_text("Qwen")


@pytest.mark.parametrize("text", ["<b>bold</b><img src=x onerror=alert(1)>", "مرحبا يا عالم", "a\n\n\tb"])
def test_hostile_texts_are_letters_in_chips(new_page: NewPage, text: str) -> None:
    page = new_page(width=1280, height=800)
    enter(page, "/tokenizers")
    page.get_by_test_id("split-gpt-4o").wait_for(timeout=60_000)
    type_text(page, text)
    count = len(open_published("gpt-4o").tokenizer.encode(text))
    expect(page.get_by_test_id("split-gpt-4o")).to_have_attribute("data-count", str(count), timeout=60_000)
    assert page.locator("[data-testid=splits] :is(img, b:not(.what, .head b))").count() == 0


SENTENCE = "The committee postponed its decision because nobody could explain the unusual numbers."
LEAST_LETTERS = 34  # px: what the last row of a hall reads
# All rows in sight are whole.
WHOLE = """(root) => root.scrollHeight <= root.clientHeight + 1 && root.scrollWidth <= root.clientWidth + 1
  && [...root.querySelectorAll('.row:not([hidden]) .chips')].every((one) => one.scrollWidth <= one.clientWidth + 1)"""


def test_a_sentence_on_stage_has_letters_for_a_hall_and_a_key_shows_the_other_rows(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    enter(page, "/tokenizers")
    type_text(page, SENTENCE)
    for slug, row in PUBLISHED.items():
        count = len(open_published(slug).tokenizer.encode(SENTENCE))
        shown = page.get_by_test_id(f"split-{slug}")
        expect(shown, row.name).to_have_attribute("data-count", str(count), timeout=60_000)
    ready(page)
    page.keyboard.press("Escape")
    page.get_by_test_id("page-text").evaluate("(field) => field.blur()")
    page.keyboard.press("p")
    root = page.get_by_test_id("splits")
    others = page.get_by_test_id("other-rows")
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        ready(page)
        seen: set[str] = set()
        for _ in PUBLISHED:
            rows = page.locator("[data-testid^=split-][data-count]:visible")
            here = {str(row.get_attribute("data-testid")) for row in rows.all()}
            size = rows.first.locator(".chip").first.evaluate("(chip) => getComputedStyle(chip).fontSize")
            assert float(size.removesuffix("px")) >= LEAST_LETTERS
            assert root.evaluate(WHOLE)
            if not here - seen:
                break
            seen |= here
            page.keyboard.press("PageDown")
        assert seen == {f"split-{slug}" for slug in PUBLISHED}
    expect(others).to_be_hidden()  # all rows are in sight
