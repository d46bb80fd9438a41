"""Helpers for the accessibility tests: functions in the page, and tours with the Tab key."""

import re
from collections.abc import Iterator

from playwright.sync_api import Page

from harness.chromium import enter

MOST_STOPS = 90  # of the Tab key on Watch

# Functions of the page that the tests below call.
LIBRARY = """() => {
  window.everyone = {
    active() {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element;
    },
    name(element) {
      const kind = element.dataset.testid || element.classList[0] || '';
      const text = element.getAttribute('aria-label') || element.textContent || '';
      return `${element.localName}.${kind} ${text.trim().slice(0, 40)}`;
    },
    parents(element, most) {
      const all = [];
      for (let one = element; one && all.length < most; one = one.parentElement || one.getRootNode().host) {
        all.push(one);
      }
      return all;
    },
    // The strokes of what is drawn in a part of a picture.
    strokes(element) {
      if (!(element instanceof SVGElement)) return [];
      return [...element.children].map((one) => {
        const { stroke, strokeWidth } = getComputedStyle(one);
        const seen = stroke !== 'none' && stroke !== 'rgba(0, 0, 0, 0)';
        return { outline: seen ? parseFloat(strokeWidth) : 0, outlineColor: stroke, boxShadow: '' };
      });
    },
    // Outlines and shadows around an element: of itself, or of the field or the thumb that it is hidden in.
    rings(element) {
      return [...this.strokes(element), ...this.parents(element, 3).flatMap((one) => ['', '::before'].map((part) => {
        const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(one, part || null);
        return { outline: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth), outlineColor, boxShadow };
      }))];
    },
    // The same, once nothing is fading in or out.
    async restingRings(element) {
      const fades = (one) => one instanceof CSSTransition && one.playState === 'running';
      let rings = '';
      for (let frame = 0, same = 0; same < 2; frame++) {
        if (frame > 1200) throw new Error(`no rest around ${this.name(element)}`);
        await new Promise((done) => { requestAnimationFrame(done); });
        const now = JSON.stringify(this.rings(element));
        const moves = this.parents(element, 3).some((one) => one.getAnimations({ subtree: true }).some(fades));
        same = !moves && now === rings ? same + 1 : 0;
        rings = now;
      }
      return JSON.parse(rings);
    },
    all() {
      const elements = [];
      const walk = (root) => root.querySelectorAll('*').forEach((one) => {
        elements.push(one);
        if (one.shadowRoot) walk(one.shadowRoot);
      });
      walk(document);
      return elements;
    },
  };
}"""


def opened(page: Page, address: str) -> Page:
    """Open an address in a new session, with the functions."""
    enter(page, address)
    page.evaluate(LIBRARY)
    return page


# Go on from the stop before to the one that Tab has reached: the one before without its focus, and the new one with it.
# There is none if Tab has left the page.
NEXT = """async () => {
  const { stop: before } = everyone;
  const element = everyone.active();
  const isStop = element && element !== document.body;
  everyone.stop = isStop ? element : null;
  const after = before && await everyone.restingRings(before);
  if (!isStop) return { after, name: '' };
  const rings = await everyone.restingRings(element);
  const isInside = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return x + width > 0 && y + height > 0 && x < innerWidth && y < innerHeight;
  };
  const frame = () => new Promise((done) => { requestAnimationFrame(done); });
  for (let frames = 0; frames < 300 && !isInside(); frames++) await frame();
  return { after, name: everyone.name(element), inside: isInside(), rings };
}"""
# The next Tab leads to the first stop of the page, whatever had the focus before.
FROM_THE_TOP = """() => {
  const { body } = document;
  everyone.stop = null;
  document.activeElement?.blur();
  body.tabIndex = -1;
  body.focus();
  body.blur();
  body.removeAttribute('tabindex');
}"""
SHADOW = re.compile(r"(-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px")


def thickness(ring: dict[str, object]) -> float:
    """Return how many pixels an outline or a shadow adds at one side at least."""
    shadows = (map(float, match.groups()) for match in SHADOW.finditer(str(ring["boxShadow"])))
    return max([float(str(ring["outline"])), *(max(abs(x), abs(y), spread) for x, y, _, spread in shadows)])


def tour(page: Page) -> Iterator[str]:
    """Yield the names of all stops of the Tab key; fail at one whose focus cannot be seen."""
    page.evaluate(FROM_THE_TOP)
    name = ""
    rings: list[dict[str, object]] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(NEXT)
        if name:
            new = [ring for ring, old in zip(rings, stop["after"], strict=True) if ring != old]
            assert max(map(thickness, new), default=0) >= 2, (name, new)
        name, rings = stop["name"], stop.get("rings", [])
        if not name:
            return
        assert stop["inside"], name
        yield name
    raise AssertionError("the Tab key does not leave the page")
