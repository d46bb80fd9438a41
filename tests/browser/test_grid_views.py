"""The grid for a lecture hall, on a phone, without motion, in lanes, in a window, and over reruns."""

import json
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

import bpe
from harness.app_server import AppServer
from harness.chromium import grid, ready
from tests import ROOT
from tests.browser.conftest import NewPage
from tests.browser.grid_page import (
    LONG,
    WORDS,
    follow,
    followed,
    guess,
    jump,
    open_view,
    plays_to,
    press,
    show,
    words_drawn,
)

TEXT = "low lower newest widest newest low"


def test_no_motion_where_none_is_wanted(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS}, reduced_motion="reduce")
    follow(page)
    press(page, "ArrowRight")
    expect(grid(page)).to_have_attribute("data-step", "1")
    moving = "(root) => root.getRootNode().getAnimations({subtree: true}).length"
    assert grid(page).evaluate(moving) == 0
    assert [(beat.step, beat.beat) for beat in followed(page)] == [(1, "rest")]


def test_the_switch_stops_motion_and_is_kept(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS})
    open_view(page)
    page.get_by_test_id("option-motion").uncheck()
    follow(page)
    press(page, "ArrowRight")
    assert [(beat.step, beat.beat) for beat in followed(page)] == [(1, "rest")]
    page.reload()
    ready(page)
    expect(page.get_by_test_id("option-motion")).not_to_be_checked()


def test_tap_and_swipe(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS}, width=390, height=800, has_touch=True)
    viewport = grid(page).get_by_test_id("viewport")
    box = viewport.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + 80, box["y"] + 25)
    expect(grid(page).get_by_test_id("token-details")).to_be_visible()
    for start, end, step in ((300, 100, "1"), (100, 300, "0")):
        viewport.evaluate(
            """(element, [start, end]) => {
              const at = (kind, x) => element.dispatchEvent(new PointerEvent(kind, {
                pointerType: 'touch', clientX: x, clientY: 300, bubbles: true, composed: true,
              }));
              at('pointerdown', start);
              at('pointerup', end);
            }""",
            [start, end],
        )
        expect(grid(page)).to_have_attribute("data-step", step)

    # Between the two taps of a prediction the first token is marked, and the grid does not move.
    guess(page)
    expect(page.get_by_test_id("answer")).to_contain_text("Choose two neighbouring tokens")
    box = viewport.bounding_box()
    assert box
    x, y = box["x"] + 60, box["y"] + 5
    before = page.screenshot(clip={"x": x, "y": y, "width": 60, "height": 40})
    page.touchscreen.tap(box["x"] + 80, box["y"] + 25)
    expect(page.get_by_test_id("answer")).to_have_text("And which neighbour does it merge with?")
    assert viewport.bounding_box() == box
    assert page.screenshot(clip={"x": x, "y": y, "width": 60, "height": 40}) != before


def test_lanes_share_a_playhead_and_mark_what_differs(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"text": TEXT, "rules": "first,pair-max", "step": 2})
    first, second = grid(page, 0), grid(page, 1)
    for lane in (first, second):
        expect(lane).to_have_attribute("data-step", "2")
    assert page.get_by_test_id("transport").count() == 1
    expect(page.get_by_test_id("lane-stage").get_by_test_id("transport")).to_be_visible()
    press(page, "ArrowRight")
    for lane, rule in ((first, "first"), (second, "pair-max")):
        expect(lane).to_have_attribute("data-step", "3")
        tokens = bpe.train(TEXT, variant="char-eow", tie_break=rule, merges=12).segment(TEXT, 3)
        expect(lane).to_have_attribute("data-tokens", str(len(tokens)))
    expect(page.get_by_text("python step 3", exact=True)).to_be_visible()


def test_a_long_text_is_shown_in_a_window_that_moves(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"english": 5000, "window": 1000, "merges": 50, "step": 7})
    window = grid(page).get_by_test_id("window")
    text = (json.loads((ROOT / "tests/golden/texts.json").read_text("utf-8"))["apache"])[:5000]
    expect(window).to_contain_text("showing characters 0–1,0")
    words = words_drawn(page)
    normalise = bpe.VARIANTS["char-eow"].normalise
    assert normalise(text).startswith(grid(page).get_attribute("data-text") or "?")
    window.get_by_role("button", name="later").click()
    expect(window).to_contain_text("of 5,000")
    expect(window).not_to_contain_text("characters 0–")
    moved = grid(page).get_attribute("data-text") or "?"
    assert moved in normalise(text)
    assert not normalise(text).startswith(moved)
    expect(grid(page)).to_have_attribute("data-step", "7")
    assert words_drawn(page) != words
    assert words_drawn(page)[0] == moved[0]

    # Keys move the slider, which keeps the focus; they move no merge.
    slider = window.get_by_role("slider")
    for key, shown in (
        ("Home", "characters 0–"),
        ("ArrowRight", "characters 5"),
        ("ArrowRight", "characters 1,0"),
    ):
        slider.press(key)
        expect(window).to_contain_text(shown)
        expect(slider).to_be_focused()
    expect(grid(page)).to_have_attribute("data-step", "7")


