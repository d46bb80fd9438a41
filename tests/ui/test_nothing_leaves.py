"""The server asks no other computer for anything, whoever visits it, and nobody waits for somebody who is refused."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send
from streamlit import config, net_util
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from deploy.try_hosting import BASE, PAGES, container_command, container_environment, hosted
from harness.app_server import crowd, free_port, serve
from harness.viewer import Viewer
from tests import ROOT
from ui.gaps.own_address import OwnPages

# Python imports this module by itself. It writes down what a process looks up, connects to or sends to beyond this
# machine, also in the processes that it starts, and answers as a network does that reaches nothing. To connect a
# datagram socket sends nothing: Streamlit reads from it which address this machine has in its own network.
RECORDER = """
import os
import socket
import sys
import time

HERE = {"", "None", "localhost", "127.0.0.1", "::1"}
LOOKUPS = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"}


def record(event, given):
    if event in LOOKUPS:
        host = given[0]
    elif event in {"socket.sendto", "socket.sendmsg"} or (
        event == "socket.connect" and given[0].type != socket.SOCK_DGRAM
    ):
        host = given[-1]
    else:
        return
    host = host[0] if isinstance(host, tuple) else host
    host = host.decode() if isinstance(host, bytes) else str(host)
    if host in HERE or host.startswith(("/", "\\0")):
        return
    with open(os.environ["RECORDED"], "a") as file:
        file.write(f"{event} {host}\\n")
    time.sleep(float(os.environ["NO_ANSWER_SECONDS"]))
    raise socket.gaierror("no network")


sys.addaudithook(record)
"""
NO_ANSWER = 4.0  # seconds until a name is not found
LONGEST_STEP = 1.0  # second, on a machine that does nothing else
FOREIGN = ("https://evil.example", "http://evil.example:8501", "null", "https://localhost.evil.example")


def recorder(folder: Path) -> dict[str, str]:
    """Return the variables with which a process writes into `recorded` of this folder what it asks of others."""
    (folder / "sitecustomize.py").write_text(RECORDER, "utf-8")
    return {
        "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))),
        "RECORDED": str(folder / "recorded"),
        "NO_ANSWER_SECONDS": str(NO_ANSWER),
    }


def recorded(folder: Path) -> list[str]:
    """Return what the processes with these variables have asked of others."""
    file = folder / "recorded"
    return file.read_text("utf-8").splitlines() if file.exists() else []


async def handshake(url: str, origin: str, host: str = "") -> int:
    """Ask for a WebSocket, as a page of this origin does. Return the HTTP status of the answer."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    lines = (
        f"GET {parts.path}/_stcore/stream HTTP/1.1",
        f"Host: {host or parts.netloc}",
        f"Origin: {origin}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: bm8gcmVxdWVzdCBsZWF2ZQ==",
    )
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    status = int((await reader.readline()).split()[1])
    writer.close()
    return status


async def handshakes(url: str) -> list[int]:
    """Ask for a WebSocket from pages and under names of elsewhere, all at once. Return the answers."""
    own = f"http://{urlsplit(url).netloc}"
    asked = [(origin, "") for origin in FOREIGN]
    asked += [("http://evil.example", "evil.example"), (own, "evil.example:8501"), ("null", "evil.example")]
    return await asyncio.gather(*(handshake(url, *one) for one in asked))


async def visit(url: str) -> tuple[list[int], list[str], float]:
    """Knock before anybody has come; then open every page, and knock while somebody steps.

    Return the answers to those who knock, the errors of the pages, and the longest step in seconds.
    """
    answers = await handshakes(url)
    problems: list[str] = []
    for page in PAGES:
        viewer = Viewer(url, f"/{page}")
        await viewer.open()
        problems += viewer.problems
        await viewer.close()
    neighbour = Viewer(url)
    await neighbour.open()
    knocking = asyncio.gather(*(handshakes(url) for _ in range(3)))
    steps: list[float] = []
    while not (knocking.done() and len(steps) > 5):
        steps.append(await neighbour.report(len(steps) % 10) / crowd())
    await neighbour.close()
    answers += [status for group in await knocking for status in group]
    return answers, problems + neighbour.problems, max(steps)


def assert_kept(folder: Path, answers: Sequence[int], problems: Sequence[str], step: float) -> None:
    """Fail if somebody was let in, a page had an error, something was asked of others, or a step took long."""
    assert 403 in answers
    assert {*answers} <= {403, 200}  # a proxy that knows no such host answers 200 and nothing else
    assert [*problems] == []
    assert recorded(folder) == []
    assert step < LONGEST_STEP


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("app.py", marks=pytest.mark.slow),
        pytest.param("deploy/cloud/streamlit_app.py", marks=pytest.mark.weekly),
    ],
)
def test_no_request_leaves_and_nobody_waits_whoever_knocks(script: str, tmp_path: Path) -> None:
    variables = recorder(tmp_path) | {"STREAMLIT_SERVER_ADDRESS": "127.0.0.1"}
    with serve(ROOT / script, variables=variables) as server:
        assert_kept(tmp_path, *asyncio.run(visit(server.url)))
        assert "Traceback" not in server.output()


