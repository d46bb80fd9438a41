"""The stage of Compare in a browser: rows that all lanes share, and the presenter view of two to six lanes."""

import re
from typing import Any, cast

import pytest
from playwright.sync_api import Page, expect

from harness.chromium import enter, grid, ready, wider
from tests.browser.conftest import NewPage
from tests.browser.grid_page import press

WORDS = "/compare?corpus_sample=low-lower-newest-widest&lanes="
TRAINERS = "hf-bytelevel~subword-nmt~minbpe-regex~tiktoken-educational~sentencepiece~cs336"
EIGHT = f"{TRAINERS}~first~pair-max"
FOUR_RULES = "first~last~ids-min~pair-max"

# The top of every lane's words at every beat of every step.
TOPS = """() => {
  const { playhead, lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get('compare');
  const tops = new Set();
  for (let step = 0; step <= playhead.last(); step++) {
    playhead.seek(step);
    for (const beat of ['rest', 'guess', 'count', 'select', 'settle']) {
      playhead.beat = beat;
      playhead.tell();
      for (const { root } of lanes) tops.add(Math.round(root.querySelector('.card').getBoundingClientRect().top));
    }
  }
  return [...tops];
}"""

# The presenter view: boxes of its parts, its smallest type, words that are cut or broken.
STAGE = """() => {
  const { lanes, stage } = globalThis[Symbol.for('merge-by-merge')].groups.get('compare');
  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  };
  const types = [];
  const texts = document.createTreeWalker(stage.root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { parentElement: element } = node;
    const { width, height } = element.getBoundingClientRect();
    if (!node.data.replace(/[_▁]/, '').trim() || width < 2 || height < 2 || element.tagName === 'OPTION') continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    types.push([parseFloat(getComputedStyle(element).fontSize), node.data]);
  }
  const broken = ({ cells: { words, firstCell: at }, line }) =>
    words.filter((_, n) => line[at[n]] !== line[at[n + 1] - 1]).length;
  return {
    stage: box(stage.root),
    transport: box(stage.slotNow().querySelector('[data-testid=transport]')),
    cards: [...lanes].map(({ root }) => box(root.querySelector('.viewport'))),
    names: [...lanes].map(({ root }) => parseFloat(getComputedStyle(root.querySelector('h3')).fontSize)),
    cut: [...lanes].map(({ root }) => root.querySelector('.viewport')).map((it) => it.scrollWidth - it.clientWidth),
    broken: [...lanes].flatMap(({ layouts }) => layouts.map(broken)),
    smallest: types.sort((one, other) => one[0] - other[0])[0],
  };
}"""


# Makes the next merge at once.
STEP = """() => {
  const { playhead } = globalThis[Symbol.for('merge-by-merge')].groups.get('compare');
  playhead.seek(playhead.step + 1);
}"""


def opened(new_page: NewPage, lanes: str, **how: Any) -> Page:
    """Open the textbook's words under these lanes and wait until they are drawn."""
    page = new_page(**how)
    enter(page, f"{WORDS}{lanes}")
    expect(page.get_by_test_id("token-grid")).to_have_count(lanes.count("~") + 1)
    expect(page.get_by_test_id("lanes").get_by_test_id("token-grid")).to_have_count(lanes.count("~") + 1)
    return page


def presented(page: Page, width: int, height: int) -> dict[str, Any]:
    """Return what the presenter view of this size is made of."""
    page.set_viewport_size({"width": width, "height": height})
    ready(page)
    return cast("dict[str, Any]", page.evaluate(STAGE))