def test_another_view_is_told_in_words_too(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"text": TEXT, "step": 0})
    open_view(page)
    view = page.get_by_test_id("option-view")
    for visible, count in (("text", 6), ("words", 4)):
        view.select_option(visible)
        assert words_drawn(page).count("|") == count - 1


def test_the_element_is_kept_and_the_feed_sent_once(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"english": 10_000, "merges": 500, "step": 10})
    grid(page).evaluate("(root) => { root.mine = true; }")
    press(page, "ArrowRight")
    expect(page.get_by_text("python step 11", exact=True)).to_be_visible()
    before = page.evaluate("() => notes.bytes")
    for _ in range(3):
        page.get_by_role("button", name="rerun").click()
        ready(page)
    assert grid(page).evaluate("(root) => root.mine")
    assert 0 < page.evaluate("() => notes.bytes") - before < 3 * 10_000
    expect(grid(page)).to_have_attribute("data-step", "11")


def test_nothing_is_said_to_the_server_while_playing(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, LONG)
    page.get_by_test_id("speed").select_option(label="12/s")
    page.evaluate("() => document.activeElement?.blur()")
    ready(page)
    before = page.evaluate("() => notes.messages")
    follow(page)
    press(page, "Space")
    plays_to(page, 12)
    assert page.evaluate("() => notes.messages") == before
    press(page, "Space")
    expect(grid(page)).to_have_attribute("data-playing", "false")
    step = grid(page).get_attribute("data-step")
    expect(page.get_by_text(f"python step {step}", exact=True)).to_be_visible()
    assert page.evaluate("() => notes.messages") > before


def test_keys_go_to_the_group_that_was_touched_last(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1, "apart": 1, "rules": "first,last"})
    first, second = grid(page, 0), grid(page, 1)
    press(page, "ArrowRight")
    expect(first).to_have_attribute("data-step", "2")
    expect(second).to_have_attribute("data-step", "1")
    second.get_by_test_id("viewport").click(position={"x": 5, "y": 5})
    press(page, "ArrowRight", "ArrowRight")
    expect(first).to_have_attribute("data-step", "2")
    expect(second).to_have_attribute("data-step", "3")


def test_a_ruler_beside_a_long_text_shows_where_the_next_merge_strikes(
    new_page: NewPage, grids: AppServer
) -> None:
    page = show(new_page, grids, {"english": 4_000, "merges": 20, "step": 9})
    ruler = grid(page).get_by_test_id("ruler")
    viewport = grid(page).get_by_test_id("viewport").bounding_box()
    box = ruler.bounding_box()
    assert box
    assert viewport
    assert round(box["height"]) == round(viewport["height"])
    painted = "(canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data"
    assert ruler.evaluate(f"(canvas) => ({painted})(canvas).some((value) => value > 0)")


# Every layer is as high as the viewport, which is higher than it was.
FILLED = """([viewport, before]) => {
  const height = Math.round(viewport.getBoundingClientRect().height);
  return height > before && [...viewport.querySelectorAll('canvas.layer')].every((one) => one.clientHeight === height);
}"""


@pytest.mark.parametrize("drawing", ["chips", "cells"])
def test_a_window_that_only_grows_higher_shows_more(
    new_page: NewPage, grids: AppServer, drawing: str
) -> None:
    page = show(new_page, grids, {"english": 1_400, "merges": 20, "step": 9}, height=600)
    open_view(page)
    page.get_by_test_id("option-drawing").select_option(drawing)
    viewport = grid(page).get_by_test_id("viewport")
    before = viewport.bounding_box()
    assert before
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function(FILLED, arg=[viewport.element_handle(), before["height"]])
    painted = """(canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, canvas.height - 60, canvas.width, 60);
      return data.some((value) => value > 0);
    }"""
    if drawing == "cells":
        assert viewport.locator("canvas.cells").evaluate(painted)


