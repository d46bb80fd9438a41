"""Fixtures: the app's server, a Chromium, and pages that fail their test if the browser reports errors.

def test_first_screen_is_alive(page):            # 1280 × 800, light, the session's server
    enter(page, "/")
    assert grid(page).get_attribute("data-step") == "1"

def test_narrow(new_page):                       # any theme and size, several pages, another server
    page = new_page(theme="dark", width=390)
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    expect,
    sync_playwright,
)
from playwright.sync_api import Error as PlaywrightError

from harness.app_server import AppServer, serve
from harness.chromium import (
    CHANGED,
    NAMES,
    NOTES,
    OPENS_QUICKLY,
    Complaints,
    find_chromium,
    kept_profile,
    launch,
)
from harness.fresh import leave
from tests import ROOT
from tests.conftest import FAILED

NewPage = Callable[..., Page]
Open = Callable[..., Page]


@dataclass(slots=True)
class KeptPage:
    """A page that stays open from test to test, and its errors."""

    page: Page
    complaints: Complaints
    reported: int = 0  # number of errors that tests have failed for


KeptPages = dict[tuple[AppServer, str], KeptPage]
# Streamlit closing a connection that the browser has just closed: not the app's, and only on a busy machine. It may be
# raised while another of its kind is handled. Only their indented lines: in others an error of the app could hide.
_DISCONNECTED = (
    r"Traceback \(most recent call last\):\n(?:  .*\n)+starlette\.websockets\.WebSocketDisconnected: "
)
CLOSED_TWICE = re.compile(
    r"Exception in ASGI application\n"
    rf"(?:{_DISCONNECTED}.*\n\nDuring handling of the above exception, another exception occurred:\n\n)?"
    rf'{_DISCONNECTED}Cannot call "send" once a close message has been sent\.\n'
)
PICTURES = ROOT / "screenshots"  # of pages whose test failed
# Pages run this many times more slowly, to find tests that fail on a busy machine only.
SLOWDOWN = float(os.environ.get("MERGE_BY_MERGE_SLOWDOWN", "1"))
# Even fast results may take long on a busy machine. A missing one costs this time once.
PATIENCE_MILLISECONDS = 60_000


@pytest.fixture(scope="session")
def executable() -> str:
    """Return the path of the browser."""
    actual = find_chromium()
    if actual is None:
        # Without a browser all other tests should still run. .ci/run forbids skips.
        pytest.skip(f"no Chromium: set CHROMIUM to its path, or install one of {', '.join(NAMES)}")
    return actual


# Playwright's driver, which runs in node, looks for what a test expects five times in a quarter of a second, and then
# twice a second. With this it looks ten times.
LOOKS_OFTEN = """
const { setTimeout: later } = globalThis;
globalThis.setTimeout = (act, wait, ...rest) => later(act, wait === 500 ? 100 : wait, ...rest);
"""


@pytest.fixture(scope="session")
def driver(executable: str) -> Iterator[Playwright]:
    """Start Playwright with time limits for a busy machine."""
    expect.set_options(timeout=PATIENCE_MILLISECONDS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NODE_OPTIONS", f"--import=data:text/javascript,{quote(LOOKS_OFTEN)}")
        playwright = sync_playwright().start()
    yield playwright
    playwright.stop()


@pytest.fixture(scope="session")
def chromium(driver: Playwright, executable: str) -> Iterator[Browser]:
    """Start a browser whose pages share nothing; each has its own settings."""
    browser = launch(driver, executable, OPENS_QUICKLY)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def profiles() -> dict[AppServer, BrowserContext]:
    """Return {server of many tests: profile that its pages use one after the other}."""
    return {}


@pytest.fixture(scope="session")
def kept_pages() -> KeptPages:
    """Return the pages that stay open, by server and by the scope of the fixture that gives them to tests."""
    return {}


@pytest.fixture(scope="session")
def server(
    driver: Playwright, executable: str, profiles: dict[AppServer, BrowserContext], app_server: AppServer
) -> Iterator[AppServer]:
    """Return the app of all tests, with a profile for its pages, if there is a browser."""
    with kept_profile(driver, executable, app_server.url) as profiles[app_server]:
        yield app_server


def serve_page(script: Path) -> AbstractContextManager[AppServer]:
    """Serve a script of the tests with the files of the components."""
    return serve(ROOT / "tests/browser/one_page.py", variables={"MERGE_BY_MERGE_PAGE": str(script)})


@pytest.fixture(scope="session")
def grids(
    driver: Playwright, executable: str, profiles: dict[AppServer, BrowserContext]
) -> Iterator[AppServer]:
    """Start a server of the page that shows token grids only."""
    with (
        serve_page(ROOT / "tests/browser/token_grid_page.py") as app,
        kept_profile(driver, executable, app.url) as profiles[app],
    ):
        yield app


@pytest.fixture
def fresh_server(executable: str) -> Iterator[AppServer]:
    """Start the app in a process without earlier requests. It ends after the pages that use it."""
    with serve() as app:
        yield app


@contextmanager
def _pages(request: pytest.FixtureRequest) -> Iterator[NewPage]:
    """Yield a function that opens pages. At the end fail if there were errors, and close pages that are not kept."""
    profiles: dict[AppServer, BrowserContext] = request.getfixturevalue("profiles")
    kept_pages: KeptPages = request.getfixturevalue("kept_pages")
    pages: list[KeptPage] = []
    written: dict[AppServer, int] = {}  # length of a server's output when its first page was opened

    def open_page(
        *,
        theme: Literal["light", "dark"] = "light",
        width: int = 1280,
        height: int = 800,
        reduced_motion: Literal["reduce", "no-preference"] = "no-preference",
        server: AppServer | None = None,
        own_tab: bool = False,  # in the profile: an empty history, and no scripts that the browser must compile again
        **options: Any,  # of Playwright's new_context: has_touch, permissions, ...
    ) -> Page:
        app: AppServer = server or request.getfixturevalue("server")
        first = app not in written
        written.setdefault(app, len(app.output()))
        owner = app, str(request.scope)
        if own_tab:
            remaining = _listening(_emptied(profiles[app], app.url), app)
        elif first and app in profiles and not options:
            if owner not in kept_pages:
                kept_pages[owner] = _listening(_emptied(profiles[app], app.url), app)
            remaining = kept_pages[owner]
            remaining.page.bring_to_front()
        else:
            chromium: Browser = request.getfixturevalue("chromium")
            remaining = _listening(chromium.new_context(base_url=app.url, **options).new_page(), app)
        remaining.page.emulate_media(media="null", color_scheme=theme, reduced_motion=reduced_motion)
        remaining.page.set_viewport_size({"width": width, "height": height})
        pages.append(remaining)
        return remaining.page

    yield open_page

    failed = request.node.stash.get(FAILED, False)
    heard: list[str] = []
    for number, remaining in enumerate(pages):
        page, errors = remaining.page, remaining.complaints.heard[remaining.reported :]
        if failed and not page.is_closed():
            page.screenshot(path=PICTURES / f"{request.node.name.replace('/', '-')}-{number}.png")
        heard += errors
        remaining.reported += len(errors)
        owners = [owner for owner, other in kept_pages.items() if other is remaining]
        if owners and not failed and not errors and not page.is_closed() and page not in CHANGED:
            leave(page)
            for owner in owners:
                _bring_shared_page_to_front(kept_pages, owner[0])
            continue
        for owner in owners:
            del kept_pages[owner]
        page.close() if page.context in profiles.values() else page.context.close()
    for app, before in written.items():
        output = CLOSED_TWICE.sub("", app.output()[before:])
        if "Traceback" in output or "deprecat" in output:
            heard.append(f"the server wrote:\n{output}")
    assert not heard, "\n".join(heard)


@pytest.fixture
def new_page(request: pytest.FixtureRequest) -> Iterator[NewPage]:
    """Return a function that opens pages, with paths such as "/compare" as addresses.

    The first one of each server, if it has no options, stays open from test to test; `enter` begins a new session in
    it. Pages do not share storage. Errors in the browser, and tracebacks and deprecations in their server's output,
    fail the test when it ends.
    """
    with _pages(request) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def shared_page(request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open a page of 1280 × 800 that the tests of a file share; its errors fail the last of them."""
    with _pages(request) as open_page:
        yield open_page()


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """Open a page of 1280 × 800 in the light theme."""
    return new_page()


def _bring_shared_page_to_front(kept_pages: KeptPages, app: AppServer) -> None:
    """Bring the page that the tests of a file share to the front: Chromium draws a page behind another rarely."""
    shared = kept_pages.get((app, "module"))
    if shared and not shared.page.is_closed():
        shared.page.bring_to_front()


def _listening(page: Page, app: AppServer) -> KeptPage:
    """Return the page with a record of its errors from now on."""
    page.add_init_script(f"({NOTES})()")
    page.set_default_timeout(PATIENCE_MILLISECONDS)
    if SLOWDOWN > 1:
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    complaints = Complaints(app.url)
    complaints.listen(page)
    return KeptPage(page, complaints)


def _emptied(profile: BrowserContext, url: str) -> Page:
    """Open a page in the profile, after deleting everything but its cache."""
    page = profile.new_page()
    session = profile.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
    session.detach()
    return page


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
