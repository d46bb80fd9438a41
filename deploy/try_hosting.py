"""Host the app as deploy/ describes, open every page in Chromium over HTTP and HTTPS, and print what the browser saw.

Run `python -m deploy.try_hosting`. Docker, with Compose 2.24 or newer, builds and starts the containers; it needs the
ports 80, 443 and 8080. Where no Docker answers, or with `--without-docker`, Caddy and two processes run with the same
commands, variables and configuration. Ends with 1 if the browser complained.
"""

import argparse
import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import yaml
from playwright.sync_api import Browser, Page, sync_playwright

from deploy.health import is_healthy
from harness.app_server import START_SECONDS, AppServer, free_port, stop
from harness.chromium import Complaints, find_chromium, launch, ready
from tests import ROOT

DEPLOY = ROOT / "deploy"
BASE = "class"  # of the address, as compose.yaml sets it
AUTHORITY = "/data/caddy/pki/authorities/local/root.crt"  # Caddy's own root certificate, in its container
# The addresses of the pages. Watch is the first one.
PAGES = ("", *(page.stem for page in sorted((ROOT / "pages").glob("*.py")) if page.stem != "watch"))
COOKIE = "process"  # names the process of a visitor


@dataclass(frozen=True, slots=True)
class Hosted:
    """A proxy and the processes of the app behind it."""

    app: AppServer  # as browsers reach it; its log holds the output of all processes
    processes: tuple[subprocess.Popen[bytes], ...]
    front: "Front"


@dataclass(frozen=True, slots=True)
class Front:
    """Where the proxy listens."""

    host: str  # the name under which browsers reach it
    url: str
    variables: Mapping[str, str]  # of the Caddyfile
    http: int = 0  # the port that redirects to HTTPS, if the proxy uses that
    authority: Path | None = None  # the certificate of who signed the proxy's own; exists once the proxy runs


def plain(folder: Path) -> Front:
    """Return a front at a free port, without HTTPS."""
    url = f"http://127.0.0.1:{free_port()}"
    return Front("127.0.0.1", url, {"SITE": url})


def encrypted(folder: Path) -> Front:
    """Return a front with HTTPS at free ports, for `localhost`, for which Caddy makes a certificate itself."""
    http, https = free_port(), free_port()
    return Front(
        "localhost",
        f"https://localhost:{https}",
        {"SITE": "localhost", "HTTP_PORT": str(http), "HTTPS_PORT": str(https), "XDG_DATA_HOME": str(folder)},
        http,
        folder / "caddy" / "pki" / "authorities" / "local" / "root.crt",
    )


