"""Firefox and WebKitGTK: every page opens, the grid and a film of the gallery play, and a picture is saved."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from docs.gallery.build import build
from docs.gallery.films import film_of_text
from docs.gallery.page import Addresses
from tests.browser.app_server import AppServer, serve
from tests.browser.engines.other_browsers import BROWSERS, OtherBrowser, executable_of
from ui.navigation import PAGES
from ui.sidebar import corpus as corpora

# What no other test here opens: pages with components of their own.
SOME = ("compare", "encode", "lessons")

# `all(selector)` finds elements in shadow roots, too.
ALL = """((selector) => {
  const search = (root) => [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.matches(selector) ? [element] : []), ...(element.shadowRoot ? search(element.shadowRoot) : []),
  ]);
  return search(document);
})"""
GRID = f"{ALL}('[data-testid=token-grid]')[0]"


@pytest.fixture(scope="module")
def app() -> Iterator[AppServer]:
    """Start the app, also on a machine without Chromium."""
    with serve() as server:
        yield server


@pytest.fixture(scope="module", params=BROWSERS)
def browser(request: pytest.FixtureRequest) -> Iterator[OtherBrowser]:
    """Start one browser after the other."""
    executable = executable_of(request.param)
    if executable is None:
        names, _ = BROWSERS[request.param]
        pytest.skip(f"no {request.param}: install {' or '.join(names)}")  # .ci/run installs both
    with BROWSERS[request.param][1](executable) as opened:
        yield opened


def at_step(step: int) -> str:
    """Return an expression: whether the grid shows this step."""
    return f"{GRID}?.dataset.step === '{step}'"


@pytest.mark.slow
def test_a_page_opens(app: AppServer, browser: OtherBrowser) -> None:
    open_pages(app, browser, SOME)


@pytest.mark.weekly
def test_every_page_opens(app: AppServer, browser: OtherBrowser) -> None:
    open_pages(app, browser, PAGES)


def open_pages(app: AppServer, browser: OtherBrowser, names: Iterable[str]) -> None:
    """Open pages one after the other; none shows an exception."""
    for name in names:
        browser.goto(f"{app.url}/{name}")
        browser.until("document.querySelector('[data-testid=stMain] h1, [data-testid=stMain] h2')?.innerText")
        browser.until("document.querySelector('[data-test-script-state=notRunning]') !== null")
        assert browser.run("document.querySelectorAll('[data-testid=stException]').length") == 0, name


@pytest.mark.slow
def test_watch_merges_plays_and_fills_the_presenter_view(app: AppServer, browser: OtherBrowser) -> None:
    browser.goto(f"{app.url}/?merges=5")
    browser.until(at_step(0))
    # Play, the steps and the speed are in one row.
    assert browser.until(f"{ALL}('[data-testid=transport]')[0]?.offsetHeight") < 64
    browser.press("ArrowRight")
    browser.until(at_step(1))
    browser.press(" ")
    browser.until(at_step(5))
    browser.press("p")
    browser.until(f"{GRID}.classList.contains('presenting')")
    browser.press("Escape")
    browser.until(f"!{GRID}.classList.contains('presenting')")


@pytest.mark.slow
def test_a_picture_is_saved(app: AppServer, browser: OtherBrowser) -> None:
    browser.goto(f"{app.url}/?merges=5")
    browser.until(at_step(0))
    button = f"{ALL}('[data-testid=stPopoverButton]').find((one) => one.innerText.includes('Save picture'))"
    browser.until(f"{button} !== undefined")
    browser.until("document.querySelector('[data-test-script-state=notRunning]') !== null")
    # A pointer misses the button if the page moves meanwhile, and a key if the focus does. So press until it is open.
    save = f"{ALL}('button').find((one) => one.textContent.includes('Save PNG'))"
    press = f"document.querySelector('[data-testid=stPopoverBody]') || {button}?.click()"
    browser.until(f"({press}, {save} !== undefined)")
    browser.run(
        "void (URL.createObjectURL = (blob) => ((window.saved = [blob.type, blob.size]), 'data:text/plain,saved'))"
    )
    browser.run(f"void {save}.click()")
    kind, size = browser.until("window.saved")
    assert kind == "image/png"
    assert size > 5_000


@pytest.mark.slow
def test_a_film_of_the_gallery_plays_from_disk(browser: OtherBrowser, tmp_path: Path) -> None:
    film = film_of_text(corpora.samples()["aaabdaaabac"])
    assert build([film], tmp_path, Addresses("https://example.org/bpe/"), None) == []
    browser.goto((tmp_path / "index.html").as_uri())
    link = "document.querySelector('a[href*=\"films/\"]')"
    browser.until(f"{link} !== null")
    browser.goto(str(browser.run(f"{link}.href")))
    browser.until(f"Number({GRID}?.dataset.steps) > 1")
    browser.press("End")
    browser.until(f"{GRID}.dataset.step === {GRID}.dataset.steps")
