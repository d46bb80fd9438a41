"""The grid's colours: both themes, enough contrast, and no complaint from axe."""

from playwright.sync_api import expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import grid, ready
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import (
    WORDS,
    open_view,
    show,
    themed,
)
from tests.browser.pages.test_pages import RULES, THEMES, violations

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
  const panel = style.getPropertyValue('--panel').trim();
  const page = style.getPropertyValue('--bg').trim();
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
