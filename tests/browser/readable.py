"""What a room cannot read in the presenter view: texts that are cut, covered, outside of the window, or too small.

And what does not fill its stage: a subject that leaves most of it empty, or whose letters the last row cannot read.
"""

import io
import re
from dataclasses import dataclass

from PIL import Image
from playwright.sync_api import Frame, Page

LEAST = 0.02  # of the window's height: the least size of type
LEAST_SHARE = 0.6  # of the free area's width or height: what the subject of a stage takes
LEAST_LETTERS = 1 / 25  # of the window's height: letters of the subject
LEAST_CELLS = 1 / 40  # the same for aligned rows, which show one text in four or five ways
LEAST_INK = 0.01  # of the pixels beside a lesson's text
STAGE = 0.64  # of the window's width, which the stage of a lesson takes in the presenter view
INKLESS = 24  # difference of a colour from its background that nobody sees

# Looks at every visible text of the presenter view. Only the words of a grid may be out of sight: a text may be longer
# than any window, and the grid scrolls to what the lesson speaks of.
_UNREADABLE = """([least]) => {
  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const named = (element) => {
    const names = [];
    for (let one = element; one && names.length < 3; one = parentOf(one)) {
      const name = one.dataset?.testid ?? one.getAttribute('class');
      if (name) names.unshift(name);
    }
    return names.join(' > ');
  };
  const roots = [document];
  const views = new Set();
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      if (element.classList.contains('presenting')) views.add(element);
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
  const isPresented = (element) => {
    for (let one = element; one; one = parentOf(one)) if (views.has(one)) return true;
    return false;
  };
  // Where a text may be seen: within the window and everything around it that hides what is beyond its edges.
  const areaAround = (element) => {
    let area = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    let ofGrid = false;
    for (let one = element; one; one = parentOf(one)) {
      const style = getComputedStyle(one);
      if (one.matches('.viewport')) ofGrid = true;
      if (style.overflowX !== 'visible' && one.namespaceURI.endsWith('xhtml')) {
        const box = one.getBoundingClientRect();
        area = {
          left: Math.max(area.left, box.left), top: Math.max(area.top, box.top),
          right: Math.min(area.right, box.right), bottom: Math.min(area.bottom, box.bottom),
        };
      }
      if (style.position === 'fixed') break;
    }
    return { area, ofGrid };
  };
  const onTop = (x, y) => {
    let top = document.elementFromPoint(x, y);
    for (let inner = top; inner; inner = top.shadowRoot?.elementFromPoint(x, y)) {
      if (inner === top && top.shadowRoot?.elementFromPoint(x, y) === top) break;
      top = inner;
      if (!top.shadowRoot) break;
    }
    return top;
  };
  const isWithin = (inner, outer) => {
    for (let one = inner; one; one = parentOf(one)) if (one === outer) return true;
    return false;
  };
  const faults = new Set();
  const range = document.createRange();
  for (const root of roots) {
    const walker = document.createTreeWalker(root === document ? document.body : root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.data.trim();
      if (!text || !element || element.matches('style, script, title')) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (!isPresented(element)) continue;
      if (element.closest('.flight')) continue; // on its way to the headline
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      const [line] = range.getClientRects();
      if (!line) continue;
      const { area, ofGrid } = areaAround(element);
      if (area.right - area.left <= 2 || area.bottom - area.top <= 2) continue; // for screen readers only
      const what = `“${text.slice(0, 40)}” (${named(element)})`;
      const scale = element instanceof SVGElement ? element.getScreenCTM().a : (element.currentCSSZoom ?? 1);
      const size = parseFloat(getComputedStyle(element).fontSize) * scale;
      if (size < least * innerHeight - 0.05) faults.add(`${size.toFixed(1)} px: ${what}`);
      const aside = Math.max(area.left - box.left, box.right - area.right);
      const beyond = Math.max(aside, area.top - box.top, box.bottom - area.bottom);
      if (ofGrid) continue;
      const blank = 0.18 * size; // of a line above and below its letters
      if (beyond > blank) faults.add(`cut by ${beyond.toFixed(0)} px: ${what}`);
      else {
        const top = onTop((line.left + line.right) / 2, (line.top + line.bottom) / 2);
        const passive = getComputedStyle(element).pointerEvents === 'none';
        const covered = top && !passive && !isWithin(top, element) && !isWithin(element, top);
        if (covered) faults.add(`under ${named(top)}: ${what}`);
      }
    }
  }
  return [...faults];
}"""


