"""Take pictures of every page, light and dark, wide and narrow, and report the browser's complaints.

    .venv/bin/python -m docs.screenshots                         # all pages, into screenshots/
    .venv/bin/python -m docs.screenshots watch compare --themes dark --widths 390

Start the app, or use the one at --url. Exit with 1 if a page shows an error, writes one to the console, asks another
host for anything, is wider than the window, or makes the server write a traceback.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Literal, get_args

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

from harness.app_server import serve
from harness.chromium import Complaints, find_chromium, launch, ready
from tests import ROOT
from ui.shown.navigation import PAGES

Theme = Literal["light", "dark"]
HEIGHTS = {1280: 800, 1024: 768, 390: 844}  # a laptop, a projector and a telephone
FIRST = "watch"  # the page at the app's own address
TALLEST = 12_000  # pixels; a page longer than that is cut
SETTLE_MILLISECONDS = 800  # charts and the grid fade in


def page_names() -> list[str]:
    """Return the names of all pages, in the order of the menu."""
    return list(PAGES)


def take(page: Page, width: int, path: Path, whole: bool) -> None:
    """Save a picture of the first screen, or of the whole page, for which the window is made taller."""
    if whole:
        # A taller window changes the layout again (charts, lazy elements), hence the second measurement.
        for _ in range(2):
            needed = page.evaluate(
                "() => { const main = document.querySelector('[data-testid=stMain]');"
                " return innerHeight - main.clientHeight + main.scrollHeight; }"
            )
            size = page.viewport_size or {"width": 0, "height": 0}
            page.set_viewport_size(
                {"width": size["width"], "height": min(max(needed, size["height"]), TALLEST)}
            )
            page.wait_for_timeout(SETTLE_MILLISECONDS)
            ready(page)
    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=path)


def faults(page: Page) -> Iterator[str]:
    """Yield a description of each problem of the page."""
    for alert in page.locator("[data-testid=stException]").all():
        yield f"error on the page: {alert.inner_text()[:200]}"
    wider = page.evaluate(
        "() => { const main = document.querySelector('[data-testid=stMain]');"
        " return main.scrollWidth - main.clientWidth }"
    )
    if wider > 0:
        yield f"{wider} pixels wider than the window"


def photograph(
    browser: Browser, url: str, address: str, theme: Theme, width: int, path: Path, whole: bool
) -> list[str]:
    """Save one picture and return the problems of the page."""
    context = browser.new_context(
        base_url=url, color_scheme=theme, viewport={"width": width, "height": HEIGHTS[width]}
    )
    page = context.new_page()
    complaints = Complaints(url)
    complaints.listen(page)
    try:
        page.goto(address)
        ready(page)
        page.wait_for_timeout(SETTLE_MILLISECONDS)
        take(page, width, path, whole)
        return [*faults(page), *complaints.heard]
    except TimeoutError as error:
        return [f"no picture: {error.message}", *complaints.heard]
    finally:
        context.close()


def main() -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m docs.screenshots", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "pages", nargs="*", metavar="PAGE", help="watch, compare, ...; all when none is named"
    )
    parser.add_argument("--themes", nargs="+", default=get_args(Theme), choices=get_args(Theme))
    parser.add_argument("--widths", nargs="+", type=int, default=[*HEIGHTS], choices=HEIGHTS)
    parser.add_argument("--query", default="", help='settings as in a link: "preset=minbpe-basic&merges=20"')
    parser.add_argument("--first-screen", action="store_true", help="as it opens, without what is below")
    parser.add_argument("--to", type=Path, default=ROOT / "screenshots", metavar="FOLDER")
    parser.add_argument("--url", help="a running app, instead of one of its own")
    parser.add_argument("--port", type=int, help="port of the app that is started; a free one by default")
    arguments = parser.parse_args()
    executable = find_chromium()
    if executable is None:
        parser.error("no Chromium found: set CHROMIUM to its path")

    faults_found: list[str] = []
    with ExitStack() as stack:
        server = None if arguments.url else stack.enter_context(serve(port=arguments.port))
        url = server.url if server else arguments.url.rstrip("/")
        browser = launch(stack.enter_context(sync_playwright()), executable)
        for name in arguments.pages or page_names():
            for theme in arguments.themes:
                for width in arguments.widths:
                    size = "" if width == 1280 else f"-{width}"
                    path = arguments.to / f"{name}-{theme}{size}.png"
                    address = "/" if name == FIRST else f"/{name}"
                    address += f"?{arguments.query}" if arguments.query else ""
                    wrong = photograph(browser, url, address, theme, width, path, not arguments.first_screen)
                    print(path, "".join(f"\n    {fault}" for fault in wrong))
                    faults_found += wrong
        browser.close()
        if server and "Traceback" in server.output():
            _, _, traceback = server.output().partition("Traceback")
            faults_found.append("traceback")
            print("The server wrote, at first: Traceback" + traceback.partition("Uncaught")[0])
    return 1 if faults_found else 0


if __name__ == "__main__":
    sys.exit(main())