# The height of the letters, and the number of lines.
LETTERS_AND_LINES = """() => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get('grid');
  const [{ layouts }] = lanes;
  const { metrics, line } = layouts[0];
  return [metrics.size, new Set(line).size];
}"""


@pytest.mark.parametrize(
    ("word", "width", "lines"),
    [
        ("strawberry", 390, 1),
        ("Chandrasekhar", 390, 1),
        ("internationalization", 820, 1),
        ("Pneumono" * 6, 390, 0),
    ],
)
def test_a_long_word_is_broken_only_where_it_fits_in_no_size_and_is_never_the_largest(
    new_page: NewPage, grids: AppServer, word: str, width: int, lines: int
) -> None:
    page = show(new_page, grids, {"text": word}, width=width, height=844)
    letters, in_lines = page.evaluate(LETTERS_AND_LINES)
    if lines:
        assert in_lines == lines
    else:
        assert in_lines > 1
        assert letters <= 26


# Right-to-left words in a browser: tokens stay in one piece, digits within them run from left to right.

YEARS = "בשנת2024 בשנת2024 2024 2024 בשנת19,8 19,8 19,8 19,8 19,8"  # the digits are whole before a letter joins them

# Of the running text: the position of each cell, and for each token [low, high] with whether its ends have borders.
PLACED = """(root) => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get('grid');
  const lane = [...lanes].find((one) => one.root === root);
  const layout = lane.layouts.find((one) => !one.cells.distinct);
  const { cells: row, x, w } = layout;
  const boxes = [...root.querySelectorAll('.box')].slice(-row.size).map((box) => box.style);
  const tokens = [];
  for (let start = 0, end = 0; start < row.size; start = end) {
    for (end = start; row.close[end] < lane.step; end++);
    end += 1;
    const cells = [...Array(end - start).keys()].map((at) => start + at).sort((a, b) => x[a] - x[b]);
    const inner = cells.slice(1).every((cell, at) => Math.abs(x[cells[at]] + w[cells[at]] - x[cell]) < 0.1);
    const border = (cell, side) => !boxes.length || boxes[cell][`border${side}Width`] !== '0px';
    const bordered = border(cells[0], 'Left') && border(cells.at(-1), 'Right');
    const whole = boxes.length ? inner : true;
    const high = x[cells.at(-1)] + w[cells.at(-1)];
    tokens.push({ low: x[cells[0]], high, bordered, whole, line: layout.line[start] });
  }
  return { x: [...x], tokens };
}"""


# Each drawing once: tests/js lays out more words, of more variants, without a browser.
@pytest.mark.parametrize(("variant", "drawing"), [("bytes-gpt2", "chips"), ("char-underscore", "cells")])
def test_digits_in_a_right_to_left_word_run_from_left_to_right(
    new_page: NewPage, grids: AppServer, variant: str, drawing: str
) -> None:
    trace = bpe.train(YEARS, variant=variant, merges=14)
    page = show(new_page, grids, {"text": YEARS, "variant": variant, "merges": 14})
    open_view(page)
    page.get_by_test_id("option-view").select_option("text")
    page.get_by_test_id("option-drawing").select_option(drawing)
    symbols = trace.segment(YEARS, 0)
    digits = [number for number, symbol in enumerate(symbols) if symbol.isdigit()]
    letters = [number for number, symbol in enumerate(symbols) if symbol >= b"\xd7" and symbol < b"\xd8"]
    for step in (0, 3, len(trace.steps)):
        jump(page, step)
        placed = grid(page).evaluate(PLACED)
        x = placed["x"]
        assert [n for n in digits if n + 1 in digits and x[n] > x[n + 1]] == []
        assert [n for n in letters if n + 1 in letters and x[n] < x[n + 1]] == []
        tokens = sorted(placed["tokens"], key=lambda token: (token["line"], token["low"]))
        assert len(tokens) == len(trace.segment(YEARS, step))
        assert all(token["bordered"] and token["whole"] for token in tokens)
        for one, other in pairwise(tokens):
            assert one["line"] < other["line"] or one["high"] < other["low"] + 0.1


