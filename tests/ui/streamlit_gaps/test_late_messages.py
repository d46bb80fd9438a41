"""A report of a page that is being left does not empty the next page: asked of the app's own server."""

import asyncio
import json

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.viewer import LONGEST_WAIT, Viewer
from tests.browser.app_server import serve

QUIET = 1.5  # seconds without a message, after the end of a run, in which another run would begin


def request(viewer: Viewer, page: str, fragment: str = "") -> BackMsg:
    """Return a request for a page, or for one of the grid's fragment on it."""
    message = BackMsg()
    message.rerun_script.page_script_hash = page
    message.rerun_script.fragment_id = fragment
    if fragment:
        state = WidgetState(id=viewer.grid, json_value=json.dumps({"step": 3}))
        message.rerun_script.widget_states.widgets.append(state)
    return message


async def until_quiet(viewer: Viewer) -> list[ForwardMsg]:
    """Return the messages that arrive until a run has ended and no other one begins."""
    messages: list[ForwardMsg] = []
    patience = float(LONGEST_WAIT)
    while True:
        try:
            messages.append(await asyncio.wait_for(viewer._receive(), patience))
        except TimeoutError:
            return messages
        if messages[-1].WhichOneof("type") == "script_finished":
            patience = QUIET


def sessions(messages: list[ForwardMsg]) -> list[ForwardMsg]:
    return [message for message in messages if message.WhichOneof("type") == "new_session"]


async def opened(url: str) -> tuple[Viewer, str, dict[str, str]]:
    """Open Watch. Return the viewer, the page's hash, and {address: hash} of all pages."""
    viewer = Viewer(url)
    await viewer.open()
    await viewer._send(request(viewer, ""))
    messages = await until_quiet(viewer)
    menu = next(message.navigation for message in messages if message.WhichOneof("type") == "navigation")
    return (
        viewer,
        menu.page_script_hash,
        {page.url_pathname: page.page_script_hash for page in menu.app_pages},
    )


async def pages_after_a_late_report(url: str) -> tuple[str, list[str]]:
    """Return the page that was asked for, and the pages that the server then ran."""
    viewer, visible, page_of = await opened(url)
    asked = page_of["vocabulary"]
    await viewer._send(request(viewer, asked))
    await viewer._send(request(viewer, visible, viewer.fragment))
    ran = [message.new_session.page_script_hash for message in sessions(await until_quiet(viewer))]
    await viewer.close()
    return asked, ran


async def runs_after_a_report(url: str) -> int:
    """Return how many runs follow a report of the page that is shown."""
    viewer, visible, _ = await opened(url)
    await viewer._send(request(viewer, visible, viewer.fragment))
    ran = sessions(await until_quiet(viewer))
    await viewer.close()
    return len(ran)


@pytest.mark.slow
def test_a_late_report_does_not_bring_the_page_back_that_was_left() -> None:
    with serve() as app:
        asked, ran = asyncio.run(pages_after_a_late_report(app.url))
        assert ran == [asked]
        assert asyncio.run(runs_after_a_report(app.url)) == 1
