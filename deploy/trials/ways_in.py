"""Measure the ways in: what each one weighs, and how long it takes until the first merge.

Run: python -m deploy.trials.ways_in [WAY ...]. Each way is opened in a headless Chromium with an empty cache;
requests to other hosts are counted. The first table is the one in README; the second has all measurements.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.browser.trainer import main_thread
from benchmarks.measure import print_machine, print_table
from deploy.trials.hosted import BASE, hosted
from docs.gallery.build import build
from docs.gallery.films import Film, all_films, film_of_story
from docs.gallery.page import Addresses
from tests.browser.app_server import AppServer, free_port, stop, wait_until_healthy
from tests.browser.chromium import find_chromium, launch, ready
from tests.shipping.installed import environment, install
from tests.shipping.static_server import served
from ui.sidebar.texts import corpus as corpora

GRID = "[data-testid=token-grid][data-step]"
MERGED = f"{GRID}:not([data-step='0'])"
PATIENCE = 120_000  # milliseconds
OWN_WORDS = "low lower lowest"


@dataclass(frozen=True, slots=True)
class Measured:
    """What one way in costs."""

    size: int  # bytes of what is downloaded or installed for it, without its dependencies
    what: str  # words that follow the size in the table
    seconds: Mapping[str, float]  # {until what: seconds since the link was opened or the command was given}
    requests: int  # to other hosts
    work: float | None = (
        None  # CPU seconds of the page's main thread until the first merge, whatever else runs
    )


class Visit:
    """One page with an empty cache, a clock that starts with it, and records of what it requests and receives."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._begin = time.monotonic()
        self._urls: list[str] = []
        self.received = 0  # bytes, as they came over the network
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: self._urls.append(request.url))
        network = page.context.new_cdp_session(page)
        network.on("Network.loadingFinished", self._receive)
        network.send("Network.enable")
        self.work = main_thread(page)

    def until(self, selector: str) -> float:
        """Return the seconds until an element is on the page."""
        self.page.locator(selector).first.wait_for()
        return self.seconds

    def first_merge(self) -> float:
        """Play the app with Space, and return the seconds until the first merge."""
        ready(self.page)
        self.page.keyboard.press("Space")
        return self.until(MERGED)

    def _receive(self, event: Mapping[str, float]) -> None:
        self.received += int(event["encodedDataLength"])

    @property
    def seconds(self) -> float:
        """Time since the link was opened or the command was given."""
        return time.monotonic() - self._begin

    @property
    def requests(self) -> int:
        """Number of requests to other hosts than this machine."""
        return sum(urlsplit(url).hostname not in {None, "", "127.0.0.1", "localhost"} for url in self._urls)


