"""Measure the token grid in a headless Chromium against bounds. Run: python -m benchmarks.browser.grid."""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from playwright.sync_api import Browser, Page, WebSocket, sync_playwright

import bpe
from film.training_feed import training_feed
from tests import ROOT
from tests.browser.app_server import serve
from tests.browser.chromium import find_chromium, grid, launch, ready

APP = ROOT / "tests/browser/apps/token_grid.py"
MERGES = 1_000
RERUNS = 50
RULES = ("first", "last", "pair-max", "pair-min", "ids-min", "shortest", "longest", "names-max")

# Records the time of every frame, and the duration of every animation callback that changes the step.
WATCH_FRAMES = """() => {
  const own = window.requestAnimationFrame.bind(window);
  window.__frames = [];
  window.__work = [];
  const inside = (element) => element.shadowRoot?.querySelector('[data-testid=token-grid]');
  const root = () => window.__root ??= [...document.querySelectorAll('*')].map(inside).find(Boolean);
  window.requestAnimationFrame = (callback) => own((now) => {
    const before = root()?.dataset.step;
    const begin = performance.now();
    callback(now);
    const took = performance.now() - begin;
    if (root()?.dataset.step !== before) window.__work.push(took);
  });
  const tick = (now) => { window.__frames.push(now); own(tick); };
  own(tick);
}"""
PRESS = """([key, back]) => new Promise((done) => {
  const event = (key) => new KeyboardEvent('keydown', {key, bubbles: true, composed: true});
  const press = (key) => document.body.dispatchEvent(event(key));
  const begin = performance.now();
  press(key);
  const script = performance.now() - begin;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const shown = performance.now() - begin;
    press(back);
    done([script, shown]);
  }));
})"""
FIRST_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table: a measurement and its bound."""

    name: str
    value: float
    unit: str
    bound: float
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the value keeps its bound."""
        return self.value >= self.bound if self.at_least else self.value <= self.bound


def print_figures(figures: Sequence[Figure]) -> None:
    """Print a line for each figure, with its bound."""
    for figure in figures:
        sign = "≥" if figure.at_least else "≤"
        verdict = "" if figure.holds else "   NOT KEPT"
        print(f"{figure.name:<52}{figure.value:>9.1f} {figure.unit:<4} {sign} {figure.bound:g}{verdict}")


