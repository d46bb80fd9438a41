"""The first script of the page, which notes keys before Streamlit has loaded.

It stands on `st.App`, which lets us change what the server sends. Where the app is started without it, as on Streamlit
Community Cloud, keys are noted from the app's first run on.
"""

from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FILE = "early_keys.js"
SCRIPT = (Path(__file__).parent / "first_script.js").read_text("utf-8")
TITLE = b"<title>Streamlit</title>"  # only Streamlit's own page has it, and its scripts follow
ELEMENT = f'<script src="./{FILE}"></script>'.encode()  # beside the page, also below a path
DOWNLOADS = "/media/"  # films and reports, which are pages too


class FirstScript:
    """Serves the script, and names it in Streamlit's page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
        elif scope["path"].rpartition("/")[2] == FILE:
            headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
            await Response(SCRIPT, media_type="text/javascript", headers=headers)(scope, receive, send)
        elif DOWNLOADS not in scope["path"] and "text/html" in Headers(scope=scope).get("accept", ""):
            plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            await self._app({**scope, "headers": plain}, receive, _adding(send))
        else:
            await self._app(scope, receive, send)


def _adding(send: Send) -> Send:
    """Return a function that sends an answer with our element in it, if it is Streamlit's page."""
    start: Message = {}
    parts: list[bytes] = []

    async def add(message: Message) -> None:
        if message["type"] == "http.response.start" and "text/html" in Headers(raw=message["headers"]).get(
            "content-type", ""
        ):
            start.update(message)
        elif not start:
            await send(message)
        else:
            parts.append(message.get("body", b""))
            if not message.get("more_body"):
                page = b"".join(parts).replace(TITLE, ELEMENT + TITLE, 1)
                MutableHeaders(raw=start["headers"])["content-length"] = str(len(page))
                await send(start)
                await send({**message, "body": page})

    return add


FIRST_SCRIPT = Middleware(FirstScript)
