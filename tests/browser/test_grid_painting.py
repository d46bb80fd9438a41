"""Incremental painting in a browser: after any jump a grid looks as if it had been drawn anew at that step."""

import random

from playwright.sync_api import Page, expect

from harness.app_server import AppServer
from harness.chromium import grid, ready
from tests.browser.conftest import NewPage
from tests.browser.grid_page import WORDS, open_view, press, show, themed
from tests.browser.test_pages import RULES, THEMES, violations

SCRIPTS = (
    "السلام عليكم والسلام 2024 בשנת2024 שָׁלוֹם 🤦🏼\u200d♂️ 🇩🇪🇫🇷 naïve cafe\u0301 cafe\u0301\r\n"
    "new\tline\u00a0new\tline\n\n"
    "नमस्ते हिन्दी ภาษาไทย བོད་ཡིག 日本語 a" + "\u0301\u0302\u0303" * 5 + " low lower lowest \u200bfjord ﷽\n"
)
# Superwords draw walls that vanish within a token, and at the end of the first stage.
ASKED: dict[str, object] = {
    "text": SCRIPTS * 2,
    "variant": "bytes-gpt2",
    "merges": 200,
    "second_pattern": "lines",
    "second_after": 120,
}
VIEWS = [
    {"drawing": "cells", "view": "text", "colour": "identity", "glyphs": True},
    {"drawing": "cells", "view": "words", "colour": "length", "glyphs": False},
    {"drawing": "chips", "view": "both", "colour": "age", "glyphs": True},
]

# Makes jumps. Returns the steps after which a canvas or a chip is not as it is when everything is drawn anew, and how
# many different drawings there were.
DIFFERENT = """async (root, { options, jumps }) => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get('grid');
  const [lane] = lanes;
  const { playhead, elements } = lane;
  const hidden = (chip) => chip.hidden || (chip.className === 'letter whole' && chip.style.opacity === '0');
  const drawn = async () => {
    const canvases = [...root.querySelectorAll('canvas.cells, canvas.marks')].map(async (canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return [...new Uint8Array(await crypto.subtle.digest('SHA-1', data))].join(' ');
    });
    const chips = [...root.querySelectorAll('.chips > *')].filter((chip) => !hidden(chip)).map((chip) => {
      return [chip.className, chip.textContent, chip.style.cssText.replace(/transition[^;]*;/g, '')].join();
    });
    return [...(await Promise.all(canvases)), ...chips.toSorted()].join('|');
  };
  Object.assign(lane.options, options);
  const drawAnew = () => lane.choose('motion', true);
  drawAnew();
  const drawings = new Set();
  const wrong = [];
  for (const { step, top } of jumps) {
    if (top !== null) {
      elements.viewport.scrollTop = top * elements.stage.clientHeight;
      lane.look();
    }
    playhead.seek(step);
    const actual = await drawn();
    drawAnew();
    if (actual !== await drawn()) wrong.push(step);
    drawings.add(actual);
  }
  return { wrong, drawing: root.dataset.drawing, drawings: drawings.size };
}"""


def test_a_jump_paints_what_a_fresh_grid_would(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, ASKED, theme="dark")
    draw = random.Random("dark")
    for options in VIEWS:
        steps = [120, 119, 121]  # over the end of the first stage
        for step in draw.sample(range(4, 196), 5):
            steps += [step, step + draw.choice((-3, -1, 1, 4))]
        jumps = [{"step": step, "top": draw.random() if draw.random() < 0.2 else None} for step in steps]
        actual = grid(page).evaluate(DIFFERENT, {"options": options, "jumps": jumps})
        assert actual["drawing"] == options["drawing"]
        assert actual["drawings"] > 4
        assert actual["wrong"] == [], options


# The grid's colours: both themes, enough contrast, and no complaint from axe.

OF_THE_TEST_PAGE = ("page-has-heading-one",)


def test_everyone_can_use_it(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1, "pairs": 1})
    for theme in THEMES:
        themed(page, theme)
        actual = violations(page, RULES[theme])
        assert [one for one in actual if not one.startswith(OF_THE_TEST_PAGE)] == []


def test_another_theme_is_followed_at_once(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1, "pairs": 1})
    before = grid(page).locator(".box").first.evaluate("(box) => box.style.background")
    page.emulate_media(color_scheme="dark")
    expect(grid(page)).to_have_attribute("data-theme", "dark")
    expect(page.get_by_test_id("pair-table")).to_have_attribute("data-theme", "dark")
    assert grid(page).locator(".box").first.evaluate("(box) => box.style.background") != before
    expect(grid(page)).to_have_attribute("data-step", "1")