@pytest.mark.weekly
@pytest.mark.skipif(shutil.which("caddy") is None, reason="no Caddy: Debian's package is called caddy")
def test_no_request_leaves_behind_the_proxy_of_a_class(tmp_path: Path) -> None:
    variables = recorder(tmp_path) | {"STREAMLIT_SERVER_ADDRESS": "127.0.0.1"}
    with hosted(tmp_path, processes=1, variables=variables) as app:
        assert_kept(tmp_path, *asyncio.run(visit(f"{app.front.url}/{BASE}")))
        assert "Traceback" not in app.app.output()


HOST = "class.example.edu:8501"
OTHER = "https://other.example.edu"  # as a host may allow it
# Origin of a page that asks for a WebSocket -> whether it gets one
PAGES_OF: dict[str | None, bool] = {
    None: True,  # no browser
    f"https://{HOST}": True,
    OTHER: True,
    "http://localhost:3000": True,
    "http://127.0.0.1": True,
    **dict.fromkeys(FOREIGN, False),
    "http://class.example.edu": False,
    "http://[": False,
    "": False,
}


@pytest.fixture
def allowed() -> Iterator[None]:
    """Let Streamlit serve any host, and allow the pages of OTHER."""
    options = {"server.corsAllowedOrigins": [OTHER], "server.allowedHosts": ["*"]}
    before = {option: config.get_option(option) for option in options}
    for option, value in options.items():
        config.set_option(option, value)
    yield
    for option, value in before.items():
        config.set_option(option, value)


@pytest.mark.usefixtures("allowed")
@pytest.mark.parametrize("origin", PAGES_OF)
def test_a_page_from_elsewhere_is_refused_before_streamlit_asks_anybody(
    origin: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    sent: list[Message] = []
    monkeypatch.setattr(net_util, "get_external_ip", lambda: asked.append("the internet"))

    async def streamlit(scope: Scope, _receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if _is_origin_allowed(headers.get("origin"), headers.get("host")):
            await send({"type": "websocket.accept"})

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    named = [] if origin is None else [(b"origin", origin.encode())]
    scope = {"type": "websocket", "headers": [(b"host", HOST.encode()), *named]}
    with suppress(StopIteration):  # nothing in it waits, and a browser's test may own the loop of this thread
        OwnPages(streamlit)(scope, receive, send).send(None)
    assert [one["type"] for one in sent] == ["websocket.accept" if PAGES_OF[origin] else "websocket.close"]
    assert asked == []


# Streamlit prints where the app is before any code of the app runs. Here it ends then, and listens nowhere.
PRINT_ADDRESS = """
import runpy
import sys
import uvicorn

uvicorn.Server.run = lambda *given, **named: sys.exit()
sys.argv[:2] = sys.argv[1:2]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
# The arguments and the variables of every way to start the app, all without a browser.
HEADLESS = ("--server.headless", "true", "--server.port")
STARTS: dict[str, tuple[list[str], dict[str, str]]] = {
    "streamlit run": (["streamlit", "run", "app.py", *HEADLESS], {}),
    "at every address": (["streamlit", "run", "app.py", "--server.address", "0.0.0.0", *HEADLESS], {}),
    "the command": (["merge_by_merge", "--no-browser", "--port"], {}),
    "the container": (container_command(0)[2:-1], container_environment({})),
    "Community Cloud": (["streamlit", "run", "deploy/cloud/streamlit_app.py", *HEADLESS], {}),
}


@pytest.mark.parametrize(
    "start",
    [
        pytest.param("at every address", marks=()),
        pytest.param("the command", marks=pytest.mark.slow),
        *(
            pytest.param(name, marks=pytest.mark.weekly)
            for name in ("streamlit run", "the container", "Community Cloud")
        ),
    ],
)
def test_a_start_without_a_browser_asks_nobody_for_the_address_to_print(start: str, tmp_path: Path) -> None:
    command, variables = STARTS[start]
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    port = free_port()
    done = subprocess.run(
        [sys.executable, "-c", PRINT_ADDRESS, *command, str(port)],
        cwd=ROOT,
        env={**os.environ, **home, **variables, **recorder(tmp_path)},
        stdin=subprocess.DEVNULL,
        check=True,
        capture_output=True,
        text=True,
    )
    assert f"  URL: http://127.0.0.1:{port}" in done.stdout
    assert recorded(tmp_path) == []


def test_what_a_process_asks_of_others_is_recorded(tmp_path: Path) -> None:
    ask = (
        "import socket\ntry: socket.create_connection(('evil.example', 80))\nexcept OSError as no: print(no)"
    )
    variables = recorder(tmp_path) | {"NO_ANSWER_SECONDS": "0"}
    done = subprocess.run(
        [sys.executable, "-c", ask],
        env={**os.environ, **variables},
        check=True,
        capture_output=True,
        text=True,
    )
    assert "no network" in done.stdout
    assert recorded(tmp_path) == ["socket.getaddrinfo evil.example"]
