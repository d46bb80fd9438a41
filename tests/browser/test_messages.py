"""What the server sends: no element stands in a container that another part of the page can take away."""

import re
from collections.abc import Sequence

from playwright.sync_api import Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from harness.app_server import AppServer
from harness.chromium import enter, grid, ready
from tests.browser.conftest import NewPage
from tests.browser.grid_page import press
from ui.shown.navigation import PAGES

# So many ways to break the ties that listing them takes longer than a page waits
MANY_WAYS = "corpus_sample=story&preset=none&variant=char-eow&tie_break=pair-max&merges=150"


def lost(messages: Sequence[bytes]) -> list[list[int]]:
    """Return the path of each element whose container, or whose neighbour above it, has not come before it.

    The browser cannot draw such an element, and the page dies.
    """
    containers, seen = {(place,) for place in range(4)}, set[tuple[int, ...]]()
    found = []
    for content in messages:
        message = ForwardMsg()
        message.ParseFromString(content)
        if message.WhichOneof("type") != "delta":
            continue
        path, kind = tuple(message.metadata.delta_path), message.delta.WhichOneof("type")
        around, above = path[:-1], (*path[:-1], path[-1] - 1)
        if len(path) > 1 and (around not in containers or (path[-1] and above not in seen)):
            found.append(list(path))
        seen.add(path)
        if kind == "add_block":
            containers.add(path)
    return found


def listened(page: Page) -> list[bytes]:
    """Return a list that gets every message of the server from now on."""
    messages: list[bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: messages.append(frame) if isinstance(frame, bytes) else None)

    page.on("websocket", listen)
    return messages


def test_a_visit_takes_little_of_the_connection(new_page: NewPage) -> None:
    """Scripts are files that the browser keeps, and the code of charts comes when a chart comes near the screen."""
    page = new_page(own_tab=True)
    messages = listened(page)
    files: list[str] = []
    page.on("request", lambda asked: files.append(asked.url))

    def kilobytes() -> float:
        taken = sum(map(len, messages)) / 1000
        messages.clear()
        return taken

    page.goto("/")
    page.get_by_test_id("every-way").and_(page.locator(":not(:empty)")).wait_for()
    expect(page.get_by_test_id("choice-text")).to_be_visible()  # it comes after the first frame
    ready(page)
    assert kilobytes() < 110
    press(page, "ArrowRight")
    expect(page.locator(".st-key-watch_figures")).to_contain_text("After 1 of")
    ready(page)
    assert kilobytes() < 12
    page.reload()
    page.get_by_test_id("every-way").and_(page.locator(":not(:empty)")).wait_for()
    ready(page)
    assert kilobytes() < 140
    assert not [url for url in files if "PlotlyChart" in url]
    page.locator(".st-key-curves_place").scroll_into_view_if_needed()
    expect(page.locator(".stPlotlyChart svg").first).to_be_visible()
    assert [url for url in files if "PlotlyChart" in url]


def test_a_visit_of_compare_takes_little_of_the_connection(new_page: NewPage) -> None:
    page = new_page(own_tab=True)
    messages = listened(page)
    page.goto("/compare")
    expect(page.get_by_test_id("verdict-bar")).to_be_visible(timeout=120_000)
    ready(page)
    assert sum(map(len, messages)) < 150_000
    expect(page.get_by_text("random tie-breaks explain")).to_be_attached(timeout=120_000)  # all is measured
    ready(page)
    messages.clear()
    press(page, "ArrowRight")
    page.wait_for_url("**step=12")
    ready(page)
    assert sum(map(len, messages)) < 12_000


def test_a_visit_of_encode_takes_little_of_the_connection(new_page: NewPage) -> None:
    page = new_page(own_tab=True)
    messages = listened(page)
    page.goto("/encode")
    expect(page.get_by_test_id("chip-table").first).to_be_visible()
    ready(page)
    assert sum(map(len, messages)) < 100_000
    messages.clear()
    press(page, "ArrowLeft")  # it begins at the end, after 8 steps
    expect(grid(page)).to_have_attribute("data-step", "7")
    page.wait_for_timeout(500)  # the step is reported when it has rested for a moment
    ready(page)
    assert 0 < sum(map(len, messages)) < 7_000
    messages.clear()
    page.get_by_test_id("page-text").fill("lowest newest slower")
    page.get_by_test_id("page-text").press("Control+Enter")
    expect(page.get_by_test_id("token-count-line")).to_contain_text("20 characters")
    ready(page)
    assert not [
        message for message in messages if b"corpus_sample_list" in message
    ]  # nor any other list of a menu
    assert sum(map(len, messages)) < 45_000


def test_a_page_without_a_grid_gets_its_menus_once(new_page: NewPage) -> None:
    page = new_page(own_tab=True)
    messages = listened(page)
    page.goto("/bytes")
    expect(page.get_by_test_id("merges-from")).to_be_attached()
    ready(page)
    assert sum(b"corpus_sample_list" in message for message in messages) == 1
    assert sum(map(len, messages)) < 100_000


def test_a_lesson_takes_little_of_the_connection_and_a_beat_next_to_nothing(new_page: NewPage) -> None:
    page = new_page(own_tab=True)
    messages = listened(page)
    page.goto("/lessons?lesson=the-first-tie&beat=1")
    expect(page.locator(".st-key-lesson input")).to_be_visible()  # it comes after the first frame
    ready(page)
    assert sum(map(len, messages)) < 100_000
    messages.clear()
    for beat in (2, 3):
        page.keyboard.press("PageDown")
        expect(page).to_have_url(re.compile(f"beat={beat}"))
        ready(page)
        page.keyboard.press("Space" if beat == 2 else "Home")  # the answer; another step
        ready(page)
    assert sum(map(len, messages)) < 14_000


def test_a_verdict_does_not_bring_the_lesson_again(new_page: NewPage) -> None:
    page = new_page(own_tab=True)
    messages = listened(page)
    page.goto("/lessons?lesson=the-merges-are-the-model&beat=4")
    expect(page.locator(".st-key-lesson input")).to_be_visible()
    ready(page)
    messages.clear()
    page.get_by_role("textbox", name="The tokens").fill("low e r _")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-verdict", "wrong")
    ready(page)
    assert sum(map(len, messages)) < 6_000


def test_every_element_comes_after_its_container_and_the_one_above_it(
    fresh_server: AppServer, new_page: NewPage
) -> None:
    page = new_page(server=fresh_server)
    messages = listened(page)
    page.goto(f"/watch?{MANY_WAYS}")  # the first page of a fresh server, whose work is slow
    ready(page)
    # Streamlit would run a page of a link alone, and show an error.
    expect(page.get_by_test_id("choice-text")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(grid(page)).to_have_attribute("data-steps", "150")
    enter(page, f"/compare?{MANY_WAYS}")
    page.get_by_role("tab", name="Every way", exact=True).click()
    ready(page)
    enter(page, "/encode")
    page.get_by_role("button", name="See it under all").click()
    ready(page)
    for name in PAGES.keys() - {"watch", "compare", "encode"}:
        enter(page, f"/{name}")
    enter(page, "/")
    page.get_by_role("tab", name="Pairs", exact=True).click()
    page.locator(".st-key-whole_pairs button").click()  # a window from a part of the page
    expect(page.get_by_role("dialog").get_by_text("14 pairs. ")).to_be_visible()
    assert len(messages) > 500
    assert lost(messages) == []
    assert lost(messages[len(messages) // 2 :])  # where the beginning is lost
