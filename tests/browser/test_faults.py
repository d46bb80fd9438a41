"""What goes wrong around the app: a killed server, a slow network, a clock set back, no network, no home."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from harness.app_server import AppServer, free_port, serve
from harness.chromium import grid, open_choice, ready
from tests import ROOT
from tests.browser.grid_page import press
from ui.page_parts.lessons.curriculum import paths

pytestmark = pytest.mark.weekly

SECONDS = 60_000  # milliseconds that anything may take here
MOST_BEFORE_GRID = 3_600_000  # bytes that a browser gets before the grid, WebSocket included
BUSY = 60  # seconds that a busy machine may need besides
SLOW = {"offline": False, "latency": 200, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
HOUR = 3_600_000  # milliseconds


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    """Open a page whose complaints are expected."""
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(SECONDS)
    yield page
    context.close()


def long_text() -> str:
    """Return a text that is trained on for some seconds."""
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghijklmnop", k=8)) for _ in range(20_000)]
    return " ".join(chance.choices(words, k=90_000))


def choose(page: Page, text: str) -> None:
    """Put a text into the field for one's own."""
    page.locator(".st-key-field_corpus_text textarea").fill(text)
    page.locator(".st-key-field_corpus_text textarea").press("Control+Enter")


@pytest.mark.parametrize("reloads", [True, False], ids=["and the page is reloaded", "and the page waits"])
def test_a_server_that_is_killed_during_a_training_goes_on_with_the_text(tab: Page, *, reloads: bool) -> None:
    port, text = free_port(), long_text()
    with serve(port=port) as server:
        tab.goto(f"{server.url}/?corpus_source=paste&preset=none&merges=3000")
        ready(tab)
        choose(tab, text)
        expect(tab.get_by_role("button", name="Stop")).to_be_visible()
        os.kill(server.pid, signal.SIGKILL)
    expect(tab.locator("[data-test-connection-state=CONNECTED]")).to_have_count(0)
    with serve(port=port) as server:
        if reloads:
            tab.reload()
        expect(tab.locator("[data-test-connection-state=CONNECTED]")).to_have_count(1)
        expect(grid(tab)).to_have_attribute("data-text", re.compile(text[:40]), timeout=2 * SECONDS)
        assert tab.locator(".st-key-field_corpus_text textarea").input_value() == text
        assert "Traceback" not in server.output()


def test_another_release_of_the_server_loads_an_open_page_anew_and_keeps_what_is_typed(tab: Page) -> None:
    """Two releases of the scripts on one page would have two of what components share."""
    port, loads = free_port(), []
    with serve(port=port) as server:
        tab.goto(server.url)
        tab.get_by_test_id("every-way").and_(tab.locator(":not(:empty)")).wait_for()
        ready(tab)  # with what keeps the text
        tab.on("load", lambda page: loads.append(page))
    expect(tab.locator("[data-test-connection-state=CONNECTED]")).to_have_count(0)
    with serve(ROOT / "tests/browser/next_release.py", port=port):
        expect(tab.locator("[data-test-connection-state=CONNECTED]")).to_have_count(1)
        choose(tab, "a text of mine")
        tab.locator("html[data-scripts$='/scripts/next/']").wait_for(state="attached")
        expect(grid(tab)).to_have_attribute("data-text", re.compile("a text of mine"))
        expect(tab.locator(".st-key-field_corpus_text textarea")).to_have_value("a text of mine")
        assert len(loads) == 1


@pytest.mark.parametrize("answers", [1, 9], ids=["a moment ago", "ever again"])
def test_a_script_that_the_server_lacks_loads_the_page_anew_once(
    tab: Page, server: AppServer, answers: int
) -> None:
    """As when the server begins anew between an element and the script that it asks for."""
    left = iter(range(answers))
    loads: list[Page] = []

    def answer(asked: Route) -> None:
        if next(left, None) is None:
            asked.continue_()
        else:
            asked.fulfill(status=404)

    tab.route("**/choices.js", answer)
    tab.on("load", lambda page: loads.append(page))
    tab.goto(server.url)
    tab.wait_for_event("load")
    tab.locator(".st-key-choices_row").wait_for(state="attached")
    ready(tab)
    assert bool(tab.get_by_test_id("choice-merges").count()) == (answers == 1)
    assert len(loads) == 2


def test_over_a_network_of_50_kb_a_second_the_grid_plays_before_the_rest_is_there(
    tab: Page, server: AppServer
) -> None:
    tab.context.new_cdp_session(tab).send("Network.emulateNetworkConditions", SLOW)
    begin = time.monotonic()
    tab.goto(f"{server.url}/", timeout=3 * SECONDS)
    grid(tab).and_(tab.locator("[data-step]")).wait_for(timeout=3 * SECONDS)
    assert time.monotonic() - begin < MOST_BEFORE_GRID / 50_000 + BUSY
    press(tab, "ArrowRight")
    expect(grid(tab)).to_have_attribute("data-step", "1")
    ready(tab, 5 * SECONDS)
    expect(tab.get_by_test_id("stException")).to_have_count(0)


def test_a_clock_that_is_set_back_stops_nothing(tab: Page, server: AppServer) -> None:
    tab.clock.install()
    tab.goto(f"{server.url}/lessons?talk={paths()[0].slug}")
    ready(tab)
    tab.clock.set_system_time(time.time() - HOUR)
    press(tab, "PageDown")
    ready(tab)
    tab.goto(server.url)
    ready(tab)
    press(tab, "Space")
    expect(grid(tab)).not_to_have_attribute("data-step", "0")


# Opens a page as a browser's first request does, and answers with what it got.
ASK = """
import asyncio
from harness.viewer import Viewer
from harness.app_server import serve
async def visit(url):
    viewer = Viewer(url)
    await viewer.open()
    step = await viewer.report(1)
    print(bool(viewer.grid), viewer.problems, step > 0)
with serve() as server:
    asyncio.run(visit(server.url))
    print("Traceback" in server.output())
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs the namespaces of Linux")
def test_without_any_network_interface_the_app_opens_and_plays() -> None:
    alone = ["unshare", "--map-root-user", "--net", "sh", "-c"]
    if subprocess.run([*alone, "ip link set lo up"], check=False).returncode:
        pytest.skip("this machine lets nobody make a network of their own")  # as some containers
    asked = subprocess.run(
        [*alone, 'ip link set lo up && exec "$0" -c "$1"', sys.executable, ASK],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert asked.stdout.split("\n")[:2] == ["True [] True", "False"]


def test_with_a_home_and_a_folder_for_files_that_cannot_be_written_the_app_opens(
    tab: Page, tmp_path: Path
) -> None:
    locked = Path("/proc/nobody")  # where not even root can write
    with serve(
        variables={"HOME": str(locked), "TMPDIR": str(locked), "XDG_CACHE_HOME": str(locked)}
    ) as server:
        for path in ("/", "/lessons"):
            tab.goto(f"{server.url}{path}")
            ready(tab)
            expect(tab.get_by_role("heading", level=1)).to_be_visible()
        tab.goto(f"{server.url}/?corpus_source=upload")
        ready(tab)
        open_choice(tab, "text")
        (tmp_path / "own.txt").write_text("low lower lowest", "utf-8")
        tab.locator(".st-key-corpus_upload input[type=file]").set_input_files(tmp_path / "own.txt")
        expect(grid(tab)).to_have_attribute("data-text", "low lower lowest")
        assert "Traceback" not in server.output()
