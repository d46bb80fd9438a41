"""What the server sends for the address of a page, such as /compare: Streamlit's page, which is told where the app is.

Streamlit lacks that: its script cannot know whether /compare is a page or the address of an app, and first looks for
its server below it, so that two requests fail. No issue of Streamlit's is known to us. It can go when the script is
told.
"""

from collections.abc import Iterable
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A page's address has one part below that of the app, wherever a proxy has put it. The header that a proxy may add has
# the hash of this script: deploy/content_security_policy.caddy.
_SCRIPT = 'window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };'


def page_routes(names: Iterable[str]) -> list[Route]:
    """Return a route for the address of each of these pages."""
    page = Path(st.__file__).with_name("static").joinpath("index.html").read_text("utf-8")
    told = page.replace("<head>", f"<head><script>{_SCRIPT}</script>", 1)

    async def answer(_request: Request) -> HTMLResponse:
        return HTMLResponse(told, headers={"Cache-Control": "no-cache"})

    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return [Route("/" + "/".join(filter(None, (base, name))), answer) for name in names]


class PageAbove:
    """Leads an address below that of a page to the page, and any other of two parts or more to the first page.

    Streamlit answers with its own page, whose scripts are then looked for in a folder that does not exist: the window
    stays white.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self.app, self.names = app, set(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a page; pass all others on."""
        base = str(st.get_option("server.baseUrlPath")).strip("/")
        below = str(scope.get("path", "")).removeprefix(f"/{base}" if base else "")
        up = below.count("/") - 1
        if scope["type"] != "http" or up < 1 or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        is_page = False

        async def answer(message: Message) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                headers = Headers(raw=message["headers"])
                is_html = headers.get("content-type", "").startswith("text/html")
                # A film that is saved is HTML, too, and Firefox asks for it as for a page.
                is_page = message["status"] == 200 and is_html and "content-disposition" not in headers
            if not is_page:
                await send(message)

        await self.app(scope, receive, answer)
        if is_page:
            first = below.split("/")[1]
            query = scope["query_string"].decode("latin-1")
            where = "../" * up + (first if first in self.names else "") + (f"?{query}" if query else "")
            await RedirectResponse(where)(scope, receive, send)
