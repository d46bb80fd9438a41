"""Measure Vocabulary with 50,000 tokens and Encode with 1 MB of text in a headless Chromium against bounds.

Run: python -m benchmarks.browser.pages [--text FILE]. Every time is from a click or key to the first frame with the
answer.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from playwright.sync_api import FilePayload, Page, sync_playwright

from benchmarks.measure import print_machine, print_table
from benchmarks.texts import english, real
from tests.browser.app_server import serve
from tests.browser.chromium import find_chromium, launch, ready

Row = tuple[str, float, float]  # (what was done, seconds, the bound)
LEARNED, PASTED = 3_000_000, 990_000  # characters
RECIPE = "preset=none&variant=char-eow"
SECONDS = 120_000  # longest wait, in milliseconds
# The table that the data grid adds for screen readers: it holds the visible rows.
TABLE = "[data-testid=stDataFrame] table[role=grid]"
COUNT = """() => [...document.querySelectorAll('[data-testid=stCaptionContainer]')]
  .map((caption) => caption.innerText).find((text) => / of [0-9,]+ tokens;/.test(text))"""
FIRST_ROW = f"() => document.querySelector('{TABLE} tbody tr:last-of-type')?.innerText"
TILE = "() => document.querySelector('[data-testid=stMetricValue]')?.innerText"
# A value that is set without the element's own setter is overwritten by React.
PASTE = """([field, text]) => {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, text);
  field.dispatchEvent(new Event('input', {bubbles: true}));
}"""


def main() -> None:
    """Print the tables; exit with 1 if a bound is broken."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--text", type=Path, help="English of your own, continued with words like its own")
    options = arguments.parse_args()
    executable = find_chromium()
    if executable is None:
        raise SystemExit("There is no Chromium: set CHROMIUM to its path.")
    text_of = partial(real, options.text) if options.text else english
    print_machine()
    verdicts: list[bool] = []
    with serve() as server, sync_playwright() as playwright:
        browser = launch(playwright, executable)
        page = browser.new_page(base_url=server.url, viewport={"width": 1280, "height": 1600})
        page.set_default_timeout(SECONDS)
        page.goto("/vocabulary")  # the server's first page also loads its modules
        ready(page)
        for title, rows in (
            ("Vocabulary, 50,000 merges", vocabulary(page, text_of(LEARNED))),
            (f"Encode, {PASTED:,} characters", encode(page, text_of(PASTED)[:PASTED])),
        ):
            print_table(title, ("", "seconds", "bound"), checked(rows, verdicts))
        browser.close()
    raise SystemExit(not all(verdicts))


def checked(rows: Iterator[Row], verdicts: list[bool]) -> Iterator[Row]:
    """Yield the rows unchanged, and append to `verdicts` whether each keeps its bound."""
    for row in rows:
        verdicts.append(row[1] <= row[2])
        yield row


def seconds_to_change(page: Page, look: str, act: Callable[[], object]) -> float:
    """Return the seconds from the act until the JavaScript `look` returns another value."""
    ready(page)
    before = page.evaluate(look)
    begin = time.monotonic()
    act()
    page.wait_for_function(
        f"(before) => {{ const now = ({look})(); return now && now !== before }}", arg=before
    )
    return time.monotonic() - begin


def seconds_to_appear(page: Page, selector: str, act: Callable[[], object]) -> float:
    """Return the seconds from the act until an element exists. By CSS: a search for text is slow in 1 MB of it."""
    ready(page)
    begin = time.monotonic()
    act()
    page.wait_for_function("(selector) => document.querySelector(selector)", arg=selector)
    return time.monotonic() - begin


def vocabulary(page: Page, text: str) -> Iterator[Row]:
    """Yield a row for each action on the table of tokens."""
    page.goto(f"/vocabulary?corpus_source=upload&merges=50000&{RECIPE}")
    ready(page)
    file: FilePayload = {"name": "text.txt", "mimeType": "text/plain", "buffer": text.encode()}
    uploader = page.locator("[data-testid=stFileUploader] input[type=file]")
    ready(page)
    begin = time.monotonic()
    uploader.set_input_files([file])
    page.wait_for_function(f"() => /^50,[0-9]+ of/.test(({COUNT})() ?? '')")
    yield "upload and training, until all tokens show", time.monotonic() - begin, 5
    field = page.locator(".st-key-vocabulary_find input")

    def find(wanted: str) -> None:
        field.fill(wanted)
        field.press("Enter")

    def choose(key: str, title: str) -> None:
        page.locator(f".st-key-{key} input").click()
        page.get_by_role("option", name=title, exact=True).click()

    yield "search a text", seconds_to_change(page, COUNT, lambda: find("est")), 1
    yield "all tokens again", seconds_to_change(page, COUNT, lambda: find("")), 1
    choose("vocabulary_how", "Match a pattern")
    yield "search a pattern", seconds_to_change(page, COUNT, lambda: find("^[aeiou]+$")), 1
    find("")
    choose("vocabulary_how", "Start with")
    yield "search a beginning", seconds_to_change(page, COUNT, lambda: find("lo")), 1
    find("")
    unused = page.locator(".st-key-vocabulary_unused label")
    yield "only unused", seconds_to_change(page, COUNT, unused.click), 1
    yield "all tokens again", seconds_to_change(page, COUNT, unused.click), 1
    by_length = partial(choose, "vocabulary_order", "Longest first")
    yield "order by length", seconds_to_change(page, FIRST_ROW, by_length), 1
    ready(page)
    table = page.locator("[data-testid=stDataFrame]").first.bounding_box()
    assert table
    header = (table["x"] + 120, table["y"] + 15)
    yield (
        "sort by a column's header",
        seconds_to_change(page, FIRST_ROW, lambda: page.mouse.click(*header)),
        1,
    )
    last_page = page.locator("[class*=st-key-vocabulary_page] button").filter(has_text="51")
    yield "the last page", seconds_to_change(page, FIRST_ROW, last_page.click), 1
    token = "() => document.querySelector('.st-key-vocabulary_token input').value"
    row = (table["x"] + 14, table["y"] + 200)
    yield "choose a row: its merge tree", seconds_to_change(page, token, lambda: page.mouse.click(*row)), 1
    slider = page.get_by_role("slider", name="After so many merges")
    yield (
        "one merge back: another vocabulary",
        seconds_to_change(page, COUNT, lambda: slider.press("ArrowLeft")),
        2,
    )


def encode(page: Page, text: str) -> Iterator[Row]:
    """Yield a row for pasting a long text, and for each view of it."""
    page.goto(f"/encode?corpus_sample=story&merges=1000&{RECIPE}")
    ready(page)
    field = page.locator(".st-key-encode_text textarea")

    def paste(pasted: str) -> None:
        page.evaluate(PASTE, [field.element_handle(), pasted])
        field.press("Control+Enter")

    yield "paste, until all of it is encoded", seconds_to_change(page, TILE, lambda: paste(text)), 3
    views = (".st-key-encoders_rows", ".st-key-encode_ids", ".st-key-download_known", "[class*=st-key-why-]")
    numbers = (1, 2, 3, 0)  # of their buttons
    for again in ("", ", again"):
        for number, element in zip(numbers, views, strict=True):
            button = page.locator(".st-key-encode_view button").nth(number)
            title = button.inner_text()
            yield f"view “{title}”{again}", seconds_to_appear(page, element, button.click), 1


if __name__ == "__main__":
    main()