@contextmanager
def visit(browser: Browser) -> Iterator[Visit]:
    """Open an empty page, and start its clock."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield Visit(context.new_page())
    context.close()


def film_file(browser: Browser) -> Measured:
    """Measure a film of the gallery, opened from disk: the story, which plays by itself."""
    with tempfile.TemporaryDirectory() as folder:
        film = _story()
        build([film], Path(folder), Addresses(), None)
        file = Path(folder) / film.file
        with visit(browser) as visitor:
            visitor.page.goto(f"{file.as_uri()}#play=1")
            seconds = {"grid": visitor.until(GRID), "first merge": visitor.until(MERGED)}
            return Measured(file.stat().st_size, ", one HTML file", seconds, visitor.requests, visitor.work())


def gallery(browser: Browser) -> Measured:
    """Measure the gallery on a plain web server: its first page, until it has merged a pair of typed words."""
    with tempfile.TemporaryDirectory() as folder:
        if problems := build(all_films(), Path(folder), Addresses(), browser):
            raise SystemExit("\n".join(problems))
        with served(Path(folder)) as address, visit(browser) as visitor:
            visitor.page.goto(f"{address}index.html", wait_until="commit")
            seconds = {"grid": visitor.until(GRID)}
            visitor.page.get_by_test_id("own-text").fill(OWN_WORDS)
            seconds["own words"] = visitor.until(f"{GRID}[data-text='{OWN_WORDS}']")
            visitor.page.locator(".transport .next").first.click()
            seconds["first merge"] = visitor.until(MERGED)
            what = ", to the first merge of your own words"
            return Measured(visitor.received, what, seconds, visitor.requests, visitor.work())


def command(browser: Browser) -> Measured:
    """Measure the installed command `merge-by-merge`: the server starts, the page opens, Space is pressed."""
    with tempfile.TemporaryDirectory() as folder:
        installed = install(Path(folder) / "site")
        wheel = sum(file.stat().st_size for file in installed.rglob("*") if file.is_file())
        port = free_port()
        server = AppServer(f"http://127.0.0.1:{port}", Path(folder) / "server.log")
        with visit(browser) as visitor, server.log.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "merge_by_merge", "--port", str(port), "--no-browser"],
                cwd=folder,
                env={**os.environ, **environment(installed), "HOME": folder},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
            try:
                wait_until_healthy(server, process)
                visitor.page.goto(server.url)
                seconds = {"grid": visitor.until(GRID), "first merge": visitor.first_merge()}
            finally:
                stop(process)
            return Measured(wheel, ", without its dependencies", seconds, visitor.requests)


def hosted_app(browser: Browser) -> Measured:
    """Measure the app as deploy/ hosts it: behind its proxy, which compresses, below a path.

    Two visitors use the same process, one after the other. For the first one it loads what it needs.
    """
    with tempfile.TemporaryDirectory() as folder, hosted(Path(folder), processes=1) as host:
        seconds: dict[str, float] = {}
        for who in ("", "next visitor's "):
            with visit(browser) as visitor:
                visitor.page.goto(f"{host.app.url}/{BASE}/")
                seconds |= {f"{who}grid": visitor.until(GRID), f"{who}first merge": visitor.first_merge()}
        return Measured(visitor.received, ", which the browser receives once", seconds, visitor.requests)


def _story() -> Film:
    return next(film_of_story(sample) for sample in corpora.samples().values() if sample.tale is not None)


# A way in -> what measures it.
WAYS: Mapping[str, Callable[[Browser], Measured]] = {
    "a film from disk": film_file,
    "the gallery on a web server": gallery,
    "merge-by-merge, installed": command,
    "hosted for a class": hosted_app,
}


def size_in_words(size: int) -> str:
    """Return a number of bytes with two or three digits, in kB or MB.

    >>> size_in_words(4_321_000), size_in_words(14_040_000), size_in_words(121_400)
    ('4.3 MB', '14 MB', '121 kB')
    """
    if size < 1_000_000:
        return f"{size / 1000:.0f} kB"
    return f"{size / 1e6:.1f} MB" if size < 10_000_000 else f"{size / 1e6:.0f} MB"


def row(name: str, measured: Measured) -> tuple[str, str, str]:
    """Return a row of README's table: the way, its size, and the seconds until the first merge."""
    seconds = _seconds(measured.seconds["first merge"])
    return name, f"{size_in_words(measured.size)}{measured.what}", f"{seconds} s"


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f}" if seconds < 10 else f"{seconds:.0f}"


def details(name: str, measured: Measured) -> tuple[str, str, str, str, int]:
    """Return a row with all measurements of a way."""
    seconds = ", ".join(f"{until} {_seconds(time)}" for until, time in measured.seconds.items())
    work = "" if measured.work is None else f"{measured.work:.2f}"
    return name, f"{measured.size:,}", seconds, work, measured.requests


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ways", nargs="*", metavar="WAY", help=f"one or more of {', '.join(map(repr, WAYS))}")
    chosen = parser.parse_args().ways or list(WAYS)
    if unknown := set(chosen) - set(WAYS):
        parser.error(f"there is no way {', '.join(sorted(unknown))}")
    executable = find_chromium()
    if executable is None:
        raise SystemExit("There is no Chromium: set CHROMIUM to its path.")
    print_machine()
    with sync_playwright() as playwright:
        browser = launch(playwright, executable)
        measured = {name: WAYS[name](browser) for name in chosen}
        browser.close()
    rows = (row(name, one) for name, one in measured.items())
    print_table("For README", ("way", "size", "first merge"), rows)
    columns = ("way", "bytes", "seconds until", "CPU of the page s", "requests to other hosts")
    print_table("Details", columns, (details(name, one) for name, one in measured.items()))


if __name__ == "__main__":
    main()
