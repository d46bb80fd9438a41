"""What the server sends for the address of a page, such as /compare: Streamlit's page, which is told where the app is.

Streamlit lacks that: its script cannot know whether /compare is a page or the address of an app, and first looks for
its server below it, so that two requests fail. No issue of Streamlit's is known to us. It can go when the script is
told.
"""

from collections.abc import Iterable
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

# A page's address has one part below that of the app, wherever a proxy has put it. The header that a proxy may add has
# the hash of this script: deploy/content_security_policy.caddy.
SCRIPT = 'window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };'


def page_routes(names: Iterable[str]) -> list[Route]:
    """Return a route for the address of each of these pages."""
    page = Path(st.__file__).with_name("static").joinpath("index.html").read_text("utf-8")
    told = page.replace("<head>", f"<head><script>{SCRIPT}</script>", 1)

    async def answer(_request: Request) -> HTMLResponse:
        return HTMLResponse(told, headers={"Cache-Control": "no-cache"})

    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return [Route("/" + "/".join(filter(None, (base, name))), answer) for name in names]
