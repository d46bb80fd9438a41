"""Measure how long it takes from choosing a published tokenizer to its number of tokens on the screen.

Run: python -m benchmarks.published_count. On Watch and on Encode, a visitor chooses each tokenizer in turn, which
nobody has opened before, and another visitor chooses it right after. Each page has a server of its own. The CPU time
of the server tells what other work on the machine adds to the seconds.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.first_screen import process_seconds
from benchmarks.measure import print_machine, print_table
from harness.app_server import AppServer, serve
from harness.chromium import find_chromium, launch, open_choice, ready
from published.rows import PUBLISHED

SENTENCE = "Is the unbelievable strawberry really three tokens long, or is it two?"
MOST_FIRST, MOST_AGAIN = (
    3.0,
    1.5,
)  # seconds: for a tokenizer that nobody has opened, and for one that somebody has
PAGES = {"Watch": "/", "Encode": "/encode"}
FIELDS = "[data-testid=page-text], [data-testid=your-text]"
PRESS, ROW = ".st-key-recipe_source button >> text=Published", "[data-testid=published-{}]"
# The line that says the number of tokens ends with the tokenizer's name.
SAYS = """(name) => {
  const search = (root) => [...root.querySelectorAll('*')].some((element) =>
    (element.matches('[data-testid=token-count-line] > .line') && element.innerText.endsWith(` · ${name}`)) ||
    (element.shadowRoot && search(element.shadowRoot)));
  return search(document);
}"""


def main() -> None:
    """Print the table; exit with 1 if a bound is broken."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    executable = find_chromium()
    if executable is None:
        raise SystemExit("There is no Chromium: set CHROMIUM to its path.")
    print_machine()
    rows: list[tuple[str, str, float, float, float, float]] = []
    with sync_playwright() as playwright:
        browser = launch(playwright, executable)
        for name, path in PAGES.items():
            with serve() as app:
                visits = zip(_visit(browser, app, path), _visit(browser, app, path), strict=True)
                for (slug, first, first_cpu), (_, again, again_cpu) in visits:
                    rows.append((name, PUBLISHED[slug].name, first, again, first_cpu, again_cpu))
        browser.close()
    print_table(
        "From choosing a tokenizer to its number of tokens, in seconds",
        ("page", "tokenizer", "nobody has opened it", "somebody has", "CPU of the server", "CPU"),
        rows,
    )
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")
    sys.exit(any(first > MOST_FIRST or again > MOST_AGAIN for _, _, first, again, _, _ in rows))


def _visit(browser: Browser, app: AppServer, path: str) -> Iterator[tuple[str, float, float]]:
    """Yield (slug, seconds, CPU seconds) for each published tokenizer that a new visitor chooses, all on one text."""
    context = browser.new_context(base_url=app.url, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(path)
    ready(page)
    page.locator(FIELDS).first.fill(SENTENCE)
    page.keyboard.press("Escape")
    ready(page)
    for number, slug in enumerate(PUBLISHED):
        open_choice(page, "tokenizer")
        # The switch to published ones opens the first of them.
        cpu = process_seconds(app.pid)
        seconds = _seconds_until_counted(page, ROW.format(slug) if number else PRESS, PUBLISHED[slug].name)
        yield slug, seconds, process_seconds(app.pid) - cpu
        ready(page)
    context.close()


def _seconds_until_counted(page: Page, pressed: str, name: str) -> float:
    button = page.locator(pressed)
    button.wait_for()
    begin = time.monotonic()
    button.click()
    page.wait_for_function(SAYS, arg=name, polling="raf", timeout=60_000)
    return time.monotonic() - begin


if __name__ == "__main__":
    main()
