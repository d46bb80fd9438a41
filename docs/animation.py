"""Make README's two pictures, as a viewer saves them: the first merges, and every way to break the ties of a word.

.venv/bin/python -m docs.animation                 # docs/first-merges.gif and docs/every-way.svg
"""

import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import bpe
from film.page import film_page
from harness.app_server import serve
from harness.chromium import find_chromium, launch, ready, take_away
from tests import ROOT

MERGES = ROOT / "docs" / "first-merges.gif"
WAYS = ROOT / "docs" / "every-way.svg"
WORD = "banana"
MOST_BYTES = 1_500_000
ADDRESS = "/?corpus_sample=low-lower-newest-widest&merges=10"
FIRST, LAST = 1, 10  # merges
FRAMES_A_SECOND = "1"


def main() -> int:
    """Run the command line and return the exit status."""
    executable = find_chromium()
    if executable is None:
        print("There is no Chromium: set CHROMIUM to its path.")
        return 2
    with serve() as server, sync_playwright() as playwright:
        browser = launch(playwright, executable)
        page = browser.new_page(base_url=server.url, viewport={"width": 1280, "height": 900})
        page.goto(ADDRESS)
        ready(page)
        save_animation(page, MERGES)
        save_ways(page, WAYS)
        browser.close()
    size = MERGES.stat().st_size
    print(f"{MERGES.relative_to(ROOT)}: {size / 1000:.0f} kB")
    return 1 if size > MOST_BYTES else 0


def save_animation(page: Page, file: Path) -> None:
    """Save the GIF of the merges, as a viewer does with Share and “Picture”."""
    take_away(page, "Picture")
    gif = page.locator(".st-key-save_gif")
    gif.get_by_label("first merge").fill(str(FIRST))
    gif.get_by_label("last merge").fill(str(LAST))
    gif.get_by_label("Speed").select_option(FRAMES_A_SECOND)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save GIF").click()
    download.value.save_as(file)


def save_ways(page: Page, file: Path) -> None:
    """Save the picture of every way that a film of WORD shows."""
    trace = bpe.train(WORD, "char-eow")
    page.set_content(film_page(trace, WORD))
    with page.expect_download() as download:
        page.get_by_test_id("save-every-way-svg").click()
    download.value.save_as(file)


if __name__ == "__main__":
    sys.exit(main())
