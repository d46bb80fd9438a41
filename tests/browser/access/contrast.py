"""Contrast of every text on every page, in both themes, from the pixels behind it.

Run: python -m tests.browser.access.contrast. A checker such as axe leaves out texts before a gradient, a canvas or a
transparent box. Here a picture of the page without its texts shows what is behind each one. WCAG 1.4.3 asks for 4.5:1,
and 3:1 for large texts. Prints how many texts it measured and those that have less.
"""

import io
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser.app_server import serve
from tests.browser.chromium import find_chromium, launch, ready
from tests.colours import contrast, hex_of

PAGES = {
    "Watch": "/",
    "a long training": "/?corpus_sample=story&merges=200",
    "Compare": "/compare?lanes=first~last",
    "Encode": "/encode?encode_text=lowest%20newer",
    "Vocabulary": "/vocabulary?corpus_sample=story&merges=200",
    "Bytes": "/bytes",
    "Languages": "/languages",
    "Lessons": "/lessons?lesson=bytes",
    "Glossary": "/glossary",
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTH, HEIGHT = 1280, 3_000  # of the window, in pixels: most of a page is drawn without scrolling
ENOUGH, ENOUGH_IF_LARGE = 4.5, 3.0
LARGE, LARGE_IF_BOLD = 24.0, 18.66  # px: 18 and 14 points
ROUNDING = 0.02

# All texts that can be seen, with their boxes, colour and size.
TEXTS = """() => {
  const texts = [];
  const parent = (one) => one.parentElement || one.getRootNode().host;
  const walk = (root) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      if (node.shadowRoot) walk(node.shadowRoot);
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
      const owner = node.parentElement || node.getRootNode().host;
      if (!owner.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (owner.closest('script,style,[disabled],[aria-disabled=true],option,label:has(:disabled)')) continue;
      const style = getComputedStyle(owner);
      let opacity = 1;
      for (let one = owner; one; one = parent(one)) opacity *= parseFloat(getComputedStyle(one).opacity);
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = [...range.getClientRects()].find(({ width, height }) => width > 3 && height > 3);
      if (!box || box.x < 0 || box.y < 0 || box.right > innerWidth || box.bottom > innerHeight) continue;
      const x = box.x + Math.min(box.width / 2, 8), y = box.y + box.height / 2;
      let top = document.elementFromPoint(x, y);
      while (top?.shadowRoot?.elementFromPoint(x, y)) {
        const inner = top.shadowRoot.elementFromPoint(x, y);
        if (inner === top) break;
        top = inner;
      }
      // Something else may cover it, or it is cut off.
      let seen = false;
      for (let one = top; one && !seen; one = parent(one)) seen = one === owner;
      for (let one = owner; one && !seen; one = parent(one)) seen = one === top;
      if (!seen && top && getComputedStyle(owner).pointerEvents !== 'none') continue;
      texts.push({
        text: node.data.trim().slice(0, 40),
        where: `${owner.localName}.${[...owner.classList].join('.')}`.slice(0, 60),
        box: [box.x, box.y, box.width, box.height],
        colour: owner instanceof SVGElement ? style.fill : style.webkitTextFillColor,
        opacity,
        size: parseFloat(style.fontSize),
        bold: parseFloat(style.fontWeight) >= 700,
      });
    }
  };
  walk(document.body);
  return texts;
}"""
# Make every text invisible, within shadow roots too.
HIDE = """() => {
  const rule = `*, *::before, *::after, *::placeholder {
    color: transparent !important; -webkit-text-fill-color: transparent !important; text-shadow: none !important;
    transition: none !important; animation: none !important; text-decoration-color: transparent !important;
    caret-color: transparent !important;
  } svg text, svg tspan { fill: transparent !important; stroke: transparent !important; }`;
  const add = (root) => {
    const style = document.createElement('style');
    style.dataset.hides = 'texts';
    style.textContent = rule;
    (root.head || root).append(style);
    root.querySelectorAll('*').forEach((one) => { if (one.shadowRoot) add(one.shadowRoot); });
  };
  add(document);
}"""
SHOW = """() => {
  const remove = (root) => {
    root.querySelectorAll('[data-hides=texts]').forEach((style) => style.remove());
    root.querySelectorAll('*').forEach((one) => { if (one.shadowRoot) remove(one.shadowRoot); });
  };
  remove(document);
}"""
PARTS = """(colour) => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}"""


@dataclass(frozen=True, slots=True)
class Measured:
    """A text and its least contrast."""

    text: str
    where: str
    contrast: float
    enough: float


def states(page: Page) -> Iterator[str]:
    """Yield the name of each state of a page: as it opens, then with each of its tabs."""
    yield "as it opens"
    tabs = page.get_by_role("tab")
    for number in range(tabs.count()):
        tab = tabs.nth(number)
        if tab.is_visible() and tab.get_attribute("aria-selected") != "true":
            tab.click()
            ready(page)
            yield tab.inner_text()


def measured(page: Page) -> Iterator[Measured]:
    """Yield all texts in the window."""
    texts: list[dict[str, Any]] = page.evaluate(TEXTS)
    colours = {text["colour"]: page.evaluate(PARTS, text["colour"]) for text in texts}
    page.evaluate(HIDE)
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    page.evaluate(SHOW)
    for text in texts:
        x, y, width, height = text["box"]
        box = picture.crop((round(x), round(y), round(x + width), round(y + height)))
        # Of the colours behind a text, those that cover a fifth of its box count: a line below it does not.
        behind: Counter[tuple[int, int, int]] = Counter(zip(*[iter(box.tobytes())] * 3, strict=True))
        *ink, alpha = colours[text["colour"]]
        alpha *= text["opacity"]
        ratios = []
        for back, pixels in behind.items():
            if pixels * 5 >= behind.total() and alpha:
                drawn = tuple(alpha * one + (1 - alpha) * other for one, other in zip(ink, back, strict=True))
                ratios.append(contrast(hex_of(drawn), hex_of(back)))
        large = text["size"] >= LARGE or (text["bold"] and text["size"] >= LARGE_IF_BOLD)
        if ratios:
            yield Measured(text["text"], text["where"], min(ratios), ENOUGH_IF_LARGE if large else ENOUGH)


def pages_in_themes(width: int, height: int) -> Iterator[tuple[str, Page]]:
    """Open every page in both themes, in windows of this size. Yield its title with the theme, and the page."""
    executable = find_chromium()
    if executable is None:
        sys.exit("This needs Chromium. Debian's package is chromium.")
    with serve() as server, sync_playwright() as playwright:
        browser = launch(playwright, executable)
        for theme in THEMES:
            page = browser.new_page(
                base_url=server.url,
                viewport={"width": width, "height": height},
                color_scheme=theme,
                reduced_motion="reduce",
            )
            for title, address in PAGES.items():
                page.goto(address)
                ready(page)
                yield f"{title}, {theme}", page
        browser.close()


def main() -> None:
    """Print the number of texts of each page, and those without enough contrast; exit with 1 if there are any."""
    low = 0
    seen: set[Measured] = set()
    for name, page in pages_in_themes(WIDTH, HEIGHT):
        for state in states(page):
            texts = {*measured(page)} - seen
            seen |= texts
            problems = [one for one in texts if one.contrast < one.enough - ROUNDING]
            low += len(problems)
            print(f"{name}, {state}: {len(texts)} texts, {len(problems)} too faint")
            for one in problems:
                print(f"  {one.contrast:.2f} of {one.enough}: {one.text!r} in {one.where}")
    print(f"{len(seen)} texts, {low} with too little contrast")
    sys.exit(bool(low))


if __name__ == "__main__":
    main()