def test_a_token_of_a_letter_and_some_digits_stands_in_one_piece(new_page: NewPage, grids: AppServer) -> None:
    """Where a digit joins a letter before its neighbours, the whole word runs from right to left."""
    page = show(new_page, grids, {"text": "ת2 ת2 ת2 ת24", "variant": "char-underscore", "merges": 2})
    open_view(page)
    page.get_by_test_id("option-view").select_option("text")
    for step in (0, 2):
        jump(page, step)
        assert all(token["whole"] and token["bordered"] for token in grid(page).evaluate(PLACED)["tokens"])


# Pointing at the grid: a card describes the token, and rows and tokens highlight each other.


def tree(page: Page) -> Locator:
    return grid(page).get_by_role("tree")


def test_pointing_tells_a_token_and_unfolds_its_tree(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 12})
    viewport = grid(page).get_by_test_id("viewport")
    viewport.focus()
    page.keyboard.press("ArrowDown")
    details = grid(page).get_by_test_id("token-details")
    expect(details).to_contain_text("created by merge")
    expect(details).to_contain_text("occurs 5 times now")
    page.keyboard.press("Enter")
    expect(tree(page)).to_be_visible()
    expect(tree(page).get_by_role("treeitem")).to_have_count(7)
    page.keyboard.press("Escape")
    expect(details).to_be_hidden()
    viewport.click(position={"x": 75, "y": 25})
    expect(tree(page)).to_be_visible()
    press(page, "ArrowLeft")
    expect(details).to_be_hidden()


def test_the_first_visit_says_what_the_empty_box_is(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS})
    legend = grid(page).get_by_test_id("marker-legend")
    expect(legend).to_have_text("</w> ends a word: </w>")  # the first is for those who hear the box
    expect(legend.locator(".chip.marker")).to_be_visible()
    page.reload()
    ready(page)
    expect(legend).to_be_visible()  # the visit goes on
    press(page, "p")
    expect(legend).to_be_hidden()
    page.evaluate("() => sessionStorage.clear()")  # as in another tab
    page.reload()
    ready(page)
    expect(grid(page)).to_have_attribute("data-step", "0")
    expect(legend).to_be_hidden()


def test_the_card_of_the_empty_box_names_it(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS})
    viewport = grid(page).get_by_test_id("viewport")
    viewport.focus()
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    details = grid(page).get_by_test_id("token-details")
    expect(details).to_contain_text("</w>, end of word")
    page.keyboard.press("Enter")
    expect(details.locator(".chip")).to_have_count(1)  # it has no tree to show
    expect(details).to_contain_text("</w>, end of word")
    pick = grid(page).get_by_test_id("pick").filter(has_text="t +")
    expect(pick.locator(".tab")).to_have_count(1)
    expect(pick).to_have_accessible_name("Pick t + </w> instead")


def test_a_card_closes_when_one_scrolls_unless_it_was_asked_for(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 12})
    viewport = grid(page).get_by_test_id("viewport")
    details = grid(page).get_by_test_id("token-details")
    viewport.hover(position={"x": 75, "y": 25})
    expect(details).to_be_visible()
    page.mouse.wheel(0, 20)
    expect(details).to_be_hidden()
    expect(grid(page)).to_have_class("grid")
    viewport.click(position={"x": 75, "y": 25})
    page.mouse.wheel(0, 20)
    page.wait_for_timeout(100)
    expect(tree(page)).to_be_visible()


def test_rows_and_tokens_light_each_other(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1, "pairs": 1})
    page.get_by_test_id("pair-table").locator("tbody tr").nth(2).hover()
    expect(grid(page)).to_have_class("grid lighting")
    page.mouse.move(2, 2)
    expect(grid(page)).to_have_class("grid")
    grid(page).get_by_test_id("viewport").hover(position={"x": 75, "y": 25})
    expect(page.get_by_test_id("pair-table").locator("tr.lit")).not_to_have_count(0)


def test_at_the_last_merge_the_table_shows_the_vocabulary(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"text": "ab ab", "merges": 9, "pairs": 1, "step": 2})
    table = page.get_by_test_id("pair-table")
    expect(table).to_contain_text("No pairs are left: every word is one token.")
    tokens = table.get_by_test_id("vocabulary")
    expect(tokens).to_contain_text("The vocabulary: 5 tokens")
    expect(tokens.locator(".chip")).to_have_count(5)
    expect(tokens.locator(".chip.unused")).to_have_count(4)
    expect(tokens.locator(".chip").first).to_have_text("ab</w>")
    press(page, "ArrowLeft")
    expect(table.locator("tbody tr")).to_have_count(1)
    expect(tokens).to_be_hidden()
