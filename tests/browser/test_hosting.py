"""The app as deploy/ hosts it for a class: behind Caddy, below a path, in two processes, with its policy."""

import re
import shutil
import socket
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.try_hosting import BASE, Hosted, Visitor, encrypted, hosted, redirected, visitor
from harness.app_server import AppServer, free_port, serve, stop, wait_until_healthy
from harness.chromium import close_choice, grid, navigate, open_choice, ready
from tests import ROOT
from tests.browser.conftest import NewPage
from tests.shipping.installed import environment, install
from ui.view.visit import OPENING_SAMPLES


@pytest.fixture(scope="module")
def caddy() -> None:
    """Skip a test where this machine has no Caddy."""
    if shutil.which("caddy") is None:
        pytest.skip("no Caddy: Debian's package is called caddy")  # .ci/run installs it, and forbids skips


@pytest.fixture(scope="module")
def app(executable: str, caddy: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """Host the app."""
    with hosted(tmp_path_factory.mktemp("hosted")) as running:
        yield running


@pytest.fixture
def encrypted_app(executable: str, caddy: None, tmp_path: Path) -> Iterator[Hosted]:
    """Host the app with HTTPS, in one process."""
    with hosted(tmp_path, processes=1, front_in=encrypted) as running:
        yield running


@pytest.fixture
def cloud(executable: str) -> Iterator[AppServer]:
    """Start the app as Community Cloud does. It ends after the pages that use it."""
    with serve(ROOT / "deploy" / "cloud" / "streamlit_app.py") as app:
        yield app


def cookies(one: Visitor) -> dict[str, tuple[bool, bool, str]]:
    """Return for each cookie of a visitor: whether scripts cannot read it, whether it needs HTTPS, its SameSite."""
    every = one.page.context.cookies()
    return {str(one["name"]): (one["httpOnly"], one["secure"], one["sameSite"]) for one in every}


@pytest.mark.weekly
def test_files_go_up_and_come_down_below_the_path(chromium: Browser, app: Hosted, tmp_path: Path) -> None:
    one = visitor(chromium, app.front)
    one.open("?corpus_source=upload")
    (tmp_path / "own.txt").write_text("low lower lowest", "utf-8")
    open_choice(one.page, "text")
    one.page.locator(".st-key-corpus_upload input[type=file]").set_input_files(tmp_path / "own.txt")
    expect(grid(one.page)).to_have_attribute("data-text", "low lower lowest")
    close_choice(one.page)
    one.page.get_by_role("link", name="Vocabulary", exact=True).click()
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Vocabulary")
    ready(one.page)
    with one.page.expect_download() as download:
        one.page.get_by_role("button", name=re.compile("Download all")).click()
    assert "lowest" in Path(download.value.path()).read_text("utf-8")
    assert one.complaints.heard == []
    one.page.context.close()


@pytest.mark.weekly
def test_each_visitor_stays_with_a_process_and_all_are_used(chromium: Browser, app: Hosted) -> None:
    visitors: list[Visitor] = []
    while len({one.processes[0] for one in visitors}) < len(app.processes):
        assert len(visitors) < 12, "twelve visitors, all on one process"
        visitors.append(visitor(chromium, app.front))
        visitors[-1].open("")
    first, last = visitors[0], visitors[-1]
    assert cookies(first)["process"] == (True, False, "Lax")
    first.page.get_by_role("link", name="Compare", exact=True).click()
    # The app adds the sample that Compare begins with, a moment after the page is there.
    sample = OPENING_SAMPLES["compare"]
    expect(first.page).to_have_url(f"{app.app.url}/{BASE}/compare?corpus_sample={sample}")
    ready(first.page)
    expect(first.page.get_by_role("heading", level=1)).to_have_text("Compare")
    for one in (first, last):
        one.open("watch")
        expect(grid(one.page)).to_have_attribute("data-step", "0")
        assert len({*one.processes}) == 1
    assert [one.complaints.heard for one in visitors] == [[] for _ in visitors]

    # A process that has ended: its visitor is led to another one, and stays there.
    app.processes[0].terminate()
    app.processes[0].wait()
    for one in (first, last):
        one.open("")
        one.open("lessons")
    assert len({one.processes[-1] for one in (first, last)}) == 1
    assert all(one.processes[-2] == one.processes[-1] for one in (first, last))
    for one in visitors:
        one.page.context.close()


@pytest.mark.weekly
def test_over_https_the_page_talks_to_its_process_over_wss(chromium: Browser, encrypted_app: Hosted) -> None:
    assert redirected(encrypted_app.front) == f"https://localhost/{BASE}/"
    one = visitor(chromium, encrypted_app.front)
    answer = one.page.goto(f"/{BASE}/")
    assert answer
    policy = (ROOT / "deploy" / "content_security_policy.caddy").read_text("utf-8")
    assert answer.headers["content-security-policy"] in policy
    ready(one.page)
    expect(grid(one.page)).to_have_attribute("data-step", "0")
    assert [address.split(":")[0] for address in one.sockets] == ["wss"]
    # Streamlit's script reads its cookie and sends it with an upload.
    assert cookies(one) == {"process": (True, True, "Lax"), "_streamlit_xsrf": (False, True, "Lax")}
    assert one.complaints.heard == []
    one.page.context.close()


@pytest.mark.weekly
def test_the_entry_of_community_cloud_shows_the_app(cloud: AppServer, new_page: NewPage) -> None:
    page = new_page(server=cloud)
    page.goto("/compare")  # the first request that this server gets
    ready(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare")
    page.goto("/")
    ready(page)
    expect(grid(page)).to_have_attribute("data-step", "0")


# A small proxy in front of the app that adds a header to every answer, as a class's web server does.

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


# The Content-Security-Policy of deploy/, added by a proxy: every page draws under it, without a complaint.

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
# A violation of the policy is an error in the console, which fails the test when it ends.
VIOLATE = """() => new Promise((resolve) => {
  addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective), { once: true });
  const picture = document.createElement('img');
  picture.src = 'http://127.0.0.2/picture.png';
  document.body.append(picture);
  setTimeout(() => resolve('nothing'), 2_000);
})"""


@pytest.fixture
def header() -> str:
    """Return the header as the proxy of deploy/ sets it."""
    written = (ROOT / "deploy/content_security_policy.caddy").read_text("utf-8")
    (policy,) = re.findall(r'^header Content-Security-Policy "(.*)"$', written, re.MULTILINE)
    return f"Content-Security-Policy: {policy}"


@pytest.mark.weekly
def test_every_page_draws_under_the_policy(new_page: NewPage, server: AppServer, header: str) -> None:
    with proxied(server, header) as app:
        page = new_page(server=app)
        answer = page.goto("/")
        assert answer
        assert answer.headers["content-security-policy"] == header.partition(": ")[2]
        ready(page)
        for name in PAGES:
            navigate(page, f"/{name}")
            ready(page)
            expect(page.locator("h1")).to_have_count(1)
            expect(page.get_by_test_id("stException")).to_have_count(0)
        navigate(page, "/watch")
        ready(page)
        expect(grid(page)).to_have_attribute("data-step", "0")
        page.context.close()


def test_the_policy_keeps_requests_on_this_machine(chromium: Browser, server: AppServer, header: str) -> None:
    with proxied(server, header) as app:
        page = chromium.new_page(base_url=app.url)
        page.goto("/_stcore/health")
        assert page.evaluate(VIOLATE) == "img-src"
        page.close()


# The installed app in a real browser: started by its command in another folder, it keeps its own configuration.


@pytest.mark.weekly
def test_the_installed_app_opens_and_listens_on_this_machine_only(new_page: NewPage, tmp_path: Path) -> None:
    installed = install(tmp_path / "site")
    port = free_port()
    server = AppServer(f"http://127.0.0.1:{port}", tmp_path / "server.log")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "words.txt").write_text("low lower lowest", "utf-8")
    with server.log.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "merge_by_merge", "words.txt", "--port", str(port), "--no-browser"],
            cwd=elsewhere,
            env={**environment(installed), "HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until_healthy(server, process)
        assert open_addresses(port) == {"127.0.0.1"}
        page: Page = new_page(server=server)
        page.goto("/")
        ready(page)
        # The file that it was started with.
        expect(grid(page)).to_have_attribute("data-text", "low lower lowest")
        page.goto("/lessons")
        ready(page)
        expect(page.get_by_role("list", name="8 words, each one token")).to_be_visible()
    finally:
        stop(process)


def open_addresses(port: int) -> set[str]:
    """Return the addresses of this machine at which something answers at the port."""
    with socket.socket(type=socket.SOCK_DGRAM) as way_out:
        way_out.connect(("192.0.2.1", 9))  # sends nothing, but chooses the address that others would reach
        outward = str(way_out.getsockname()[0])
    answers: set[str] = set()
    for address in ("127.0.0.1", outward):
        with socket.socket() as probe:
            probe.settimeout(2)
            if probe.connect_ex((address, port)) == 0:
                answers.add(address)
    return answers