@pytest.mark.parametrize("lanes", ["first~pair-max", FOUR_RULES])
def test_the_presenter_view_shows_every_lane_large(lanes: str, new_page: NewPage) -> None:
    page = opened(new_page, lanes)
    count = lanes.count("~") + 1
    press(page, "Home", "p")
    for width, height in ((1280, 720), (1920, 1080), (1024, 768)):
        view = presented(page, width, height)
        assert view["stage"] == {"x": 0, "y": 0, "width": width, "height": height}
        assert view["smallest"][0] >= 0.02 * height, view["smallest"]
        in_table = count >= 3  # a row for each lane
        name = min(max(0.023 * height, 0.0155 * width), 0.044 * height) if in_table else 0.022 * width
        assert view["names"] == pytest.approx([name] * count, abs=0.1)
        assert not any(view["broken"])
        assert width < 1280 or not any(view["cut"])
        for card in view["cards"]:
            assert card["height"] > (0.5 / count if in_table else 0.15) * height
            assert card["y"] + card["height"] <= height
        assert view["transport"]["y"] + view["transport"]["height"] <= height
        rows = {round(card["y"]) for card in view["cards"]}
        assert len(rows) == (count if in_table else 1)
        verdict = page.get_by_test_id("stage-verdict")
        expect(verdict).to_be_hidden()  # it would give away what is to be guessed
        assert verdict.evaluate("(line) => line.scrollWidth <= line.clientWidth + 1")
        strip = page.get_by_test_id("lane-stage").get_by_test_id("strip")
        assert strip.is_visible() == (count < 4)
        expect(page.get_by_test_id("viewport").first).to_be_visible()  # the words are equal, so they stay
    assert len(page.evaluate(TOPS)) == len(rows)


def test_the_answer_comes_after_the_last_merge_in_words_of_the_lesson(new_page: NewPage) -> None:
    page = new_page(height=720)
    enter(page, "/compare?corpus_sample=nowhere&lanes=first~last")
    line = page.get_by_test_id("stage-verdict")
    expect(line).to_be_attached()
    press(page, "Home", "p")
    expect(line).to_be_hidden()
    expect(line).to_have_text(re.compile("^“[^“”]*”.* split differently$"))
    for _ in range(int(grid(page).get_attribute("data-steps") or 0)):
        expect(line).to_be_hidden()
        page.evaluate(STEP)
    expect(line).to_be_visible()


@pytest.mark.parametrize(
    "lanes",
    [
        "subword-nmt~sentencepiece~hf-bytelevel",
        pytest.param(f"{FOUR_RULES}~pair-min", marks=pytest.mark.weekly),
    ],
)
def test_lanes_of_different_words_and_many_lanes_show_their_merges_on_stage(
    lanes: str, new_page: NewPage
) -> None:
    page = new_page(height=720)
    enter(page, f"/compare?corpus_sample=ties&lanes={lanes}")
    count = lanes.count("~") + 1
    strip = page.get_by_test_id("lane-stage").get_by_test_id("strip")
    viewports = page.get_by_test_id("viewport")
    expect(viewports).to_have_count(count)
    press(page, "Home", "p")
    expect(strip).to_be_visible()
    assert viewports.evaluate_all(
        "(all) => all.every((one) => getComputedStyle(one).visibility === 'hidden')"
    )
    press(page, "PageDown", "PageDown")
    cells = strip.locator(".column.now .cell")
    chips = strip.locator(".column.now .cell .chip")
    expect(chips).to_have_count(count)
    size = chips.first.evaluate("(chip) => parseFloat(getComputedStyle(chip).fontSize)")
    assert size >= 0.035 * 720
    rows = cells.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().y)")
    names = page.locator(".lane-stage .names .name").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().y)"
    )
    assert rows == pytest.approx(names, abs=3)
    press(page, "Escape")
    expect(page.get_by_test_id("strip")).to_be_visible()


def test_eight_lanes_begin_folded_and_are_two_beside_each_other_and_on_a_telephone_one(
    new_page: NewPage,
) -> None:
    page = opened(new_page, EIGHT)
    viewport = page.get_by_test_id("viewport").first
    button = page.get_by_test_id("fold-lanes")
    expect(button).to_have_text("Show the 8 lanes")
    expect(viewport).to_be_hidden()
    expect(page.get_by_test_id("transport")).to_be_visible()
    button.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(viewport).to_be_visible()
    button.click()
    expect(viewport).to_be_hidden()
    button.click()
    roots = page.get_by_test_id("token-grid")
    for width, height, columns in ((1280, 800, 2), (1024, 768, 2), (1900, 900, 3), (390, 844, 1)):
        page.set_viewport_size({"width": width, "height": height})
        ready(page)
        assert wider(page) == 0, width
        lefts = roots.evaluate_all("(all) => all.map((root) => Math.round(root.getBoundingClientRect().x))")
        assert len(set(lefts)) == columns, width
        names = roots.locator("h3").evaluate_all("(all) => all.map((h3) => h3.scrollWidth <= h3.clientWidth)")
        assert all(names), width
        if columns == 1:  # on a telephone the choices and the answer fill the first screen
            roots.first.locator("h3").scroll_into_view_if_needed()
        expect(page.get_by_test_id("transport")).to_be_in_viewport(ratio=1)
    assert len(page.evaluate(TOPS)) == 8  # the words are never pushed down
    press(page, "Home", "ArrowRight", "ArrowRight", "ArrowRight")
    assert roots.evaluate_all("(all) => all.map((root) => root.dataset.step)") == ["3"] * 8


