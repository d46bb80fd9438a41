"""Films opened from disk."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

Open = Callable[..., Page]


@pytest.fixture
def open_film(chromium: Browser, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens a page from disk. Any request, console message or exception fails the test."""
    heard: list[str] = []
    asked: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(
        content: str,
        address: str = "",
        width: int = 1280,
        theme: Literal["light", "dark"] = "light",
        name: str = "film.html",
    ) -> Page:
        file = tmp_path / name
        file.write_text(content, "utf-8")
        context = chromium.new_context(viewport={"width": width, "height": 720}, color_scheme=theme)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: heard.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: heard.append(f"exception: {error}"))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri() + address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    own = ("about:srcdoc", "/film.html", "/slides.html")  # the film itself, also with a hash or in a frame
    heard += [url for url in asked if not url.partition("#")[0].endswith(own)]
    assert heard == []
