"""Measure how long a fresh browser waits for the grid and until it can be used, beside an empty Streamlit page.

Run: python -m benchmarks.first_screen [--rounds N] [--files]. Each visit starts a browser with an empty cache.
What is loaded counts until the grid is alive, in bytes as they are on the server. So does the CPU time of the server
and of the page's own process, which other work on the machine changes less than it changes the seconds. What comes
through the web socket, scripts of components among it, is counted until the page is drawn as a whole.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, Playwright, Response, sync_playwright

from benchmarks.measure import print_machine, print_table
from harness.app_server import AppServer, serve
from harness.chromium import find_chromium, launch, ready

EMPTY = "import streamlit as st\nst.write('An empty page.')\n"
PAGES = {
    "Watch": "/",
    "Lessons": "/lessons",
    "Compare": "/compare",
}
MOST_TIMES = {"Watch": 0.65, "Lessons": 0.8, "Compare": 0.9}  # of an empty page's time
MOST_MB, MOST_CHANGE = 3.3, 0.5  # before the grid; seconds
EMPTY_IS_DRAWN = (
    "() => document.querySelector('[data-testid=stMarkdown]')?.innerText.includes('An empty page.')"
)
# A grid has drawn a frame: the transport is alive too. Lessons begin with a card. `isOver` marks those of the page that
# is left.
GRID_IS_ALIVE = """(isOver) => {
  const grids = [];
  const search = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (['token-grid', 'lesson'].includes(element.dataset?.testid)) grids.push(element);
      if (element.shadowRoot) search(element.shadowRoot);
    }
  };
  search(document);
  if (isOver) for (const grid of grids) grid.dataset.over = 'true';
  return grids.some(
    ({ dataset: { text, lesson, over }, offsetHeight }) => (text || lesson) && !over && offsetHeight > 0);
}"""

# What a visitor does as soon as it can be done: a press of → makes a merge, and the field of Watch takes a letter.
HAS_MERGED = """() => {
  const search = (root) => [...root.querySelectorAll('*')].some(
    (one) => Number(one.dataset?.step) > 0 || (one.shadowRoot && search(one.shadowRoot)));
  return search(document);
}"""
IN_FIELD = """(has) => {
  const search = (root) => {
    for (const one of root.querySelectorAll('*')) {
      if (one.dataset?.testid === 'your-text' && one.offsetHeight > 0) return one;
      const inside = one.shadowRoot && search(one.shadowRoot);
      if (inside) return inside;
    }
  };
  const field = search(document);
  if (!field) return false;
  if (has) return field.value.includes(has);
  field.focus();
  return field.matches(':focus');
}"""
TYPED = "qqq"


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit of a page by a fresh browser."""

    seconds: float  # until the grid is alive
    loaded: dict[str, int]  # before that: {file: bytes}
    server_cpu: float  # seconds
    browser_cpu: float  # seconds, of the process that draws the page
    sent: int  # bytes through the web socket until the page is drawn as a whole

    @property
    def megabytes(self) -> float:
        """What was loaded, in MB."""
        return sum(self.loaded.values()) / 1e6


