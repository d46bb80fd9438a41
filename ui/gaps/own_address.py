"""A page from elsewhere gets no connection, and the server asks nobody on the internet for its own address.

A browser that opens a WebSocket names the page that does so (its Origin). If that page is from elsewhere, Streamlit
asks a web service for this machine's public address, in case the page has it too. Any website that somebody opens can
open such a WebSocket. It is refused, but a request has left the machine, and until it is answered the server serves
nobody: 8 seconds without a network.

Streamlit lacks an option against it (https://github.com/streamlit/streamlit/issues/7721 was closed without one). It can
go when `tests/ui/test_nothing_leaves.py` passes without it.
"""

from urllib.parse import urlsplit

import psutil
import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send


class OwnPages:
    """Refuses the WebSocket of a page that is neither of this server nor of an address that its options allow."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a foreign page; pass all others on."""
        headers = Headers(scope=scope) if scope["type"] == "websocket" else Headers()
        origin, host = headers.get("origin"), headers.get("host", "")
        if origin is not None and st.get_option("server.enableCORS") and not _is_at(origin, host):
            if not _is_allowed(origin):
                await receive()
                await send({"type": "websocket.close"})  # a refusal, 403
                return
            scope = {**scope, "headers": [*scope["headers"]]}
            MutableHeaders(scope=scope)["origin"] = f"http://{host}"  # with this one, Streamlit asks nobody
        await self.app(scope, receive, send)


def _is_at(origin: str, host: str) -> bool:
    try:
        return urlsplit(origin).netloc == host
    except ValueError:  # such as an address with an opening bracket alone
        return False


def _is_allowed(origin: str) -> bool:
    """Return whether a page's origin is an address of this machine, or one of Streamlit's options names it."""
    named = [*st.get_option("server.corsAllowedOrigins"), str(st.get_option("browser.serverAddress"))]
    own = {address.address for addresses in psutil.net_if_addrs().values() for address in addresses}
    host = _host(origin)
    return host is not None and host in {"localhost", "0.0.0.0", *own, *map(_host, named)}


def _host(address: str) -> str | None:
    """Return the name of the host in an address, with or without http:// before it; None for none.

    >>> _host("https://class.example.edu:8501"), _host("192.0.2.7"), _host("null://")
    ('class.example.edu', '192.0.2.7', None)
    """
    try:
        return urlsplit(address if "//" in address else f"//{address}").hostname
    except ValueError:
        return None
