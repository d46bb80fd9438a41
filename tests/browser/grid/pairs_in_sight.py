"""Which pairs of tokens a lane of the page shows, read from its layout and from how far it is scrolled."""

from playwright.sync_api import Page

# The pairs whose two tokens lie wholly in the viewport of a lane, each as "left right" in hexadecimal.
_IN_SIGHT = """([name, index]) => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get(name);
  const lane = [...lanes].find((one) => (one.lane?.index ?? 0) === index);
  if (!lane) return []; // it is on its way
  const { viewport } = lane.elements;
  const [low, high] = [viewport.scrollTop, viewport.scrollTop + viewport.clientHeight];
  const pairs = [];
  for (const { cells, line, top, metrics } of lane.layouts) {
    let before = null;
    for (let start = 0; start < cells.size; ) {
      let end = start;
      while (cells.close[end] < lane.step) end++;
      const symbols = Array.from(cells.symbol.slice(start, end + 1), (at) => lane.model.symbols[at].bytes);
      const hex = symbols.flat().map((byte) => byte.toString(16).padStart(2, '0')).join('');
      const item = cells.item[start];
      const whole = top + line[before?.start ?? start] * metrics.pitch >= low
        && top + (line[end] + 1) * metrics.pitch <= high;
      if (before?.item === item && whole) pairs.push(`${before.hex} ${hex}`);
      before = { hex, item, start };
      start = end + 1;
    }
  }
  return pairs;
}"""


def pairs_in_sight(page: Page, lane: int = 0, group: str = "lesson") -> set[str]:
    """Return the pairs that a lane shows without scrolling, each as "left right" in hexadecimal."""
    pairs: list[str] = page.evaluate(_IN_SIGHT, [group, lane])
    return set(pairs)