def main() -> None:
    """Print the tables; exit with 1 if a bound is broken."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--rounds", type=int, default=5, help="visits of each page")
    arguments.add_argument("--files", action="store_true", help="also list what was loaded")
    options = arguments.parse_args()
    executable = find_chromium()
    if executable is None:
        raise SystemExit("There is no Chromium: set CHROMIUM to its path.")
    print_machine()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY, "utf-8")
        with serve() as app, serve(script) as empty:
            visits = measure(playwright, executable, app, empty, options.rounds)
            deeds = first_deeds(playwright, executable, app, empty, options.rounds)
            changes = dict(page_changes(playwright, executable, app, options.rounds))
    seconds = {name: median(visit.seconds for visit in rows) for name, rows in visits.items()}
    rows = [
        (name, seconds[name], seconds[name] / seconds["an empty page"], last.megabytes, last.sent / 1e6)
        for name, (*_, last) in visits.items()
    ]
    columns = ("", "seconds", "times an empty page", "MB before it", "MB by web socket in all")
    print_table("Until the grid is alive", columns, rows)
    own = median(deeds["an empty page"])
    used = [(name, median(waits), median(waits) / own) for name, waits in deeds.items()]
    print_table("Until Watch can be used", ("", "seconds", "times an empty page"), used)
    cpu = [
        (name, median(one.server_cpu for one in rows), median(one.browser_cpu for one in rows))
        for name, rows in visits.items()
    ]
    print_table("CPU seconds until then", ("", "server", "browser"), cpu)
    print_table("To another page, once its scripts are there", ("", "seconds"), changes.items())
    if options.files:
        for name in PAGES:
            files = sorted(visits[name][-1].loaded.items(), key=lambda item: -item[1])
            print_table(name, ("file", "kB"), [(file, size // 1000) for file, size in files[:25]])
    holds = all(
        times <= MOST_TIMES[name] and loaded <= MOST_MB for name, _, times, loaded, _ in rows if name in PAGES
    )
    sys.exit(not (holds and max(changes.values()) <= MOST_CHANGE))


def measure(
    playwright: Playwright, executable: str, app: AppServer, empty: AppServer, rounds: int
) -> dict[str, list[Visit]]:
    """Return the visits of each page, all pages in turn, after one round that does not count."""
    visits: dict[str, list[Visit]] = {}
    for number in range(rounds + 1):
        turn = {"an empty page": visit(playwright, executable, empty, "/", EMPTY_IS_DRAWN)}
        for name, path in PAGES.items():
            turn[name] = visit(playwright, executable, app, path, GRID_IS_ALIVE)
        if number:
            for name, one in turn.items():
                visits.setdefault(name, []).append(one)
        print(".", end="", flush=True)
    return visits


def first_deeds(
    playwright: Playwright, executable: str, app: AppServer, empty: AppServer, rounds: int
) -> dict[str, list[float]]:
    """Return the seconds until the first things are done on Watch, each in a browser of its own, in turn.

    An empty page takes no key: its seconds are those until it is drawn.
    """
    waits: dict[str, list[float]] = {}

    def merge(page: Page) -> None:
        page.wait_for_function(GRID_IS_ALIVE, polling="raf", timeout=60_000)
        page.keyboard.press("ArrowRight")
        page.wait_for_function(HAS_MERGED, polling="raf", timeout=60_000)

    def type_into_field(page: Page) -> None:
        page.wait_for_function(IN_FIELD, polling="raf", timeout=60_000)
        page.keyboard.type(TYPED)
        page.wait_for_function(IN_FIELD, arg=TYPED, polling="raf", timeout=60_000)

    deeds: dict[str, tuple[AppServer, Callable[[Page], object]]] = {
        "an empty page": (
            empty,
            lambda page: page.wait_for_function(EMPTY_IS_DRAWN, polling="raf", timeout=60_000),
        ),
        "→ has made a merge": (app, merge),
        "the field has taken letters": (app, type_into_field),
    }
    for number in range(rounds + 1):
        for name, (server, does) in deeds.items():
            browser = launch(playwright, executable)
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            begin = time.monotonic()
            page.goto(server.url, wait_until="commit")
            does(page)
            if number:
                waits.setdefault(name, []).append(time.monotonic() - begin)
            browser.close()
        print(".", end="", flush=True)
    return waits


def visit(playwright: Playwright, executable: str, server: AppServer, path: str, alive: str) -> Visit:
    """Visit a page with a browser of its own."""
    browser = launch(playwright, executable)
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    loaded: dict[str, int] = {}
    page.on("response", lambda response: note(response, loaded))
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(len(frame))))
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    begin, cpu_before = time.monotonic(), process_seconds(server.pid)
    page.goto(server.url + path, wait_until="commit")
    page.wait_for_function(alive, polling="raf", timeout=60_000)
    seconds, before = time.monotonic() - begin, dict(loaded)
    server_cpu = process_seconds(server.pid) - cpu_before
    metrics = {row["name"]: row["value"] for row in session.send("Performance.getMetrics")["metrics"]}
    ready(page)
    browser.close()
    return Visit(seconds, before, server_cpu, float(metrics["ProcessTime"]), sum(sent))


def process_seconds(pid: int) -> float:
    """Return the CPU seconds that a process and its threads have spent, as /proc/PID/stat says."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def note(response: Response, loaded: dict[str, int]) -> None:
    """Note the size of what the server sent, as it says itself."""
    size = response.headers.get("content-length", "0")
    loaded[response.url.rpartition("/")[2]] = int(size)


def page_changes(
    playwright: Playwright, executable: str, app: AppServer, rounds: int
) -> Iterator[tuple[str, float]]:
    """Yield for each page the median seconds from a click in the menu to its grid, all pages having been shown."""
    browser = launch(playwright, executable)
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(app.url + PAGES["Lessons"])  # the menu leads back to this lesson
    seconds: dict[str, list[float]] = {name: [] for name in PAGES}
    page.wait_for_function(GRID_IS_ALIVE, polling="raf", timeout=60_000)
    page.wait_for_timeout(3_000)
    for number in range(rounds + 1):
        for name in ("Compare", "Watch", "Lessons"):
            taken = change(page, name)
            if number:
                seconds[name].append(taken)
    browser.close()
    yield from ((name, median(times)) for name, times in seconds.items())


def change(page: Page, name: str) -> float:
    """Return the seconds from the click on a page's name in the menu until its grid is alive, then rest."""
    link = page.locator("[data-testid=stTopNavLink]").filter(has_text=name)
    page.evaluate(GRID_IS_ALIVE, True)
    begin = time.monotonic()
    link.click()
    page.wait_for_function(GRID_IS_ALIVE, polling="raf", timeout=60_000)
    taken = time.monotonic() - begin
    page.wait_for_timeout(2_500)
    return taken


if __name__ == "__main__":
    main()
