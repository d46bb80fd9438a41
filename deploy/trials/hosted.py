"""The app as deploy/compose.yaml hosts it, without containers: the same commands, variables and proxy configuration.

It cannot try what needs a container engine, such as whether the image builds: `containers` does. `memory` tries the
limit of memory.
"""

import json
import os
import re
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import yaml

from deploy.health import is_healthy
from tests import ROOT
from tests.browser.app_server import START_SECONDS, AppServer, free_port, stop

DEPLOY = ROOT / "deploy"
BASE = "class"  # of the address, as compose.yaml sets it


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
        {
            "SITE": "localhost",
            "HTTP_PORT": str(http),
            "HTTPS_PORT": str(https),
            "XDG_DATA_HOME": str(folder),
        },
        http,
        folder / "caddy" / "pki" / "authorities" / "local" / "root.crt",
    )


@contextmanager
def hosted(
    folder: Path,
    processes: int = 2,
    *,
    front_in: Callable[[Path], Front] = plain,
    read_only: bool = False,
) -> Iterator[Hosted]:
    """Run the proxy and the processes behind it until the block ends. The folder takes what they write.

    front_in: returns where the proxy listens, for this folder.
    read_only: run the processes where they can write to /tmp only, as compose.yaml has it.
    """
    log = folder / "hosted.log"
    ports = [free_port() for _ in range(processes)]
    front = front_in(folder)
    with ExitStack() as stack, log.open("wb") as output:

        def start(command: list[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
            around = _without_settings() | {"HOME": str(folder), "PYTHONPATH": str(ROOT)}
            return stack.enter_context(started(command, {**around, **environment}, output))

        environment = container_environment({"HOST_NAME": front.host})
        prefix = sandbox() if read_only else []
        home = {} if read_only else {"HOME": str(folder)}
        apps = [start([*prefix, *container_command(port)], environment | home) for port in ports]
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


def sandbox() -> list[str]:
    """Return the command that starts another one as the user of the Dockerfile, where only /tmp can be written."""
    user = re.search(r"^USER (\d+):(\d+)$", _read("Dockerfile"), re.MULTILINE)
    assert user
    # The folders of the app and of Python may lie below the /tmp that is replaced.
    visible = [word for path in (ROOT, Path(sys.prefix)) for word in ("--ro-bind", str(path), str(path))]
    return [
        *("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", *visible),
        *("--unshare-user", "--uid", user[1], "--gid", user[2]),
        *("--unshare-pid", "--cap-drop", "ALL", "--die-with-parent"),
    ]


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
