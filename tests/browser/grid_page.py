"""The page of tests/browser/token_grid_page.py: open it, press keys, read the drawing."""

from dataclasses import dataclass
from itertools import count
from typing import Literal
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from harness.app_server import AppServer
from harness.chromium import grid, navigate, ready
from tests.browser.conftest import NewPage

WORDS = "low:5,lower:2,newest:6,widest:3"
# Half a minute at least, at every speed except 60/s.
LONG: dict[str, object] = {"english": 3_000, "merges": 300}


VISITS = count(1)


def show(new_page: NewPage, grids: AppServer, asked: dict[str, object], **how: object) -> Page:
    """Show grids with these parameters, and wait until they are drawn.

    One page stays open from test to test, since opening one costs far more than drawing grids. It forgets the grids
    before, and draws new ones. A second page of one test, and one with options, is opened anew.
    """
    page = new_page(server=grids, **how)
    visit = next(VISITS)
    address = f"/?{urlencode({**asked, 'visit': visit})}"
    if page.url == "about:blank":
        page.goto(address)
    else:
        navigate(page, "/")
        expect(page.get_by_test_id("token-grid")).to_have_count(0)
        page.evaluate(FORGET)
        navigate(page, address)
    page.locator(f"[class*=st-key-grid0v{visit}-]").wait_for(state="attached")
    ready(page)
    grid(page).and_(page.locator("[data-step]")).wait_for()
    return page


# What the grids before have left in the page.
FORGET = """() => {
  localStorage.clear();
  sessionStorage.clear();
  delete globalThis[Symbol.for('merge-by-merge')].active;
  globalThis[Symbol.for('merge-by-merge')].groups.clear();
}"""


def press(page: Page, *keys: str) -> None:
    """Press keys on the page, not in a field of it."""
    page.evaluate("() => document.activeElement?.blur()")
    for key in keys:
        page.keyboard.press(key)


def guess(page: Page) -> None:
    """Begin to guess every merge."""
    page.get_by_test_id("view").click()
    page.get_by_test_id("predict").click()


# Playwright's own waiting soon checks only once a second, which is longer than a merge takes.
RESTS = """([root, step, seconds]) => new Promise((done, fail) => {
  const begin = performance.now();
  const look = () => {
    const { step: now, beat } = root.dataset;
    if (beat === 'rest' && now === step) done();
    else if (performance.now() - begin > 1000 * seconds) fail(new Error(`at step ${now}, not ${step}; beat ${beat}`));
    else requestAnimationFrame(look);
  };
  look();
})"""


def at(page: Page, step: int, number: int = 0) -> None:
    """Wait until the grid rests at this step."""
    grid(page, number).evaluate(f"(root, step) => ({RESTS})([root, step, 60])", str(step))


@dataclass(frozen=True, slots=True)
class Beat:
    """One beat of a grid's playhead, and what the grid showed then."""

    step: int
    beat: str
    headline: str
    changes: str


def follow(page: Page) -> None:
    """Record every beat from now on. Polling would miss some on a busy machine."""
    grid(page).evaluate(
        """(root) => {
          const shown = (name) => {
            const part = root.querySelector(`[data-testid=${name}]`);
            return part.hidden ? '' : part.textContent;
          };
          const film = (window.film = []); // events of an earlier test's page end up in its own
          window.addEventListener('mbm:step', () => {
            const { step, beat } = root.dataset;
            film.push({ step: Number(step), beat, headline: shown('headline'), changes: shown('changes') });
          });
        }"""
    )


def followed(page: Page) -> list[Beat]:
    """Return the beats that `follow` has recorded, oldest first."""
    return [Beat(**beat) for beat in page.evaluate("() => film")]


def plays_to(page: Page, step: int) -> None:
    """Wait until `follow` has recorded this step or a later one."""
    page.wait_for_function("(step) => film.some((beat) => beat.step >= step)", arg=step)


def open_view(page: Page) -> None:
    """Open the popover with the legend and the drawing options, unless it is open."""
    button = page.get_by_test_id("view").first
    if button.get_attribute("aria-expanded") == "false":
        button.click()


def jump(page: Page, step: int) -> None:
    """Move the slider to a step and wait until the grid rests there."""
    page.get_by_test_id("scrubber").fill(str(step))
    at(page, step)


def themed(page: Page, theme: Literal["light", "dark"]) -> None:
    """Switch the page to a theme and wait until the grid is drawn in it."""
    page.emulate_media(color_scheme=theme)
    expect(grid(page)).to_have_attribute("data-theme", theme)
    ready(page)


def words_drawn(page: Page) -> str:
    """Return the frame in words, as a screen reader gets it: tokens with spaces between, words with bars."""
    return grid(page).get_by_test_id("frame-text").inner_text().partition(": ")[2].strip()


# Which pairs of tokens a lane of the page shows, read from its layout and from how far it is scrolled.

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
