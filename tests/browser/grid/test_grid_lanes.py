"""Lanes of one group in a browser: differences are marked, even between variants with different cells."""

import re
from itertools import accumulate, pairwise

import pytest
from playwright.sync_api import Page, expect

import bpe
from tests.browser.app_server import AppServer
from tests.browser.chromium import enter, grid, ready
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import jump, open_view, show

TEXT = "low lower newest\nwidest été\u3000newest low lower été low" * 2
UNCOUNTED = re.compile(rb"[ \n\xfe\xff]|\xe3\x80\x80")  # white space and markers

# For every token of a lane's text, whether it is marked.
MARKED = """(root) => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get('grid');
  const lane = [...lanes].find((one) => one.root === root);
  const cells = lane.reading;
  const marked = [];
  for (let start = 0, end = 0; start < cells.size; start = end) {
    for (end = start; cells.close[end] < lane.step; end++);
    end += 1;
    marked.push(lane.visibleMarks.differs && lane.differsAt(cells, start, end));
  }
  return marked;
}"""


def stretches(tokens: list[bytes]) -> list[tuple[int, int]]:
    """Return the letters [from, to) of each token of the text."""
    counts = [1] * sum(map(len, tokens))
    for actual in UNCOUNTED.finditer(b"".join(tokens)):
        counts[slice(*actual.span())] = [0] * len(actual.group())
    letters = [0, *accumulate(counts)]
    ends = [0, *accumulate(map(len, tokens))]
    return [(letters[start], letters[end]) for start, end in pairwise(ends)]


def marked(page: Page, number: int) -> list[bool]:
    return list(map(bool, grid(page, number).evaluate(MARKED)))


def test_tokens_are_marked_where_another_variant_cuts_their_letters_otherwise(
    new_page: NewPage, grids: AppServer
) -> None:
    variants = ("char-eow", "bytes-gpt2")  # tests/js compares lanes of seven trainers
    traces = [bpe.train(TEXT, variant=slug, merges=14) for slug in variants]
    page = show(new_page, grids, {"text": TEXT, "variants": ",".join(variants), "merges": 14})
    actual: set[bool] = set()
    for step in (0, 5, 14):
        jump(page, step)
        cut = [stretches(trace.segment(TEXT, step)) for trace in traces]
        for number, tokens in enumerate(cut):
            others = set(cut[1 - number])
            expected = [token not in others and token[0] < token[1] for token in tokens]
            assert marked(page, number) == expected
            actual |= set(expected)
    assert actual == {True, False}


def test_lanes_of_two_variants_are_compared_in_a_window_that_has_moved(
    new_page: NewPage, grids: AppServer
) -> None:
    """One variant's window begins within a word, the other's at the next one."""
    size = next(n for n in range(90, 120) if (TEXT * 2)[n - 1 : n + 1].isalpha())
    asked = {"text": TEXT * 8, "variants": "bytes,char-eow", "merges": 10, "window": size, "step": 4}
    asked["rules"] = "first,pair-max"
    page = show(new_page, grids, asked)
    before = [marked(page, number) for number in (0, 1)]
    grid(page).get_by_test_id("window").get_by_role("button", name="later").click()
    page.wait_for_function(
        "() => [...globalThis[Symbol.for('merge-by-merge')].groups.get('grid').lanes]"
        ".every((lane) => lane.model.feed.text.start > 0)"
    )
    texts = [grid(page, number).get_attribute("data-text") or "" for number in (0, 1)]
    assert texts[0].split() != texts[1].split()  # the edges differ
    for number in (0, 1):
        now = marked(page, number)
        assert now != before[number]
        assert set(now) == {True, False}


def test_other_texts_are_not_compared(new_page: NewPage, grids: AppServer) -> None:
    asked = {"text": "low lower|newest", "variants": "char-eow,custom", "pattern": "[a-z]+", "merges": 4}
    page = show(new_page, grids, asked)
    assert True not in marked(page, 0) + marked(page, 1)


@pytest.mark.slow
def test_the_shapes_of_marks_are_explained_where_they_occur(new_page: NewPage, grids: AppServer) -> None:
    alone = show(new_page, grids, {"text": "aab aab aa", "variant": "bytes-gpt2", "merges": 1})
    open_view(alone)
    assert alone.get_by_test_id("shapes").inner_text().split("\n") == ["about to merge", "just created"]
    lanes = show(new_page, grids, {"text": "low lower lowest", "rules": "first,last", "merges": 5})
    open_view(lanes)
    assert lanes.get_by_test_id("shapes").inner_text().split("\n") == [
        "about to merge",
        "tied for it (dots where there are too many)",
        "just created",
        "split differently in another lane",
        "ties, as bars over the slider; grey if only the order was decided",
        "tied, and the merge uses up this place",
    ]


def tops(page: Page) -> set[int]:
    boxes = [viewport.bounding_box() for viewport in page.get_by_test_id("viewport").all()]
    return {round(box["y"]) for box in boxes if box}


@pytest.mark.slow
def test_lanes_stay_in_line_when_one_of_them_goes(new_page: NewPage) -> None:
    page = new_page(height=1500)
    enter(page, "/compare?corpus_sample=low-lower-newest-widest&lanes=first~last~pair-max~shortest")
    lanes = page.get_by_test_id("token-grid")
    expect(lanes).to_have_count(4)
    page.locator(".st-key-lanes input").first.press("Backspace")
    expect(lanes).to_have_count(3)
    page.keyboard.press("Escape")
    ready(page)
    assert len(tops(page)) == 1


@pytest.mark.slow
def test_a_lane_is_called_what_its_branch_is_renamed_to(new_page: NewPage) -> None:
    page = new_page()
    enter(page, "/compare?corpus_sample=low-lower-newest-widest&lanes=first~first_0.1")
    name = page.get_by_label("Name of the branch")
    name.fill("my own")
    name.press("Enter")
    expect(grid(page, 1).get_by_role("heading")).to_have_text("my own")