def test_the_stage_shows_the_current_merge_of_a_long_strip_and_keeps_the_transport(new_page: NewPage) -> None:
    page = new_page()
    enter(page, "/compare?corpus_sample=story&merges=300&lanes=first~pair-max")
    first = page.get_by_test_id("divergence").get_attribute("data-rank") or ""
    assert int(first) > 12  # so far right that the strip scrolls
    expect(grid(page)).to_have_attribute("data-step", first)
    merge = page.get_by_test_id("strip").locator(".column.now")
    for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft", "p"):  # the strip need not scroll to show these merges
        press(page, key)
        ready(page)
        page.get_by_test_id("strip").scroll_into_view_if_needed()
        expect(merge).to_be_in_viewport(ratio=1)
    expect(merge).to_have_attribute("data-rank", str(int(first) - 3))
    assert page.get_by_test_id("lane-stage").get_by_test_id("strip").count() == 1
    expect(merge.locator(".cell")).to_have_text(["?", "?"])  # its pair is to be guessed
    expect(page.locator(".column:has(.cell.hidden) .chip")).to_have_count(0)
    press(page, "PageDown", "PageDown")  # count the pairs, select one
    expect(merge.locator(".cell .chip")).to_have_count(2)
    before = page.get_by_test_id("transport").bounding_box()
    page.emulate_media(color_scheme="dark")
    expect(grid(page)).to_have_attribute("data-theme", "dark")
    expect(page.get_by_test_id("lane-stage")).to_have_attribute("data-theme", "dark")
    assert page.get_by_test_id("transport").bounding_box() == before
    press(page, "Escape")
    expect(page.get_by_test_id("stage-verdict")).to_be_hidden()
    expect(page.get_by_test_id("strip")).to_be_visible()
    assert page.get_by_test_id("lane-stage").get_by_test_id("strip").count() == 0


def test_the_last_beat_shows_the_words_that_are_split_differently(new_page: NewPage) -> None:
    page = opened(new_page, "first~pair-max")
    words = page.get_by_test_id("split-words")
    expect(words).to_be_attached()  # the answer is computed after the lanes
    press(page, "Home", "w")
    expect(words).to_be_hidden()  # only in the presenter view
    press(page, "p", "w")
    expect(words).to_be_visible()
    expect(words).to_contain_text(
        "Every word is split the same way under both rules, but 1 of 17 words of a new text is not"
    )
    assert page.evaluate(STAGE)["stage"] == {"x": 0, "y": 0, "width": 1280, "height": 800}
    lanes = words.get_by_role("row").all()[1:]
    assert [lane.locator(".chip").all_inner_texts() for lane in lanes] == [
        ["t", "o", "w", "e", "r", "s", "</w>"],
        ["t", "ow", "e", "r", "s", "</w>"],
    ]
    sizes = words.locator(".chip").evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(sizes) > 0.04 * 800
    press(page, "PageDown")  # the first beat of the first merge
    expect(words).to_be_hidden()
    press(page, "End")
    expect(words).to_be_visible()
    press(page, "PageUp")
    expect(words).to_be_hidden()
    expect(grid(page)).to_have_attribute("data-step", "12")
    press(page, "PageDown")
    expect(words).to_be_visible()
    press(page, "?")
    expect(page.get_by_test_id("help").first).to_contain_text("the words that the lanes split differently")
