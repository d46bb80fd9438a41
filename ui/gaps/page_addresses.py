"""What the server sends for the address of a page, such as /compare: Streamlit's page, which is told where the app is.

Streamlit lacks that: its script cannot know whether /compare is a page or the address of an app, and first looks for
its server below it, so that two requests fail. No issue of Streamlit's is known to us. It can go when the script is
told.

The page also names the scripts that its first screen needs; otherwise the browser asks for them only when the first
elements have arrived. Streamlit lacks a way to say so. And the page may hold what is seen before the script has
started.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A page's address has one part below that of the app, wherever a proxy has put it. The header that a proxy may add has
# the hash of this script: deploy/content_security_policy.caddy.
_SCRIPT = 'window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };'


# Streamlit's elements on every first screen. The browser has none of them when the page's own scripts have run.
_ELEMENTS = ("BidiComponent", "Html", "Button", "PageLink")
_STATIC = Path(st.__file__).with_name("static")


def page_routes(
    scripts: Mapping[str, Iterable[str]], firsts: Mapping[str, Callable[[Mapping[str, str]], str]]
) -> list[Route]:
    """Return a route for the address of each of these pages; "" is the first one.

    scripts: {page: addresses, below the app's, of the scripts of the app that it needs first}.
    firsts: {page: returns what its body begins with at an address with these parameters}.
    """
    page = _STATIC.joinpath("index.html").read_text("utf-8")
    base = str(st.get_option("server.baseUrlPath")).strip("/")

    def route(name: str) -> Route:
        # The app's own come before Streamlit's, which are many: a browser asks for six files at a time.
        told = page.replace("<head>", f"<head><script>{_SCRIPT}</script>{_preloads(scripts[name])}", 1)
        content = told.replace("</head>", f"{_preloads(_element_files())}</head>", 1)
        first = firsts.get(name)

        def answer(request: Request) -> HTMLResponse:
            part = first(request.query_params) if first else ""
            body = content.replace("<body>", f"<body>{part}", 1) if part else content
            return HTMLResponse(body, headers={"Cache-Control": "no-cache"})

        return Route(f"/{base}/{name}" if base else f"/{name}", answer)

    return [route(name) for name in scripts]


def moved_pages(names: Mapping[str, str]) -> list[Route]:
    """Return a route for each former name of a page, which leads to its name now, with all that the address holds."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")

    def route(former: str, name: str) -> Route:
        def answer(request: Request) -> RedirectResponse:
            return RedirectResponse(f"{name}?{request.url.query}" if request.url.query else name)

        return Route(f"/{base}/{former}" if base else f"/{former}", answer)

    return [route(*both) for both in names.items()]


def _preloads(files: Iterable[str]) -> str:
    return "".join(f'<link rel="modulepreload" crossorigin href="./{file}">' for file in files)


def _element_files() -> list[str]:
    """Return Streamlit's files for _ELEMENTS that its page does not name; [] if Streamlit no longer lists its files."""
    try:
        files = json.loads(_STATIC.joinpath("manifest.json").read_text("utf-8"))
        keys = {row["name"]: key for key, row in files.items() if row.get("isDynamicEntry")}
        named = _needed(files, ["index.html"])
        needed = _needed(files, [keys[name] for name in _ELEMENTS])
        return [files[key]["file"] for key in needed if key not in named]
    except (OSError, ValueError, KeyError, AttributeError):
        return []


def _needed(files: Mapping[str, Mapping[str, Any]], keys: Iterable[str]) -> dict[str, None]:
    """Return these files and all that they import, each once."""
    found: dict[str, None] = {}
    left = [*keys]
    while left:
        if (key := left.pop()) not in found:
            found[key] = None
            left += files[key].get("imports", ())
    return found


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
