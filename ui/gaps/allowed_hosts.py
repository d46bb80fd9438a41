"""Who opens the app under a name that it does not allow reads a sentence, and a name that cannot be one ends the start.

Streamlit lacks both: it sends its page to everybody, and refuses only the connection of that page, which then shows
grey bars for ever. It takes `localhost,127.0.0.1` for one name. No issue of Streamlit's is known to us. It can go when
the page says that it was refused.
"""

import re
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from ipaddress import ip_address

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.gaps.put_before import log_missing

_OPTION = "server.allowedHosts"
# HOST_NAME is the variable of deploy/compose.yaml that sets the option.
_WRONG = (
    "HOST_NAME, or {option}, must be the name or the number under which browsers reach the app, without http://, port "
    "and path, or several of them separated by commas, but it holds {wrong!r}."
)
_REFUSAL = (
    "Merge by Merge runs here, but not under the name {name}: whoever started it can add this name to HOST_NAME, or to "
    "{option}, and start it again."
)
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.ASCII | re.IGNORECASE)


def checks_of_hosts() -> list[Middleware]:
    """Return what stands before the pages: a sentence for whoever is refused.

    Ends the program with another sentence if the option holds what cannot be a host.
    """
    hosts = hosts_of(st.get_option(_OPTION) or ())
    if wrong := [host for host in hosts if not is_host(host)]:
        sys.exit(_WRONG.format(option=_OPTION, wrong=wrong[0][:80]))
    try:
        import_module("streamlit.config").set_option(_OPTION, hosts)
        allows = import_module("streamlit.web.server.starlette.starlette_websocket").is_host_allowed
    except (ImportError, AttributeError) as error:  # the app runs, and its pages are sent to everybody
        log_missing("a sentence for visitors that it refuses", error)
        return []
    return [Middleware(_SaysWhoIsRefused, allows=allows)]


def hosts_of(written: Iterable[str]) -> list[str]:
    """Return each host of an option, which may have several of them in one text.

    >>> hosts_of(["class.example.edu,192.0.2.7", "[::1]"])
    ['class.example.edu', '192.0.2.7', '::1']
    """
    return [
        host.removeprefix("[").removesuffix("]") for text in written for host in re.findall(r"[^\s,]+", text)
    ]


def is_host(text: str) -> bool:
    """Return whether a text can be a host: a name, `*.` and a name, `*` for all, or an address of numbers.

    >>> [
    ...     is_host(text)
    ...     for text in ("localhost", "*.example.edu", "::1", "http://class.example.edu", "192.0.2")
    ... ]
    [True, True, True, False, False]
    """
    labels = text.removeprefix("*.").removesuffix(".").split(".")
    if ":" in text or labels[-1].isdecimal():
        try:
            return bool(ip_address(text))
        except ValueError:
            return False
    return text == "*" or (len(text) <= 253 and all(map(_LABEL.fullmatch, labels)))


class _SaysWhoIsRefused:
    """Answers a browser's request for a page with a sentence if its host is not allowed."""

    def __init__(self, app: ASGIApp, allows: Callable[[str | None], bool]) -> None:
        self.app = app
        self.allows = allows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        host = headers.get("host")
        # A check of the container's health asks for no page. It names the machine itself.
        if "text/html" not in headers.get("accept", "") or self.allows(host):
            await self.app(scope, receive, send)
            return
        (name, *_) = *hosts_of([re.sub(r":\d*$", "", host or "")]), ""
        said = _REFUSAL.format(name=name if is_host(name) else "of this address", option=_OPTION)
        await PlainTextResponse(said, 403)(scope, receive, send)
