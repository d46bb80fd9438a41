"""Measure the trainer of films: beside Python, and in a film in a headless Chromium.

Run: python -m benchmarks.films. The first table has CPU seconds of node and of Python, which train and make
the feed in turn. The second one has what a viewer waits for who types into a film from disk, with bounds; the script
exits with 1 if one of them is broken.
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median
from typing import IO, Any

from playwright.sync_api import Page, sync_playwright

import bpe
from benchmarks.measure import ROOT, cpu_seconds, print_machine, print_table
from benchmarks.texts import english
from film.live import live_settings
from film.page import film_page
from film.training_feed import training_feed
from film.windows import FILM_WINDOW
from harness.chromium import find_chromium, launch
from tests.js.tools import node

SIZES = ((2_000, 200), (FILM_WINDOW, 1_000))  # characters, merges
KEYSTROKES = 100
# Answers each line of JSON, a text and a recipe, with the CPU seconds of the training and of its feed.
PROGRAM = """
import { createTrainer } from "%s";
import { createInterface } from "node:readline";
let trainer;
for await (const line of createInterface({ input: process.stdin })) {
  const { live, text, recipe } = JSON.parse(line);
  if (live) trainer = createTrainer(live);
  else {
    const start = process.cpuUsage();
    const training = trainer.train(text, recipe);
    const trained = process.cpuUsage(start);
    trainer.feed(training);
    const fed = process.cpuUsage(start);
    const seconds = ({ user, system }) => (user + system) / 1e6;
    console.log(JSON.stringify([seconds(trained), seconds(fed) - seconds(trained)]));
  }
}
"""
# Records, for each input, the milliseconds until the frame that shows its training, and the gaps between all frames.
WATCH = """() => {
  const inside = (element) => element.shadowRoot?.querySelector('[data-testid=token-grid]');
  const root = [...document.querySelectorAll('*')].map(inside).find(Boolean);
  window.answers = [];
  window.gaps = [];
  let latest = performance.now();
  const tick = (now) => { window.gaps.push(now - latest); latest = now; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
  addEventListener('input', (event) => {
    const before = root.dataset.id;
    const look = () => {
      if (root.dataset.id === before) return requestAnimationFrame(look);
      // A message arrives after the frame is painted.
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.answers.push(performance.now() - event.timeStamp);
      channel.port2.postMessage(0);
    };
    requestAnimationFrame(look);
  }, { capture: true });
}"""

EMPTY = """() => {
  window.answers = [];
  addEventListener('input', (event) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.answers.push(performance.now() - event.timeStamp);
    channel.port2.postMessage(0);
  }));
}"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the second table: a measurement in milliseconds and its bound."""

    name: str
    value: float
    bound: float


