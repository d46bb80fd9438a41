"""No page has something cut, covered or beside it, at any width from a small phone to a large screen."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from harness.chromium import grid, ready, wider
from tests.browser.test_pages import PAGES, opened

WIDTHS = (
    320,
    360,
    390,
    412,
    480,
    568,
    640,
    700,
    768,
    800,
    820,
    844,
    900,
    960,
    1024,
    1100,
    1280,
    1440,
    1920,
    2560,
)
QUICK = ("watch", "talk")  # the other pages are walked once a week

# Return what is wrong with what can be seen: text that an edge cuts through, or that is beside the page; a text that
# ends in dots after a few letters; and a control whose middle another element covers. What an edge hides as a whole is
# scrolled to or has no room by design, and what stays in sight while one scrolls covers what is below it.
FAULTS = r"""() => {
  const faults = new Set();
  const name = (one) => `${one.dataset?.testid ?? one.tagName.toLowerCase()} “${one.textContent.trim().slice(0, 40)}”`;
  const outOf = (one) => one.parentElement ?? one.getRootNode().host ?? null;
  const around = function* (one) {
    for (let at = one; at; at = outOf(at)) yield [at, getComputedStyle(at)];
  };
  const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
  const isShort = (style) => style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';

  // The next element around a text that hides what is beyond its edges; null if one scrolls, or none hides anything.
  function cutting(one) {
    for (const [at, style] of around(one)) {
      if (style.clipPath !== 'none' || style.position === 'fixed') return null;
      if (/auto|scroll/.test(style.overflow)) return null;
      if (hides(style.overflowX) || hides(style.overflowY)) return isShort(style) ? null : [at, style];
    }
    return null;
  }

  function checkText(one) {
    const range = document.createRange();
    range.selectNodeContents(one);
    const rows = [...range.getClientRects()].filter(({ width, height }) => width > 2 && height > 2);
    const style = getComputedStyle(one);
    if (isShort(style) && one.scrollWidth > one.clientWidth + 1 && one.clientWidth < 44)
      faults.add(`${one.clientWidth} px of ${name(one)}`);
    const [edge, how] = cutting(one) ?? [];
    const held = edge?.getBoundingClientRect();
    for (const { left, right, top, bottom } of rows) {
      // What is as wide as the window, such as the page itself, holds nothing that is beside it.
      const isHeld = [...around(one)].some(
        ([at, { overflowX }]) => overflowX !== 'visible' && at.getBoundingClientRect().width < innerWidth - 1);
      if (!isHeld && (left < -1 || right > innerWidth + 1)) faults.add(`beside the page: ${name(one)}`);
      if (!held || right < held.left + 2 || left > held.right - 2) continue;
      if (bottom < held.top + 2 || top > held.bottom - 2) continue;
      const across = hides(how.overflowX) && (right > held.right + 2 || left < held.left - 2);
      const along = hides(how.overflowY) && (bottom > held.bottom + 4 || top < held.top - 4);
      if (across || along) faults.add(`cut: ${name(one)}`);
    }
  }

  function topmost(x, y) {
    let top = document.elementFromPoint(x, y);
    for (let inner = top; inner?.shadowRoot; top = inner) {
      inner = inner.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === top) break;
    }
    return top;
  }

  function checkControl(one, { left, top, width, height }) {
    const [x, y] = [left + width / 2, top + height / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return;
    const over = topmost(x, y);
    if (!over || one.labels?.length) return;
    const isWithin = (inner, outer) => [...around(inner)].some(([at]) => at === outer);
    if (isWithin(over, one) || isWithin(one, over)) return;
    if ([...around(over)].some(([, { position }]) => /sticky|fixed/.test(position))) return;
    const isScrolledAway = [...around(one)].slice(1).some(([at, { overflow }]) => {
      const box = at.getBoundingClientRect();
      return overflow !== 'visible' && (x < box.left || x > box.right || y < box.top || y > box.bottom);
    });
    if (!isScrolledAway) faults.add(`covered: ${name(one)} by ${name(over)}`);
  }

  const visit = (root) => {
    for (const one of root.querySelectorAll('*')) {
      if (one.shadowRoot) visit(one.shadowRoot);
      if (one instanceof SVGElement) continue;
      if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const box = one.getBoundingClientRect();
      if (box.width < 3 || box.height < 3) continue;
      if ([...one.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim())) checkText(one);
      if (one.matches('button, a[href], select, input, textarea, summary')) checkControl(one, box);
    }
  };
  visit(document);
  return [...faults];
}"""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.weekly) for name in PAGES]
)
def test_nothing_is_cut_covered_or_beside_the_page_at_twenty_widths(shared_page: Page, name: str) -> None:
    page = shared_page
    opened(page, name)
    faults: dict[int, Any] = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        ready(page)
        found = page.evaluate(FAULTS) + (["it scrolls sideways"] if wider(page) else [])
        if found:
            faults[width] = found
    assert faults == {}


def test_each_kind_of_fault_is_found(shared_page: Page) -> None:
    page = shared_page
    page.set_viewport_size({"width": 1280, "height": 800})
    opened(page, "talk")
    assert page.evaluate(FAULTS) == []
    for kind, style in FOUND.items():
        page.evaluate("(style) => { document.querySelector('[data-testid=stMain] h1').style = style }", style)
        assert {fault.split(" ")[0] for fault in page.evaluate(FAULTS)} == {kind}
    page.evaluate("document.querySelector('[data-testid=stMain] h1').removeAttribute('style')")
    page.get_by_test_id("stMain").evaluate(COVERS)
    assert "covered: begin-10 “Begin” by div “”" in page.evaluate(FAULTS)
    page.reload()


# The first word of a fault -> a style of the title that makes it
FOUND = {
    "cut:": "width: 40px; overflow: hidden; white-space: nowrap",
    "beside": "position: relative; left: -60px",
}
COVERS = """(main) => {
  const cover = document.createElement('div');
  cover.style = 'position: absolute; inset: 0; z-index: 9';
  main.append(cover);
}"""


@pytest.mark.parametrize("name", ["watch", "compare"])
def test_a_phone_held_sideways_has_the_player_in_sight(shared_page: Page, name: str) -> None:
    page = shared_page
    page.set_viewport_size({"width": 844, "height": 390})
    opened(page, name)
    expect(grid(page)).to_be_visible()
    expect(page.locator("[data-testid=transport]:visible").first).to_be_in_viewport(ratio=1)
