"""Films opened from disk."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request
from playwright.sync_api import Error as PlaywrightError

from tests.conftest import FAILED

Open = Callable[..., Page]


@pytest.fixture(scope="session")
def kept_films() -> list[Page]:
    """Return the page that stays open from test to test, once there is one: a new one takes three times as much CPU."""
    return []


@pytest.fixture
def open_film(
    chromium: Browser, kept_films: list[Page], tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Open]:
    """Return a function that opens a page from disk. Any request, console message or exception fails the test.

    The first page of a test is the one that stays open, emptied; further ones share nothing with it.
    """
    heard: list[str] = []
    asked: list[str] = []
    pages: list[Page] = []

    def on_console(message: ConsoleMessage) -> None:
        heard.append(f"console: {message.text}")

    def on_exception(error: PlaywrightError) -> None:
        heard.append(f"exception: {error}")

    def on_request(sent: Request) -> None:
        asked.append(sent.url)

    def open_page(
        content: str,
        address: str = "",
        width: int = 1280,
        theme: Literal["light", "dark"] = "light",
        name: str = "film.html",
    ) -> Page:
        file = tmp_path / name
        file.write_text(content, "utf-8")
        page = kept_films.pop() if kept_films else chromium.new_context().new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": 720})
        page.emulate_media(media="null", color_scheme=theme)
        page.on("console", on_console)
        page.on("pageerror", on_exception)
        page.on("request", on_request)
        page.goto(file.as_uri() + address)
        return page

    yield open_page
    for page in pages:
        if kept_films or request.node.stash.get(FAILED, False):
            page.context.close()
            continue
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.remove_listener("console", on_console)
        page.remove_listener("pageerror", on_exception)
        page.remove_listener("request", on_request)
        page.goto("about:blank")
        kept_films.append(page)
    own = ("about:srcdoc", "/film.html", "/slides.html")  # the film itself, also with a hash or in a frame
    heard += [url for url in asked if not url.partition("#")[0].endswith(own)]
    assert heard == []