@contextmanager
def node_trainer() -> Iterator[tuple[IO[str], IO[str]]]:
    """Start node with the trainer. Give the streams for questions and for answers."""
    trainer = (ROOT / "film/browser/trainer/trainer.js").as_uri()
    process = subprocess.Popen(
        [node(), "--input-type=module", "-e", PROGRAM % trainer],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert process.stdin
    assert process.stdout
    print(json.dumps({"live": live_settings()}), file=process.stdin)
    yield process.stdin, process.stdout
    process.stdin.close()
    process.wait()


def beside_python(rounds: int) -> Iterator[tuple[object, ...]]:
    """Yield a row for each size, variant and rule: seconds of the page's trainer and of Python, and their ratio."""
    variants, rules = live_settings()["variants"], live_settings()["rules"]
    rows = [(variants[0]["slug"], rules[0]["slug"]), (variants[-2]["slug"], rules[3]["slug"])]
    with node_trainer() as (ask, answer):
        for (characters, merges), (variant, rule) in product(SIZES, rows):
            text = english(characters)[:characters]
            recipe: dict[str, Any] = {"variant": variant, "tie_break": rule, "merges": merges}
            here: list[list[float]] = []
            python: list[float] = []
            for _ in range(rounds):
                print(json.dumps({"text": text, "recipe": recipe}), file=ask)
                here.append(json.loads(answer.readline()))
                python.append(cpu_seconds(partial(train_in_python, text, recipe)))
            trained, fed = (median(column) for column in zip(*here, strict=True))
            ratio = (trained + fed) / median(python)
            yield characters, merges, variant, rule, trained, fed, sum(here[0]), median(python), ratio


def train_in_python(text: str, recipe: dict[str, Any]) -> None:
    """Train and make the feed, as the app does."""
    training_feed(bpe.train(text, **recipe), text, size=FILM_WINDOW)


def empty(page: Page) -> Figure:
    """Return the same for a page with nothing but a field: what the machine alone needs."""
    page.set_content(f"<!doctype html><textarea rows=9 cols=90>{one_line(SIZES[0][0])}</textarea>")
    page.evaluate(EMPTY)
    page.locator("textarea").focus()
    for number in range(KEYSTROKES):
        page.keyboard.type("merge by merge "[number % 15])
        page.wait_for_function("(count) => window.answers.length >= count", arg=number + 1, polling=100)
    answers = sorted(page.evaluate("() => window.answers"))
    return Figure("a keystroke in an empty page, 95th percentile", answers[int(len(answers) * 0.95)], 50)


def main_thread(page: Page) -> Callable[[], float]:
    """Return a clock of the CPU seconds that the page's main thread has worked. Other work does not make it faster."""
    browser = page.context.new_cdp_session(page)
    browser.send("Performance.enable", {"timeDomain": "threadTicks"})

    def seconds() -> float:
        measured = browser.send("Performance.getMetrics")["metrics"]
        return float(next(row["value"] for row in measured if row["name"] == "TaskDuration"))

    return seconds


def one_line(characters: int) -> str:
    """Return English without line ends: Chromium's driver types each line of a text on its own."""
    return english(characters)[:characters].replace("\n", " ")


def typed(page: Page) -> Iterator[Figure]:
    """Yield what a viewer waits for who types into a film."""
    field = page.get_by_test_id("own-text")
    page.get_by_test_id("own-words").click()
    short, merges = SIZES[0]
    page.get_by_test_id("own-merges").fill(str(merges))
    field.fill(one_line(short))
    page.wait_for_timeout(1_500)
    page.evaluate(WATCH)
    field.focus()
    page.keyboard.press("Control+End")
    clock = main_thread(page)
    work: list[float] = []
    for number in range(KEYSTROKES):
        before = clock()
        page.keyboard.type("merge by merge "[number % 15])
        page.wait_for_function("(count) => window.answers.length >= count", arg=number + 1, polling=100)
        work.append(1000 * (clock() - before))
    answers = sorted(page.evaluate("() => window.answers"))
    name = f"keystroke to its frame, {short:,} characters, {merges} merges"
    yield Figure(f"{name}, median", median(answers), 50)
    yield Figure("the same, 95th percentile", answers[int(len(answers) * 0.95)], 50)
    yield Figure("its CPU on the main thread, median", median(work), 25)
    yield Figure("its CPU on the main thread, 95th percentile", sorted(work)[int(len(work) * 0.95)], 50)
    long, merges = SIZES[1]
    page.evaluate("() => { window.answers = []; }")
    field.fill(one_line(long))
    page.wait_for_function("() => window.answers.length")
    page.evaluate("() => { window.answers = []; window.gaps = []; }")
    page.get_by_test_id("own-merges").fill(str(merges))
    page.wait_for_function("() => window.answers.length")
    seconds = page.evaluate("() => window.answers[0]")
    yield Figure(f"{long:,} characters, {merges:,} merges, on screen", seconds, 1_000)
    yield Figure("longest time without a frame meanwhile", max(page.evaluate("() => window.gaps")), 500)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    executable = find_chromium()
    if executable is None:
        raise SystemExit("There is no Chromium: set CHROMIUM to its path.")
    print_machine()
    columns = (
        "characters",
        "merges",
        "variant",
        "rule",
        "training s",
        "feed s",
        "first time s",
        "Python s",
        "ratio",
    )
    print_table("The trainer of films beside Python", columns, beside_python(options.rounds))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "film.html"
        file.write_text(film_page(bpe.train("low lower", merges=3), "low lower"), "utf-8")
        browser = launch(playwright, executable)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(file.as_uri())
        figures = [*typed(page), empty(browser.new_page())]
        browser.close()
    print_table("In a film", ("", "ms", "bound"), [(one.name, one.value, one.bound) for one in figures])
    raise SystemExit(not all(one.value <= one.bound for one in figures))


if __name__ == "__main__":
    main()