def unreadable(page: Page) -> list[str]:
    """Return what is wrong with the texts of the presenter view, one sentence for each."""
    faults: list[str] = page.evaluate(_UNREADABLE, [LEAST])
    return faults


# How much of its stage each subject takes, and how high its letters are. What is free is the part of a grid between
# its headline and its controls, with the rail of learned merges, and any other stage as a whole. The grid knows the
# sizes on its canvas, and whether words of it are out of sight: only a running text, or a long one, may be.
_SUBJECT = """([leastShare, leastLetters, leastCells]) => {
  const views = [];
  const faults = [];
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot);
      const isView = element.matches('.presenting:not(.lesson, .pairs)');
      if (isView && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) views.push(element);
    }
  };
  visit(document);
  const within = (inner, outer) => {
    for (let one = inner; one; one = one.parentNode ?? one.host) if (one === outer) return true;
    return false;
  };
  const around = (boxes) => ({
    left: Math.min(...boxes.map(({ left }) => left)), top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)), bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  });
  const groups = [...(globalThis[Symbol.for('merge-by-merge')]?.groups.values() ?? [])];
  const allLanes = groups.flatMap(({ lanes }) => [...lanes]);
  for (const view of views) {
    const name = view.dataset.testid;
    const lanes = allLanes.filter(({ root }) => within(root, view) && root.clientWidth);
    const [areas, parts, sizes] = [[], [], []];
    for (const lane of lanes) {
      const { viewport, stage } = lane.elements;
      const seen = viewport.getBoundingClientRect();
      const origin = stage.getBoundingClientRect();
      areas.push(seen);
      const ends = lane.layouts.flatMap(({ x, w }) => Array.from(x, (left, cell) => left + w[cell]));
      const top = origin.top + Math.min(...lane.layouts.map((layout) => layout.top));
      const bottom = origin.top + Math.max(...lane.layouts.map((layout) => layout.top + layout.height));
      parts.push({
        left: origin.left, right: Math.min(seen.right, origin.left + Math.max(...ends)),
        top: Math.max(seen.top, top), bottom: Math.min(seen.bottom, bottom),
      });
      sizes.push(Math.max(...lane.layouts.map(({ metrics }) => metrics.size)));
      for (const row of lane.root.querySelectorAll('.rail li')) {
        if (!row.checkVisibility()) continue;
        areas.push(row.getBoundingClientRect());
        parts.push(row.getBoundingClientRect());
      }
      const isShort = lane.layouts.some(({ cells }) => cells.distinct && cells.words.length <= 10);
      const isCut = lane.height > viewport.clientHeight + 1;
      if (isCut && (isShort || !lane.model.training)) faults.push(`words out of sight in ${name}`);
    }
    if (!lanes.length) {
      areas.push((view.querySelector('.scroll') ?? view).getBoundingClientRect()); // of a picture with a sentence
      const drawn = '.chip, .cell, .text, .method .name, .measure, svg, .plot, table, li code';
      const all = [...view.querySelectorAll(drawn)];
      const seen = all.filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.clientWidth !== 0);
      parts.push(...seen.map((one) => one.getBoundingClientRect()));
      const tokens = [...view.querySelectorAll('.bands .cell, .content .chip:not(.alternatives *)')];
      const letters = tokens.map((one) => parseFloat(getComputedStyle(one).fontSize) * (one.currentCSSZoom ?? 1));
      if (letters.length) sizes.push(letters.toSorted((a, b) => a - b)[letters.length >> 1]);
    }
    if (!parts.length) {
      faults.push(`nothing in ${name}`);
      continue;
    }
    const [area, subject] = [around(areas), around(parts)];
    const wide = (subject.right - subject.left) / (area.right - area.left);
    const high = (subject.bottom - subject.top) / (area.bottom - area.top);
    const percent = (share) => `${Math.round(100 * share)} %`;
    if (Math.max(wide, high) < leastShare) faults.push(`${name} fills ${percent(wide)} by ${percent(high)}`);
    const least = Math.min(...sizes);
    const needed = view.querySelector('.bands') ? leastCells : leastLetters;
    if (least < needed * innerHeight - 0.5) faults.push(`letters of ${least.toFixed(1)} px in ${name}`);
  }
  return faults;
}"""
PICK_INSTEAD = re.compile("Pick .* instead")  # a link for readers


