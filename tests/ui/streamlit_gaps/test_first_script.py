"""The first script: the server names it in Streamlit's page, and sends everything else as it is."""

import asyncio
from pathlib import Path

import pytest
import streamlit
from starlette.responses import HTMLResponse, Response
from starlette.types import Message, Receive, Scope, Send

from ui.streamlit_gaps.early_keys.first_script import ELEMENT, SCRIPT, FirstScript

PAGE = (Path(streamlit.__file__).parent / "static" / "index.html").read_text("utf-8")
FILM = "<!doctype html><html><head><title>A film</title></head></html>"


def answered(path: str, answer: Response, accept: str = "text/html,*/*") -> tuple[int, bytes]:
    """Return the length that the headers of an answer state, and its body, if the app answers so."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await answer(scope, receive, send)

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    sent: list[Message] = []
    headers = [(b"accept", accept.encode()), (b"accept-encoding", b"gzip")]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
    asyncio.run(FirstScript(app)(scope, receive, send))
    lengths = dict(sent[0]["headers"])[b"content-length"]
    return int(lengths), b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize("path", ["/", "/lessons", "/class/compare"])
def test_a_page_names_the_script_before_those_of_streamlit(path: str) -> None:
    length, body = answered(path, HTMLResponse(PAGE))
    assert body.count(ELEMENT) == 1
    assert body.index(ELEMENT) < body.index(b'<script type="module"')
    assert body.replace(ELEMENT, b"") == PAGE.encode()
    assert length == len(body)
    folder = path.rpartition("/")[0]
    assert answered(f"{folder}/early_keys.js", Response())[1].decode() == SCRIPT


@pytest.mark.parametrize(
    ("path", "page", "accept"),
    [("/media/a.html", PAGE, "text/html"), ("/x", FILM, "text/html"), ("/_stcore/health", PAGE, "*/*")],
    ids=["a download", "another page", "no page is asked for"],
)
def test_everything_else_is_sent_as_it_is(path: str, page: str, accept: str) -> None:
    assert answered(path, HTMLResponse(page), accept) == (len(page.encode()), page.encode())
