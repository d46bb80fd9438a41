"""Contrast of the focus ring of every kind of control, on every page and in both themes, from pixels.

Run: python -m tests.browser.access.focus_rings. WCAG 2.4.13 asks that the same pixels, with the focus and without it,
differ by 3:1, in an area as large as a line of two pixels around the control. Prints every kind of control that has
less than half of it: corners are round, and the box of a small control is larger than what is seen.
"""

import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PIL import Image
from playwright.sync_api import FloatRect, Page

from tests.browser.access.contrast import pages_in_themes
from tests.browser.access.everyone import FROM_THE_TOP, LIBRARY
from tests.colours import contrast, hex_of

ENOUGH = 3.0
THICK = 2  # pixels of the line
LEAST = 0.4  # of the line
# The area that scrolls has a line at its upper edge. A table draws a line around one of its cells.
LEFT_OUT = ("stMain main", "stDataFrameResizable")
MARGIN = 10  # pixels around a control where its ring may be
MOST_STOPS = 120  # of the Tab key on a page
WIDTH, HEIGHT = 1280, 900

# What has the focus: its kind, its name and its box in the window, or that of the label that it is hidden in.
CONTROL = """async () => {
  const element = everyone.active();
  if (!element || element === document.body) return null;
  await everyone.restingRings(element);
  const above = everyone.parents(element, 99);
  const testid = (one) => one?.dataset?.testid ?? '';
  const kind = [
    testid(above.find((one) => testid(one).startsWith('st'))),
    element.localName,
    element.getAttribute('role') ?? element.getAttribute('type') ?? '',
    testid(element) || element.classList[0] || '',
  ].join(' ');
  const seen = above.find((one) => {
    const { width, height } = one.getBoundingClientRect();
    return width > 10 && height > 10;
  });
  const { x, y, width, height } = seen.getBoundingClientRect();
  return { kind, name: everyone.name(element).toWellFormed(), box: [x, y, width, height] };
}"""
AWAY = """async () => {
  everyone.before = everyone.active();
  everyone.before.blur();
  await everyone.restingRings(everyone.before);
}"""
BACK = "() => everyone.before.focus({ preventScroll: true })"


@dataclass(frozen=True, slots=True)
class Ring:
    """The focus of one control: how much of the line that it needs is there."""

    kind: str
    name: str
    share: float  # of a line around the control, of pixels with enough contrast


def rings(page: Page) -> Iterator[Ring]:
    """Go through a page with the Tab key. Yield the ring of the first control of each kind."""
    page.evaluate(LIBRARY)
    page.evaluate(FROM_THE_TOP)
    kinds = set()
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        control = page.evaluate(CONTROL)
        if control is None:
            return
        if control["kind"] not in kinds and not control["kind"].startswith(LEFT_OUT):
            kinds.add(control["kind"])
            yield _ring(page, control)


def _ring(page: Page, control: dict[str, Any]) -> Ring:
    x, y, width, height = control["box"]
    left, top = max(0, x - MARGIN), max(0, y - MARGIN)
    right, bottom = min(WIDTH, x + width + MARGIN), min(HEIGHT, y + height + MARGIN)
    if right - left < 1 or bottom - top < 1:
        return Ring(control["kind"], control["name"], 0.0)
    focused = _pixels(page, left, top, right, bottom)
    page.evaluate(AWAY)
    without = _pixels(page, left, top, right, bottom)
    page.evaluate(BACK)
    pairs = zip(focused, without, strict=True)
    clear = sum(one != other and contrast(hex_of(one), hex_of(other)) >= ENOUGH for one, other in pairs)
    needed = THICK * 2 * (min(width, right - left) + min(height, bottom - top))
    return Ring(control["kind"], control["name"], clear / needed)


def _pixels(page: Page, left: float, top: float, right: float, bottom: float) -> list[tuple[int, ...]]:
    clip = FloatRect(x=left, y=top, width=right - left, height=bottom - top)
    picture = Image.open(io.BytesIO(page.screenshot(clip=clip, animations="disabled", caret="hide")))
    return list(zip(*[iter(picture.convert("RGB").tobytes())] * 3, strict=True))


def main() -> None:
    """Print the kinds of controls of each page, and those whose ring is too faint; exit with 1 if there are any."""
    faint = 0
    for name, page in pages_in_themes(WIDTH, HEIGHT):
        each = list(rings(page))
        problems = [ring for ring in each if ring.share < LEAST]
        faint += len(problems)
        print(f"{name}: {len(each)} kinds of controls, {len(problems)} too faint")
        for ring in problems:
            print(f"  {ring.share:.2f} of a ring: {ring.name!r}, {ring.kind}", flush=True)
    sys.exit(bool(faint))


if __name__ == "__main__":
    main()