def unfilled(page: Page) -> list[str]:
    """Return what does not fill its stage, one sentence for each subject, and links for readers on it."""
    faults: list[str] = page.evaluate(_SUBJECT, [LEAST_SHARE, LEAST_LETTERS, LEAST_CELLS])
    links = page.locator(".presenting").get_by_text(PICK_INSTEAD).filter(visible=True)
    return [*faults, *(f"a link for readers: {text}" for text in links.all_inner_texts())]


def has_ink(page: Page) -> bool:
    """Return whether the stage of a lesson in the presenter view shows a picture: enough pixels beside the text."""
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("L")
    width, height = picture.size
    histogram = picture.crop((0, 0, round(STAGE * width), height)).histogram()
    background = histogram.index(max(histogram))
    near = sum(histogram[max(0, background - INKLESS) : background + INKLESS + 1])
    return 1 - near / sum(histogram) >= LEAST_INK


def not_on_top(page: Page | Frame) -> list[str]:
    """Return the visible parts of the presenter view that are not in the top layer, where nothing covers them."""
    views = page.locator(".presenting[popover]:visible")
    names: list[str] = views.evaluate_all(
        "(all) => all.filter((one) => !one.matches(':popover-open')).map((one) => one.dataset.testid)"
    )
    return names


# What the presenter view of a lesson shows besides its text: the texts of the stage, without tokens and without rows of
# the table of models, which are data; what shows ties; and the next merge, if the headline tells it.
_ON_STAGE = """() => {
  const stage = { texts: [], ties: [], merge: '' };
  const aside = '.chip, .viewport, .models tbody, .lines code, .unseen, style, select, header, footer';
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot);
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.matches('.badge, .tie')) stage.ties.push(element.className);
      if (element.matches('canvas.ties')) {
        const copy = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        copy.drawImage(element, 0, 0);
        const { data } = copy.getImageData(0, 0, 300, 150);
        const bars = ['--tie', '--soft'].map((name) => { // the line of the tokens has another colour
          const dark = element.closest('[data-theme]').dataset.theme === 'dark';
          copy.fillStyle = getComputedStyle(element).getPropertyValue(name).match(/#[0-9a-f]+/g)[Number(dark)];
          return copy.fillStyle.match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16));
        });
        const isBar = (at) => data[at + 3] && bars.some((bar) =>
          bar.every((value, part) => Math.abs(data[at + part] - value) < 16));
        if (data.some((_, at) => at % 4 === 0 && isBar(at))) stage.ties.push('bars over the slider');
      }
      if (element.matches('.headline .merge')) stage.merge = element.textContent;
      if (element.closest(aside)) continue;
      for (const { nodeType, data } of element.childNodes) if (nodeType === 3) stage.texts.push(data.trim());
    }
  };
  visit(document);
  return stage;
}"""


@dataclass(frozen=True, slots=True)
class OnStage:
    """What the stage of a lesson shows."""

    texts: list[str]  # without those of tokens
    ties: list[str]  # elements that show ties
    merge: str  # of the headline: the pair and what it becomes, without spaces


def on_stage(page: Page) -> OnStage:
    """Return what the stage of a lesson in the presenter view shows."""
    return OnStage(**page.evaluate(_ON_STAGE))
