"""The token grid in a browser: it draws the core's segmentations, and every control does what its name says."""

import random
import re
from itertools import accumulate, pairwise
from typing import NotRequired, TypedDict

import pytest
from playwright.sync_api import Page, expect

import bpe
from bpe.text.variants import Unit
from harness.app_server import AppServer
from harness.chromium import grid, ready
from tests.browser.conftest import NewPage
from tests.browser.grid_page import (
    LONG,
    WORDS,
    at,
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
from tests.material.texts import SENTENCES
from tests.waiting import until


class Recipe(TypedDict):
    """Settings of a training, as in the page's address."""

    variant: str
    pattern: NotRequired[str]
    unit: NotRequired[Unit]


# One variant with a marker, and one whose pre-tokens leave out much of the text. tests/film proves the feed of every
# variant, tests/js what the browser computes of it.
RECIPES = {
    "char-eow": Recipe(variant="char-eow"),
    "custom in bytes": Recipe(variant="custom", pattern=r" ?\p{L}+", unit="bytes"),
}
SCRIPTS = "<img src=x onerror=alert(1)> <script>alert(2)</script> <b>b</b> <img src=x onerror=alert(1)>"


def words_of_the_core(trace: bpe.Trace, text: str, k: int) -> str:
    cut = dict(zip(trace.pre_tokens, (word for word, _ in trace.words_at(k)), strict=True))
    words = [" ".join(map(trace.variant.label, cut[pre_token])) for pre_token in trace.variant.split(text)]
    return " | ".join(words)


@pytest.mark.parametrize("name", RECIPES)
def test_frames_are_the_cores_at_random_steps(new_page: NewPage, grids: AppServer, name: str) -> None:
    text, recipe = SENTENCES[:700], RECIPES[name]
    trace = bpe.train(text, merges=150, **recipe)
    page = show(new_page, grids, {"text": text, "merges": 150, **recipe})
    last = len(trace.steps)
    for k in [0, last, *random.Random(name).sample(range(1, last), 2)]:
        jump(page, k)
        assert words_drawn(page) == words_of_the_core(trace, text, k)
        assert grid(page).get_attribute("data-text") == trace.variant.normalise(text)
        assert grid(page).get_attribute("data-tokens") == str(len(trace.segment(text, k)))
        if k < last:
            assert grid(page).get_attribute("data-tied") == str(trace.steps[k].tied)
    assert grid(page).get_attribute("data-steps") == str(last)


@pytest.mark.parametrize("drawing", ["chips", "cells"])
def test_stepping_to_and_fro_draws_the_same_frames(new_page: NewPage, grids: AppServer, drawing: str) -> None:
    page = show(new_page, grids, {"rows": WORDS, "merges": 8})
    open_view(page)
    page.get_by_test_id("option-drawing").select_option(drawing)
    page.get_by_test_id("speed").select_option(label="4×")
    expect(grid(page)).to_have_attribute("data-drawing", drawing)
    frames = [words_drawn(page)]
    for k in range(1, 4):
        press(page, "ArrowRight")
        at(page, k)
        frames.append(words_drawn(page))
    before = drawing_now(page)
    for k in reversed(range(3)):
        press(page, "ArrowLeft")
        at(page, k)
        assert words_drawn(page) == frames[k]
    jump(page, 3)
    page.evaluate("() => document.activeElement?.blur()")
    assert drawing_now(page) == before
    assert len(set(frames)) == 4


def drawing_now(page: Page) -> list[str]:
    """Return class, style and text of every box, letter and wall, and the picture of every canvas."""
    actual = grid(page).evaluate(
        """(root) => [
          ...[...root.querySelectorAll('.box, .letter, .wall, .frequency')].map((part) => {
            part.style.transitionDelay = '';
            return [part.className, part.hidden, part.style.cssText, part.textContent];
          }),
          ...[...root.querySelectorAll('canvas.layer')].map((canvas) => canvas.toDataURL()),
        ]"""
    )
    return list(map(str, actual))


def test_letters_keep_their_nodes_over_all_steps(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "merges": 12})
    letters = "(root) => [...root.querySelectorAll('.letter:not(.whole)')]"
    grid(page).evaluate(f"(root) => {{ root.before = ({letters})(root); }}")
    press(page, "End", "Home", "ArrowRight", "ArrowRight", "ArrowLeft")
    at(page, 1)
    same = (
        f"(root) => ({letters})(root).every((letter, n) => letter === root.before[n] && letter.isConnected)"
    )
    assert grid(page).evaluate(same)


def chips_drawn(page: Page) -> int:
    """Return the style of each box that begins a token."""
    opens = "(root) => [...root.querySelectorAll('.box')].filter(box => box.style.borderLeftWidth !== '0px').length"
    return int(grid(page).evaluate(opens))


