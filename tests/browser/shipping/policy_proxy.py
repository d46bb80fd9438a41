"""A small proxy in front of the app that adds a header to every answer, as a class's web server does."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from tests.browser.app_server import AppServer

HEAD_END = b"\r\n\r\n"


@contextmanager
def proxied(app: AppServer, header: str) -> Iterator[AppServer]:
    """Run the proxy until the block ends. Return the app as it is reached through it."""
    home = urlsplit(app.url)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with (
                suppress(OSError),
                socket.create_connection((str(home.hostname), int(home.port or 80))) as server,
            ):
                _serve(self.request, server, header.encode())

    class Proxy(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Proxy(("127.0.0.1", 0), Handler) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield AppServer(f"http://127.0.0.1:{proxy.server_address[1]}", app.log)
        proxy.shutdown()


def _serve(browser: socket.socket, server: socket.socket, header: bytes) -> None:
    """Pass one request and its answer on; a WebSocket stays open."""
    request, body = _read_head(browser)
    if not request:
        return
    upgrade = b"\r\nupgrade: websocket" in request.lower()
    if not upgrade:  # one request for each connection
        lines = [line for line in request.split(b"\r\n") if not line.lower().startswith(b"connection:")]
        request = b"\r\n".join((*lines, b"Connection: close"))
    server.sendall(request + HEAD_END + body)
    back = threading.Thread(target=_pipe, args=(browser, server), daemon=True)
    back.start()
    head, rest = _read_head(server)
    browser.sendall(head + (b"" if upgrade else b"\r\n" + header) + HEAD_END + rest)
    _pipe(server, browser)


def _read_head(source: socket.socket) -> tuple[bytes, bytes]:
    """Return the head of a message without its empty line, and what was read beyond it."""
    read = b""
    while HEAD_END not in read:
        more = source.recv(1 << 16)
        if not more:
            return b"", b""
        read += more
    head, _, rest = read.partition(HEAD_END)
    return head, rest


def _pipe(source: socket.socket, target: socket.socket) -> None:
    """Pass bytes on until the source ends."""
    with suppress(OSError):
        while more := source.recv(1 << 16):
            target.sendall(more)
        target.shutdown(socket.SHUT_WR)
