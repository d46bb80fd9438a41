"""The browser tests' own checks: they must notice what goes wrong."""

import logging
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketState

from tests.browser.app_server import AppServer, serve, twice
from tests.browser.chromium import NOTES, Complaints, enter, grid, ready, run_first
from tests.browser.conftest import CLOSED_TWICE

SCRIPT = """
    import streamlit as st

    js = "// with a line break inside it is code, without one a path\\n" + st.query_params["js"]
    draw = st.components.v2.component("draw", html="<p></p>", js=js)
    draw(key="draw")
    st.dataframe({"token": ["est"]})  # arrives late, as a skeleton first
"""
NAUGHTY = {
    "console error": ("export default () => console.error('lost')", "console: lost"),
    "exception": ("export default () => setTimeout(() => { throw new Error('lost') })", "exception: lost"),
    "picture from elsewhere": (
        "export default () => { new Image().src = 'http://elsewhere.invalid/a.png' }",
        "request to another host: http://elsewhere.invalid/a.png",
    ),
    "socket to elsewhere": (
        "export default () => { new WebSocket('ws://elsewhere.invalid/') }",
        "request to another host: ws://elsewhere.invalid/",
    ),
}


@pytest.fixture(scope="module")
def naughty_server(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    script: Path = tmp_path_factory.mktemp("naughty") / "app.py"
    script.write_text(textwrap.dedent(SCRIPT), encoding="utf-8")
    with serve(script) as app:
        yield app


@pytest.fixture(scope="module")
def naughty(chromium: Browser, naughty_server: AppServer) -> Iterator[Page]:
    """Open one page for all scripts. Its errors fail no test."""
    context = chromium.new_context(base_url=naughty_server.url)
    page = context.new_page()
    run_first(page, f"({NOTES})()")
    yield page
    context.close()


@pytest.mark.parametrize(("js", "expected"), NAUGHTY.values(), ids=NAUGHTY)
def test_complaints_are_heard(naughty: Page, naughty_server: AppServer, js: str, expected: str) -> None:
    page = naughty
    complaints = Complaints(naughty_server.url)
    complaints.listen(page)
    enter(page, f"/?js={quote(js)}")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not any(one.startswith(expected) for one in complaints.heard):
        page.wait_for_timeout(20)  # Playwright receives events meanwhile
    assert any(heard.startswith(expected) for heard in complaints.heard), complaints.heard


def test_ready_waits_for_what_is_loaded_late(naughty: Page) -> None:
    enter(naughty, f"/?js={quote('export default () => null')}")
    assert naughty.locator("[data-testid=stDataFrame] canvas").count()


RESTLESS = "export default ({parentElement}) => setInterval(() => parentElement.append('.'), 5)"


@pytest.mark.slow
def test_a_page_that_is_never_ready_says_why(naughty: Page) -> None:
    naughty.goto(f"/?js={quote(RESTLESS)}")
    naughty.locator("[data-test-script-state=notRunning] .st-key-draw").first.wait_for(state="attached")
    with pytest.raises(PlaywrightTimeout) as error:
        ready(naughty, seconds=2)
    (account,) = error.value.__notes__
    for fact in ('"script": "notRunning"', "st-key-draw", ": childList", "Uvicorn server started"):
        assert fact in account, account


@pytest.mark.slow
def test_a_new_session_finds_nothing_of_the_former_and_loads_no_script(page: Page) -> None:
    enter(page, "/?merges=9&corpus_source=paste")
    field = page.locator(".st-key-corpus_text textarea")
    field.fill("low low lower")
    field.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-text", "low low lower")
    page.evaluate("() => { window.loaded = 'before'; sessionStorage.setItem('left', 'here'); }")
    enter(page, "/?corpus_source=paste")
    assert page.evaluate("() => [window.loaded, sessionStorage.getItem('left')]") == ["before", None]
    expect(field).to_have_value("")
    assert "merges" not in page.url
    enter(page, "/")
    expect(grid(page)).to_have_attribute("data-steps", "12")


def test_a_start_that_fails_once_is_tried_again() -> None:
    starts: list[int] = []

    def start(slow: int) -> str:
        starts.append(slow)
        if len(starts) <= slow:
            raise RuntimeError(f"start {len(starts)} was too slow")
        return "started"

    assert twice(lambda: start(slow=1)) == "started"
    starts.clear()
    with pytest.raises(RuntimeError, match="start 2 was too slow"):
        twice(lambda: start(slow=2))


@pytest.mark.slow
def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"absent\.py"), serve(tmp_path / "absent.py"):
        pass


# A server's output is checked, except for one traceback of Streamlit's own, which hides no other.

APPS = """2026-11-21 18:00:00.000 Uncaught app execution
Traceback (most recent call last):
  File "/pages/encode.py", line 3, in <module>
ValueError: a bug of the app
"""


async def _receive() -> Message:
    raise AssertionError("nothing is received")


async def _send(_: Message) -> None:
    return None


async def _close_twice(*, read_first: bool) -> None:
    """Close a connection twice, as Streamlit does when its sender has lost the connection."""
    connection = WebSocket({"type": "websocket"}, _receive, _send)
    connection.application_state = WebSocketState.DISCONNECTED
    if not read_first:
        await connection.close()
    try:
        await connection.receive_bytes()
    except RuntimeError:
        await connection.close()


def written(*, read_first: bool) -> str:
    """Return what a server logs when it happens. Uses no event loop: Playwright's may be running."""
    try:
        _close_twice(read_first=read_first).send(None)  # waits for nothing
    except RuntimeError as error:
        how = (type(error), error, error.__traceback__)
        record = logging.LogRecord("", logging.ERROR, "", 0, "Exception in ASGI application\n", (), how)
        return f"ERROR:    {logging.Formatter().format(record)}\n"
    raise AssertionError


@pytest.mark.parametrize("read_first", [True, False])
def test_a_connection_closed_twice_is_no_fault_of_the_app(read_first: bool) -> None:
    text = written(read_first=read_first)
    assert "Traceback" in text
    assert "Traceback" not in CLOSED_TWICE.sub("", text)


@pytest.mark.parametrize("read_first", [True, False])
def test_no_error_of_the_app_hides_behind_it(read_first: bool) -> None:
    closed = written(read_first=read_first)
    other = "ERROR:    Exception in ASGI application\nTraceback (most recent call last):\n  File\nOSError\n"
    for text in (APPS + closed, closed + APPS, other + APPS + closed, closed + APPS + closed):
        assert APPS in CLOSED_TWICE.sub("", text)
    inside = closed.replace("Traceback", f"{APPS}Traceback", 1)
    assert APPS in CLOSED_TWICE.sub("", inside)