def test_as_many_boxes_as_tokens(new_page: NewPage, grids: AppServer) -> None:
    text = "low lower newest widest"
    trace = bpe.train(text, merges=9)
    page = show(new_page, grids, {"text": text, "merges": 9})
    open_view(page)
    page.get_by_test_id("option-view").select_option("text")
    for k in (0, 3, 9):
        jump(page, k)
        assert chips_drawn(page) == len(trace.segment(text, k))


def test_the_sentence_and_the_badge(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 0})
    headline = grid(page).get_by_test_id("headline")
    expect(headline).to_contain_text("Merge 1 of 12 · 9 times")
    badge = grid(page).get_by_test_id("tie-badge")
    expect(badge).to_contain_text(
        "3 pairs tied at 9. “First occurrence” picks e + s: it comes first in the text, at newest. "
        "A real choice: s + t drops from 9 to 0. Pick s + t instead"
    )
    press(page, "ArrowRight")
    at(page, 1)
    expect(headline).to_contain_text("es+t→est")
    expect(headline).to_contain_text("Merge 2 of 12 · 9 times")
    expect(grid(page).get_by_test_id("live")).to_contain_text(
        "Merge 1 of 12: e and s become es, 9 times; 3 pairs were tied. “First occurrence” picks e + s: "
    )


def test_overlaps_are_counted_and_replaced(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"text": "aaaaa", "variant": "bytes", "merges": 1})
    expect(grid(page).get_by_test_id("headline")).to_contain_text("counted 4 times, but only 2 can be merged")


def test_another_tied_pair_can_be_taken(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 0, "pairs": 1})
    grid(page).get_by_test_id("pick").first.click()
    expect(page.get_by_text("pick Pick(rank=0, left=b's', right=b't')")).to_be_visible()
    page.get_by_test_id("pair-table").get_by_test_id("take").last.click()
    expect(page.get_by_text("pick Pick(rank=0, left=b't', right=b'\\xff')")).to_be_visible()


def test_keys(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1})
    for keys, step in (
        (["ArrowRight"], 2),
        (["PageDown"], 3),
        (["PageUp"], 2),
        (["ArrowLeft"], 1),
        (["End"], 12),
        (["Home"], 0),
        (["ArrowRight", "ArrowRight", "ArrowRight"], 3),
    ):
        press(page, *keys)
        at(page, step)
    press(page, "+")
    expect(page.get_by_test_id("speed")).to_have_value("2")
    press(page, "-", "-")
    expect(page.get_by_test_id("speed")).to_have_value("0")
    press(page, "?")
    expect(grid(page).get_by_test_id("help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(grid(page).get_by_test_id("help")).to_be_hidden()
    expect(page.get_by_text("python step 3", exact=True)).to_be_visible()


def test_space_plays_and_pauses(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, LONG)
    page.get_by_test_id("speed").select_option(label="4×")
    follow(page)
    press(page, " ")
    plays_to(page, 2)
    press(page, " ")
    expect(grid(page)).to_have_attribute("data-playing", "false")
    step = grid(page).get_attribute("data-step")
    assert [beat.beat for beat in followed(page)[:5]] == ["count", "select", "fuse", "settle", "count"]
    expect(page.get_by_text(f"python step {step}", exact=True)).to_be_visible()
    page.wait_for_timeout(800)
    assert grid(page).get_attribute("data-step") == step


def test_a_key_completes_the_running_beat(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS})
    page.get_by_test_id("speed").select_option(label="0.5×")
    press(page, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")
    expect(grid(page)).to_have_attribute("data-step", "2")


def test_keys_typed_into_a_field_or_meant_for_a_button_are_left_alone(
    new_page: NewPage, grids: AppServer
) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1})
    field = page.get_by_label("typing")
    field.click()
    page.keyboard.type("p ?b")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    expect(field).to_have_value("p ?b")
    at(page, 1)
    # A closed list uses letters and arrows, but no page key: a clicker works right after a sample was chosen.
    field.evaluate("field => { field.role = 'combobox'; field.ariaExpanded = 'true'; }")
    page.keyboard.press("PageDown")
    at(page, 1)
    field.evaluate("field => { field.ariaExpanded = 'false'; }")
    page.keyboard.press("PageDown")
    at(page, 2)
    page.keyboard.press("PageUp")
    at(page, 1)
    page.get_by_role("button", name="rerun").focus()
    page.keyboard.press(" ")
    at(page, 1)
    assert grid(page).get_attribute("data-playing") == "false"


def test_streamlits_own_shortcuts_do_not_fire_from_the_grid(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1})
    grid(page).get_by_test_id("viewport").focus()
    page.keyboard.press("c")
    page.keyboard.press("r")
    ready(page)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_scrubber_and_the_jump_box(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1})
    box = page.get_by_test_id("scrubber").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 9, box["y"] + box["height"] / 2)
    at(page, 12)
    expect(page.get_by_test_id("after")).to_have_text("12 of 12")
    expect(page.get_by_test_id("jump")).to_be_hidden()  # the slider hits each of so few

    page = show(new_page, grids, {"english": 2_000, "merges": 60})
    number = page.get_by_test_id("jump")
    number.fill("99")
    number.press("Enter")
    at(page, 60)
    number.fill("4")
    number.press("Enter")
    expect(page.get_by_text("python step 4", exact=True)).to_be_visible()
    expect(page.get_by_test_id("after")).to_have_text("of 60")


