"""A server's output is checked, except for one traceback of Streamlit's own, which hides no other."""

import logging

import pytest
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketState

from tests.browser.conftest import CLOSED_TWICE

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
