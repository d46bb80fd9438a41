"""The browser tests' own checks: they must notice what goes wrong."""

import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from harness.app_server import AppServer, serve
from harness.chromium import NOTES, Complaints, enter, grid, ready, run_first

pytestmark = pytest.mark.weekly  # the harness changes seldom
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


def test_complaints_are_heard(naughty: Page, naughty_server: AppServer) -> None:
    page = naughty
    complaints = Complaints(naughty_server.url)
    complaints.listen(page)
    for js, expected in NAUGHTY.values():
        enter(page, f"/?js={quote(js)}")
        # What is loaded late is there when the page counts as drawn.
        assert page.locator("[data-testid=stDataFrame] canvas").count()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not any(one.startswith(expected) for one in complaints.heard):
            page.wait_for_timeout(20)  # Playwright receives events meanwhile
        assert any(heard.startswith(expected) for heard in complaints.heard), complaints.heard


RESTLESS = "export default ({parentElement}) => setInterval(() => parentElement.append('.'), 5)"


def test_a_page_that_is_never_ready_says_why(naughty: Page) -> None:
    naughty.goto(f"/?js={quote(RESTLESS)}")
    naughty.locator("[data-test-script-state=notRunning] .st-key-draw").first.wait_for(state="attached")
    with pytest.raises(PlaywrightTimeout) as error:
        ready(naughty, seconds=2)
    (account,) = error.value.__notes__
    for fact in ('"script": "notRunning"', "st-key-draw", ": childList", "Uvicorn server started"):
        assert fact in account, account


def test_a_new_session_finds_nothing_of_the_former_and_loads_no_script(page: Page) -> None:
    enter(page, "/?merges=9&corpus_source=paste")
    field = page.locator(".st-key-field_corpus_text textarea")
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