@contextmanager
def hosted(
    folder: Path,
    processes: int = 2,
    *,
    front_in: Callable[[Path], Front] = plain,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Hosted]:
    """Run the proxy and the processes behind it until the block ends. The folder takes what they write.

    front_in: returns where the proxy listens, for this folder.
    variables: in the environment of the processes, instead of the container's.
    """
    log = folder / "hosted.log"
    ports = [free_port() for _ in range(processes)]
    front = front_in(folder)
    with ExitStack() as stack, log.open("wb") as output:

        def start(command: list[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
            around = _without_settings() | {"HOME": str(folder), "PYTHONPATH": str(ROOT)}
            return stack.enter_context(started(command, {**around, **environment}, output))

        environment = container_environment({"HOST_NAME": front.host})
        environment |= {"HOME": str(folder), **variables}
        apps = [start(container_command(port), environment) for port in ports]
        for port, app in zip(ports, apps, strict=True):
            _wait(app, partial(is_healthy, port, BASE), log)
        upstreams = " ".join(f"127.0.0.1:{port}" for port in ports)
        proxy = start(
            ["caddy", "run", "--config", str(DEPLOY / "Caddyfile")],
            {**front.variables, "BASE_PATH": BASE, "UPSTREAMS": upstreams},
        )
        _wait(proxy, partial(answers, front), log)
        yield Hosted(AppServer(front.url, log, proxy.pid), tuple(apps), front)


@contextmanager
def started(
    command: Sequence[str], environment: Mapping[str, str], output: BinaryIO
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command with these variables until the block ends."""
    process = subprocess.Popen(
        command,
        cwd=DEPLOY,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        stop(process)


def container_command(port: int) -> list[str]:
    """Return the command of the Dockerfile, at another port, for the app of this folder."""
    match = re.search(r"^CMD (.+)$", _read("Dockerfile"), re.MULTILINE)
    assert match
    command: list[str] = json.loads(match[1])
    assert command[0] == "merge-by-merge"
    arguments = [str(port) if word == "8501" else word for word in command[1:]]
    return [sys.executable, "-m", "merge_by_merge", *arguments]


def container_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that the Dockerfile, compose.yaml and its file of limits set for the app."""
    set_ = [
        word for line in re.findall(r"^ENV (.+)$", _read("Dockerfile"), re.MULTILINE) for word in line.split()
    ]
    app = composition()["services"]["app-1"]
    lines = [line for line in _read(app["env_file"]).splitlines() if line and not line.startswith("#")]
    environment = dict(word.split("=", 1) for word in [*set_, *lines])
    del environment["PATH"]  # of the image
    return environment | {name: _interpolated(text, variables) for name, text in app["environment"].items()}


def composition() -> dict[str, Any]:
    """Return deploy/compose.yaml, parsed."""
    parsed: dict[str, Any] = yaml.safe_load(_read("compose.yaml"))
    return parsed


def _interpolated(text: str, variables: Mapping[str, str]) -> str:
    """Return a value of compose.yaml with its variables, or their defaults, in it."""
    return re.sub(r"\$\{(\w+):-([^}]*)\}", lambda match: variables.get(match[1], match[2]), text)


def _without_settings() -> dict[str, str]:
    """Return this process's environment without variables that change the app."""
    return {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("STREAMLIT_", "MERGE_BY_MERGE_"))
    }


def answers(front: Front) -> bool:
    """Return whether the app answers through the proxy, with a valid certificate if it uses HTTPS."""
    try:
        context = ssl.create_default_context(cafile=str(front.authority)) if front.authority else None
        address = f"{front.url}/{BASE}/_stcore/health"
        with urllib.request.urlopen(address, timeout=5, context=context) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _wait(process: subprocess.Popen[bytes], is_ready: Callable[[], bool], log: Path) -> None:
    """Wait until a process answers. Raises RuntimeError with all output if it does not."""
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if is_ready():
            return
        time.sleep(0.1)
    raise RuntimeError(f"{process.args!r} did not start:\n{log.read_text('utf-8', errors='replace')}")


def _read(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


@dataclass(slots=True)
class Visitor:
    """A browser with cookies of its own, and what it complained about."""

    page: Page
    complaints: Complaints
    processes: list[str] = field(default_factory=list)  # the one of each page that was opened
    sockets: list[str] = field(default_factory=list)  # addresses of the connections that its pages kept

    def open(self, path: str) -> None:
        """Open a page of the app, wait until it is drawn, and record the process that served it."""
        self.page.goto(f"/{BASE}/{path}")
        ready(self.page)
        self.processes.append(self.cookies[COOKIE])

    @property
    def cookies(self) -> dict[str, str]:
        """{name: value} of its cookies."""
        listed = self.page.context.cookies()
        return {cookie.get("name", ""): cookie.get("value", "") for cookie in listed}


def visitor(browser: Browser, front: Front) -> Visitor:
    """Return a new visitor, who has opened nothing yet."""
    # No browser knows who signed a certificate that Caddy made itself. `answers` verifies it.
    page = browser.new_context(base_url=front.url, ignore_https_errors=front.authority is not None).new_page()
    complaints = Complaints(f"{front.url}/{BASE}")
    complaints.listen(page)
    one = Visitor(page, complaints)
    page.on("websocket", lambda socket: one.sockets.append(socket.url))
    return one


def redirected(front: Front) -> str:
    """Return where the HTTP address of the app leads: to the usual port, since only a trial uses another one."""
    connection = http.client.HTTPConnection(front.host, front.http, timeout=5)
    connection.request("GET", f"/{BASE}/")
    return connection.getresponse().headers["Location"]


def read_pages(browser: Browser, front: Front) -> list[str]:
    """Let a new visitor open all pages, print what the browser saw, and return what it complained about."""
    one = visitor(browser, front)
    for path in PAGES:
        one.open(path)
    secure = sum(address.startswith("wss://") for address in one.sockets)
    kept = len({*one.processes}) == 1
    print(
        f"{len(PAGES)} pages at {front.url}/{BASE}/, {'all' if kept else 'NOT all'} from one process, "
        f"{secure} of {len(one.sockets)} connections wss, cookies: {' '.join(one.cookies)}"
    )
    if front.authority is not None:
        print(f"a certificate that is valid for {front.host}; HTTP leads to {redirected(front)}")
    complaints = one.complaints.heard + ([] if kept else ["the visitor changed its process"])
    print(f"console errors and requests elsewhere: {len(one.complaints.heard)}", *complaints, sep="\n  ")
    return complaints


@contextmanager
def composed(folder: Path, *, https: bool) -> Iterator[Front]:
    """Build and run deploy/compose.yaml with Docker, with HTTPS if asked for. Yield the front once all is healthy."""
    files = ("compose.yaml", "compose.https.yaml") if https else ("compose.yaml",)
    compose = ["compose", *(word for file in files for word in ("-f", file))]
    docker(*compose, "build")
    try:
        begin = time.monotonic()
        docker(*compose, "up", "--detach", "--wait")
        print(f"containers, healthy {time.monotonic() - begin:.0f} s after the start")
        front = Front("localhost", "http://localhost:8080", {})
        if https:
            front = Front("localhost", "https://localhost", {}, 80, folder / "root.crt")
            deadline = time.monotonic() + START_SECONDS
            while not answers(front):
                if time.monotonic() > deadline:
                    sys.exit(f"no answer with a valid certificate after {START_SECONDS} s")
                with suppress(subprocess.CalledProcessError):  # Caddy has not made it yet
                    certificate = docker(*compose, "exec", "-T", "proxy", "cat", AUTHORITY)
                    (folder / "root.crt").write_text(certificate, "ascii")
                time.sleep(0.2)
        yield front
    finally:
        docker(*compose, "down", "--volumes")


def docker(*arguments: str) -> str:
    """Run Docker in deploy/ and return its output."""
    environment = {**os.environ, "DOCKER_BUILDKIT": "1", "HOST_NAME": "localhost"}
    return subprocess.run(
        ["docker", *arguments], cwd=DEPLOY, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()


@contextmanager
def without_docker(folder: Path, *, https: bool) -> Iterator[Front]:
    """Run the proxy and the processes. Yield the front. Ends the script if one of them printed a traceback."""
    with hosted(folder, front_in=encrypted if https else plain) as app:
        print(f"Caddy in front of {len(app.processes)} processes")
        yield app.front
        if "Traceback" in app.app.output():
            sys.exit(app.app.output())


def docker_answers() -> bool:
    """Return whether Docker is here and its daemon runs."""
    return (
        shutil.which("docker") is not None
        and not subprocess.run(
            ["docker", "version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ).returncode
    )


def main() -> None:
    """Open all pages over HTTP, then over HTTPS. End with 1 if the browser complained."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--without-docker", action="store_true", help="run Caddy and the processes themselves"
    )
    host = without_docker if parser.parse_args().without_docker or not docker_answers() else composed
    if host is without_docker and shutil.which("caddy") is None:
        sys.exit("This needs Docker or Caddy. Debian's package of the latter is caddy.")
    executable = find_chromium()
    if executable is None:
        sys.exit("This needs Chromium. Debian's package is chromium.")
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = launch(playwright, executable)
        for https in (False, True):
            with tempfile.TemporaryDirectory() as folder, host(Path(folder), https=https) as front:
                complaints += read_pages(browser, front)
        browser.close()
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