COLOURS = """() => {
  const probe = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const known = new Map(); // asking a canvas takes long
  const luminance = (colour) => known.get(colour) ?? known.set(colour, measured(colour)).get(colour);
  const measured = (colour) => {
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3)
      .map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const inside = (element) => element.shadowRoot?.querySelector('[data-testid=token-grid]');
  const root = [...document.querySelectorAll('*')].map(inside).find(Boolean);
  const style = getComputedStyle(root);
  const at = root.dataset.theme === 'dark' ? 1 : 0;
  const [panel, page] = ['--panel', '--bg'].map((name) => style.getPropertyValue(name).match(/#[0-9a-f]+/g)[at]);
  const boxes = [...root.querySelectorAll('.box')].map((box) => [box.style.backgroundColor, box.style.borderColor]);
  const inks = [...root.querySelectorAll('.letter')].map((letter) => letter.style.color);
  return {
    text: Math.min(...boxes.flatMap(([fill]) => inks.map((ink) => contrast(fill, ink)))),
    edge: Math.min(...boxes.flatMap(([fill, edge]) => [fill, panel, page].map((beside) => contrast(beside, edge)))),
  };
}"""


def test_contrast_of_text_and_edges(new_page: NewPage, grids: AppServer) -> None:
    text = "".join(map(chr, range(33, 127)))
    page = show(new_page, grids, {"text": f"{text} {text[:40]} low lower newest", "merges": 60, "step": 40})
    for theme in THEMES:
        themed(page, theme)
        open_view(page)
        for colouring in ("identity", "age", "length"):
            page.get_by_test_id("option-colour").select_option(colouring)
            ready(page)
            actual = page.evaluate(COLOURS)
            assert actual["text"] >= 7
            assert actual["edge"] >= 3


# What moves during a merge: the ring round a pair until its chips meet, then the number of tokens.

# Make a merge and stop its animations at several moments. Return for each how many rings are visible, and how many
# boxes a ring covers in part, which are not those of its pair.
RINGS = """(root, moments) => {
  const group = [...globalThis[Symbol.for('merge-by-merge')].groups.values()]
    .find(({ lanes }) => [...lanes].some((lane) => lane.root === root));
  group.playhead.forward();
  const animations = root.getRootNode().getAnimations();
  for (const animation of animations) animation.pause();
  const area = (element) => element.getBoundingClientRect();
  return moments.map((moment) => {
    for (const animation of animations) animation.currentTime = moment;
    const rings = [...root.querySelectorAll('.halo')].filter((ring) => getComputedStyle(ring).opacity !== '0');
    const boxes = [...root.querySelectorAll('.box')].map(area);
    const cut = rings.map(area).flatMap((ring) => boxes.filter((box) => {
      const shared = Math.min(ring.right, box.right) - Math.max(ring.left, box.left);
      const beside = Math.abs(ring.top + ring.bottom - box.top - box.bottom) < box.height;
      return beside && shared > 6 && (box.left < ring.left - 1 || box.right > ring.right + 1);
    }));
    return [rings.length, cut.length];
  });
}"""
FUSE = 450  # ms, without the delays of later lines
LAST = 700  # ms: all lines have ended


def rings(page: Page, *moments: int) -> list[list[int]]:
    """Return [visible rings, boxes that they cut] at moments of the next merge, in ms."""
    seen: list[list[int]] = grid(page).evaluate(RINGS, list(moments))
    return seen


def test_a_ring_holds_its_pair_until_the_parts_meet_and_is_gone_afterwards(
    new_page: NewPage, grids: AppServer
) -> None:
    page = show(new_page, grids, {"text": "the cat sat on the mat with the hat", "merges": 3})
    before, leaning, meeting, over = rings(page, 0, FUSE // 4, FUSE // 2, LAST)
    assert before[0] > 4
    assert before == leaning == [before[0], 0]
    assert meeting[1] == 0
    assert over == [0, 0]


# Notes every value of the number of tokens from now on.
FOLLOW_TOKENS = """(numbers) => {
  window.tokens = [];
  const note = () => window.tokens.push(Number(numbers.querySelector('dd').textContent));
  new MutationObserver(note).observe(numbers, { subtree: true, childList: true, characterData: true });
}"""


def test_the_number_of_tokens_counts_down_after_a_merge(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS})
    press(page, "p")
    numbers = grid(page).get_by_test_id("live-numbers")
    expect(numbers).to_contain_text("Tokens95")
    numbers.evaluate(FOLLOW_TOKENS)
    press(page, "Shift+ArrowRight")
    expect(numbers).to_contain_text("Tokens86")
    seen = page.evaluate("() => window.tokens")
    assert (seen[0], seen[-1]) == (95, 86)
    assert seen == sorted(seen, reverse=True)