def test_user_text_stays_text(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"text": SCRIPTS, "merges": 40, "pairs": 1})
    page.on("dialog", lambda dialog: pytest.fail("a script of the corpus ran"))
    press(page, "End", "ArrowLeft")
    at(page, int(grid(page).get_attribute("data-steps") or 0) - 1)
    assert grid(page).locator("img, script, b:has-text('b')").count() == 0
    viewport = grid(page).get_by_test_id("viewport")
    viewport.hover(position={"x": 60, "y": 30})
    viewport.click(position={"x": 60, "y": 30})
    assert grid(page).get_attribute("data-text") == SCRIPTS


# Lanes of one group in a browser: differences are marked, even between variants with different cells.

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
    page.get_by_test_id("window").get_by_role("button", name="later").click()
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


def test_the_shapes_of_marks_are_explained_where_they_occur(new_page: NewPage, grids: AppServer) -> None:
    alone = show(new_page, grids, {"text": "aab aab aa", "variant": "bytes-gpt2", "merges": 1})
    open_view(alone)
    assert alone.get_by_test_id("shapes").inner_text().split("\n") == ["about to merge", "just created"]
    lanes = show(new_page, grids, {"text": "low lower lowest", "rules": "first,last", "merges": 5})
    open_view(lanes)
    assert lanes.get_by_test_id("shapes").inner_text().split("\n") == [
        "about to merge",
        "tied with it (dots where there are too many)",
        "just created",
        "split differently in another lane",
        "also wanted by a tied pair",
    ]


# Where the line of tokens is over the slider, from 0 at the bottom to 1 at the top, at each step; null where it is not.
LINE = """(root, steps) => {
  const canvas = root.querySelector('canvas.ties');
  const { width, height } = canvas;
  const context = canvas.getContext('2d');
  const { data } = context.getImageData(0, 0, width, height);
  context.fillStyle = getComputedStyle(root).getPropertyValue('--accent').match(/#[0-9a-f]+/)[0]; // in the light theme
  const accent = context.fillStyle.match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16));
  const isLine = (at) => accent.every((value, part) => Math.abs(data[at + part] - value) < 40);
  return Array.from({ length: steps + 1 }, (_, step) => {
    const x = Math.max(0, Math.floor((step / steps) * width) - 1); // wholly under the line
    const rows = [];
    for (let y = 0; y < height; y++) if (isLine(4 * (y * width + x))) rows.push(y + 0.5);
    return rows.length ? 1 - rows.reduce((sum, y) => sum + y, 0) / rows.length / height : null;
  });
}"""


def test_the_line_over_the_slider_is_the_tokens_in_the_text(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "merges": 12})
    trace = bpe.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, merges=12)
    drawn = grid(page).evaluate(LINE, 12)
    expected = [0.9 * tokens / trace.tokens_total(0) for tokens in trace.tokens_by_step()]
    assert drawn == pytest.approx(expected, abs=0.06)  # a pixel of 20
    guess(page)  # now the rest of the line would tell too much
    assert [y is not None for y in grid(page).evaluate(LINE, 12)] == [False] * 13
    press(page, "Shift+ArrowRight", "Shift+ArrowRight")
    seen = [True] * 3 + [False] * 10
    until(lambda: [y is not None for y in grid(page).evaluate(LINE, 12)] == seen)


TIES = ["a tie, and a real choice", "a tie that decided the order only", "higher: more pairs tied"]
LINED = ["tokens in the text"]


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"rows": WORDS, "merges": 12}, TIES + LINED),
        ({"text": "aab aab aa", "variant": "bytes-gpt2", "merges": 1}, LINED),
    ],
    ids=["ties", "no ties"],
)
def test_view_and_the_list_of_keys_explain_what_is_over_the_slider(
    asked: dict[str, object], named: list[str], new_page: NewPage, grids: AppServer
) -> None:
    page = show(new_page, grids, asked)
    keys, bars, help_ = page.locator(".keys"), page.get_by_test_id("bars"), page.get_by_test_id("help")
    expect(keys).to_be_hidden()
    page.get_by_test_id("view").click()
    expect(keys.locator(".hints")).to_have_text("Space play←→ step")
    expect(bars.locator("> span")).to_have_text(named)
    page.get_by_test_id("keys").click()
    expect(bars).to_be_hidden()
    expect(help_.locator(".shapes > span")).to_have_text(named)
    page.keyboard.press("Escape")
    expect(help_).to_be_hidden()
    expect(page.get_by_test_id("view")).to_be_focused()
