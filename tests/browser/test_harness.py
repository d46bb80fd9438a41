"""The browser tests' own checks: they must notice what goes wrong."""

import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser.app_server import AppServer, serve, twice
from tests.browser.chromium import Complaints, ready

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
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """Make a context whose pages share their cache."""
    context = chromium.new_context()
    yield context
    context.close()


@pytest.mark.parametrize(("js", "expected"), NAUGHTY.values(), ids=NAUGHTY)
def test_complaints_are_heard(
    context: BrowserContext, naughty_server: AppServer, js: str, expected: str
) -> None:
    page = context.new_page()
    complaints = Complaints(naughty_server.url)
    complaints.listen(page)
    page.goto(f"{naughty_server.url}/?js={quote(js)}")
    ready(page)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and not any(one.startswith(expected) for one in complaints.heard):
        page.wait_for_timeout(20)  # Playwright receives events meanwhile
    page.close()
    assert any(heard.startswith(expected) for heard in complaints.heard), complaints.heard


def test_ready_waits_for_what_is_loaded_late(context: BrowserContext, naughty_server: AppServer) -> None:
    page = context.new_page()
    page.goto(f"{naughty_server.url}/?js={quote('export default () => null')}")
    ready(page)
    assert page.locator("[data-testid=stDataFrame] canvas").count()
    page.close()


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


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"absent\.py"), serve(tmp_path / "absent.py"):
        pass
