"""Measure the page Compare in a headless Chromium against bounds. Run: python -m benchmarks.browser.compare [TEXT]."""

import argparse
import time
from itertools import pairwise
from pathlib import Path
from statistics import median

from playwright.sync_api import FilePayload, Page, sync_playwright

import bpe
from benchmarks.browser.grid import Figure, print_figures
from benchmarks.texts import english, real
from tests.browser.app_server import serve
from tests.browser.chromium import find_chromium, launch, ready

CHARACTERS, MERGES = 100_000, 1_000
RULES = ("first", "pair-max", "ids-min", "shortest", "last", "pair-min", "longest", "boundless-bpe")
LANES = (4, 8)  # so many of the rules, one lane each
LOW, TALL = 800, 1_500  # pixels; in a tall window all four lanes are visible, and six of eight
CPU = 16  # ms of the main thread a move, a little less than a frame
GRIDS = "[data-testid=token-grid][data-step]"
# Moves the scrubber to another step in every frame, as a hand does, and records the times of the frames.
SCRUB = """async ([seconds, steps]) => {
  const inside = (element) => element.shadowRoot?.querySelector('[data-testid=scrubber]');
  const scrubber = [...document.querySelectorAll('*')].map(inside).find(Boolean);
  const frames = [];
  const work = [];
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let begin = await frame(), now = begin; now < begin + seconds * 1000; now = await frame()) {
    frames.push(now);
    const share = ((now - begin) / 1000 / seconds) * 4 % 2;
    scrubber.value = Math.round((share < 1 ? share : 2 - share) * steps);
    const before = performance.now();
    scrubber.dispatchEvent(new Event('input', {bubbles: true}));
    work.push(performance.now() - before);
  }
  scrubber.dispatchEvent(new Event('change', {bubbles: true}));
  return [frames, work];
}"""


def main() -> None:
    """Print the figures; exit with 1 if one of them breaks its bound."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("text", nargs="?", type=Path, help="a text file of your own to compare on")
    arguments.add_argument("--seconds", type=float, default=8.0)
    options = arguments.parse_args()
    executable = find_chromium()
    if executable is None:
        raise SystemExit("There is no Chromium: set CHROMIUM to its path.")
    text = real(options.text, CHARACTERS) if options.text else english(CHARACTERS)
    with serve() as server, sync_playwright() as playwright:
        browser = launch(playwright, executable)
        page = browser.new_page(base_url=server.url, viewport={"width": 1280, "height": 800})
        page.goto("/compare")  # the server's first page also loads its modules
        ready(page)
        figures = [trained(text)]
        for lanes in LANES:
            figures += ready_soon(page, text, lanes)
            for height in (LOW, TALL):
                page.set_viewport_size({"width": 1280, "height": height})
                figures += scrubbing(page, options.seconds, lanes, height)
        tokens = [int(root.get_attribute("data-tokens") or 0) for root in page.locator(GRIDS).all()]
        browser.close()
    print(f"{len(text):,} characters, {MERGES:,} merges, lanes of {max(tokens):,} tokens")
    print_figures(figures)
    raise SystemExit(not all(figure.holds for figure in figures))


def address(lanes: int) -> str:
    """Return the address of Compare with so many lanes."""
    settings = f"corpus_source=upload&preset=none&variant=bytes-gpt2&merges={MERGES}"
    return f"/compare?{settings}&lanes={'~'.join(RULES[:lanes])}"


def trained(text: str) -> Figure:
    """Measure four trainings without the page."""
    begin = time.perf_counter()
    for rule in RULES[:4]:
        bpe.train(text, "bytes-gpt2", rule, merges=MERGES)
    return Figure("the core's trainings for four lanes", time.perf_counter() - begin, "s", 3)


def ready_soon(page: Page, text: str, lanes: int) -> list[Figure]:
    """Measure the time from the upload of a text until the page shows all grids, the strip and the verdict."""
    page.set_viewport_size({"width": 1280, "height": LOW})
    page.goto(address(lanes))
    ready(page)
    seconds = []
    for number in range(3):
        file: FilePayload = {
            "name": f"text{lanes}-{number}.txt",
            "mimeType": "text/plain",
            "buffer": f"{text} {lanes} {number}".encode(),
        }
        if number:
            page.locator("[data-testid=stFileUploader] button[aria-label^=Remove]").first.click()
            page.locator(GRIDS).first.wait_for(state="detached")
            ready(page)
        begin = time.monotonic()
        page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(file)
        page.wait_for_function(
            "(name) => document.querySelector('[data-testid=stSidebar]').innerText.includes(name)",
            arg=file["name"],
        )
        ready(page)
        page.locator(GRIDS).nth(lanes - 1).wait_for()
        page.get_by_test_id("strip").wait_for()
        seconds.append(time.monotonic() - begin)
    return [Figure(f"upload to {lanes} lanes ready, median of 3", median(seconds), "s", 3)]


def scrubbing(page: Page, seconds: float, lanes: int, height: int) -> list[Figure]:
    """Measure frames while the scrubber moves to and fro over all merges, in a window of this height."""
    ready(page)
    page.get_by_test_id("scrubber").wait_for()
    page.wait_for_timeout(500)
    browser = page.context.new_cdp_session(page)
    browser.send("Performance.enable", {"timeDomain": "threadTicks"})

    def task_seconds() -> float:
        measured = browser.send("Performance.getMetrics")["metrics"]
        return float(next(row["value"] for row in measured if row["name"] == "TaskDuration"))

    before = task_seconds()
    frames, work = page.evaluate(SCRUB, [seconds, MERGES])
    each = 1000 * (task_seconds() - before) / len(work)
    gaps = sorted(after - before for before, after in pairwise(frames))
    work.sort()
    return [
        Figure(
            f"frames a second, {lanes} lanes scrubbed in {height} px",
            1000 * len(gaps) / sum(gaps),
            "",
            50,
            at_least=True,
        ),
        Figure("main thread a move, CPU", each, "ms", CPU),
        Figure("frame p95", gaps[int(len(gaps) * 0.95)], "ms", 34),
        Figure("script a move, p95", work[int(len(work) * 0.95)], "ms", 10),
    ]


if __name__ == "__main__":
    main()