def main() -> None:
    """Print the figures; exit with 1 if one of them breaks its bound."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--characters", type=int, default=12_500)
    arguments.add_argument("--seconds", type=float, default=10.0)
    options = arguments.parse_args()
    executable = find_chromium()
    if executable is None:
        raise SystemExit("There is no Chromium: set CHROMIUM to its path.")
    with serve(APP) as server, sync_playwright() as playwright:
        browser = launch(playwright, executable)
        address = f"{server.url}/?english={options.characters}&window={options.characters}&merges={MERGES}"
        warm = browser.new_page()
        warm.goto(address)
        ready(warm)
        grid(warm).wait_for()
        warm.close()
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        sockets: list[WebSocket] = []
        page.on("websocket", lambda socket: sockets.append(socket))
        figures = [
            *first(page, address),
            *playing(page, sockets, options.seconds),
            *stepping(page),
            *keeping(page),
        ]
        figures.append(payload(options.characters))
        figures += [lanes(browser, server.url, count) for count in (4, 8)]
        tokens = grid(page).get_attribute("data-tokens")
        browser.close()
    print(f"{tokens} tokens before the first merge, {MERGES:,} merges")
    print_figures(figures)
    raise SystemExit(not all(figure.holds for figure in figures))


def first(page: Page, address: str) -> list[Figure]:
    """Measure the time to the first paint, and until the grid can be used."""
    begin = time.monotonic()
    page.goto(address)
    page.locator("[data-testid=token-grid][data-step]").wait_for()
    usable = time.monotonic() - begin
    ready(page)
    return [
        Figure("first paint", page.evaluate(FIRST_PAINT), "ms", 1_500),
        Figure("grid usable", usable * 1000, "ms", 2_500),
    ]


def playing(page: Page, sockets: list[WebSocket], seconds: float) -> list[Figure]:
    """Measure frames, script per step and messages to the server while playing 12 merges a second."""
    messages: list[object] = []
    for socket in sockets:
        socket.on("framesent", lambda message: messages.append(message))
    page.evaluate(WATCH_FRAMES)
    page.locator("[data-testid=speed]").select_option(label="12/s")
    page.locator("h1, body").first.evaluate("() => document.activeElement?.blur()")
    page.keyboard.press("Home")
    page.wait_for_timeout(600)
    messages.clear()
    page.keyboard.press("Space")
    page.evaluate("() => { window.__frames = []; window.__work = []; }")
    page.wait_for_timeout(seconds * 1000)
    frames: list[float] = page.evaluate("() => window.__frames")
    work: list[float] = sorted(page.evaluate("() => window.__work"))
    during = len(messages)
    page.keyboard.press("Space")
    page.wait_for_timeout(600)
    gaps = sorted(after - before for before, after in pairwise(frames))
    return [
        Figure("frames a second at 12 merges a second", 1000 * len(gaps) / sum(gaps), "", 55, at_least=True),
        Figure("frame p95", gaps[int(len(gaps) * 0.95)], "ms", 34),
        Figure(f"script a step, p50 of {len(work)}", median(work), "ms", 2),
        Figure("script a step, p95", work[int(len(work) * 0.95)], "ms", 2),
        Figure("messages to the server while playing", during, "", 0),
    ]


def stepping(page: Page) -> list[Figure]:
    """Measure a jump over all merges."""
    page.keyboard.press("Home")
    page.wait_for_timeout(400)
    jumps: list[tuple[float, float]] = [page.evaluate(PRESS, ["End", "Home"]) for _ in range(10)]
    page.wait_for_timeout(400)
    return [
        Figure(f"jump over {MERGES:,} merges, script", median(script for script, _ in jumps), "ms", 50),
        Figure(f"jump over {MERGES:,} merges, on screen", median(frame for _, frame in jumps), "ms", 50),
    ]


def keeping(page: Page) -> list[Figure]:
    """Measure whether the element survives reruns, and how soon Python follows a jump."""
    grid(page).evaluate("(root) => { root.__same = true; }")
    for _ in range(RERUNS):
        page.get_by_role("button", name="rerun").click()
    ready(page)
    survived = grid(page).evaluate("(root) => root.__same === true")

    def follow() -> float:
        step = int(grid(page).get_attribute("data-step") or 0) + 1
        page.evaluate("() => document.activeElement?.blur()")
        begin = time.monotonic()
        page.locator("[data-testid=jump]").fill(str(step))
        page.keyboard.press("Enter")
        page.get_by_text(f"python step {step}", exact=True).wait_for()
        return (time.monotonic() - begin) * 1000

    return [
        Figure(f"element lost in {RERUNS} reruns", 0 if survived else 1, "", 0),
        Figure("from a jump to Python's text on the page", median_of(follow), "ms", 500),
    ]


def lanes(browser: Browser, home: str, count: int) -> Figure:
    """Measure frames while the mouse scrubs `count` lanes of 2,000 tokens to and fro."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    rules = ",".join(RULES[:count])
    page.goto(f"{home}/?english=2500&window=2500&merges=400&rules={rules}&step=10")
    page.locator("[data-testid=token-grid][data-step]").nth(count - 1).wait_for()
    ready(page)
    box = page.get_by_test_id("scrubber").bounding_box()
    assert box
    page.evaluate(WATCH_FRAMES)
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 10, y)
    page.mouse.down()
    page.evaluate("() => { window.__frames = []; }")
    for _ in range(2):
        page.mouse.move(box["x"] + box["width"] - 10, y, steps=60)
        page.mouse.move(box["x"] + 10, y, steps=60)
    frames: list[float] = page.evaluate("() => window.__frames")
    page.mouse.up()
    gaps = [after - before for before, after in pairwise(frames)]
    page.close()
    name = f"frames a second, {count} lanes scrubbed"
    return Figure(name, 1000 * len(gaps) / sum(gaps), "", 50, at_least=True)


def median_of(measure: Callable[[], float], times: int = 7) -> float:
    """Return the median of several measurements."""
    return median(measure() for _ in range(times))


def payload(characters: int) -> Figure:
    """Measure the size of the feed as Streamlit sends it."""
    apache = json.loads((ROOT / "tests/golden/texts.json").read_text("utf-8"))["apache"]
    text = (apache * (characters // len(apache) + 1))[:characters]
    trace = bpe.train(text, variant="char-eow", merges=MERGES)
    return Figure(
        "data sent at first", len(json.dumps(training_feed(trace, text, size=characters))) / 1000, "KB", 60
    )


if __name__ == "__main__":
    main()
