"""Start deploy/compose.yaml with Docker, try what needs containers, and print what docs/hosting.md quotes.

Run `python -m deploy.trials.containers`, on Linux. It needs Docker with Compose 2.24 or newer, Chromium, and the ports
80, 443 and 8080. `python -m deploy.trials.check` tries the rest without containers.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from deploy.trials.chosen import chosen_trials
from deploy.trials.hosted import DEPLOY, Front, answers, composition
from deploy.trials.memory import CLASSES, MB, limit, trial, visit
from deploy.trials.visitors import chromium, encryption, read_pages
from tests.browser.app_server import AppServer, free_port

IMAGE = "merge-by-merge"
APP, PROXY = "merge-by-merge-app-1-1", "merge-by-merge-proxy-1"  # as Compose names the containers
AUTHORITY = "/data/caddy/pki/authorities/local/root.crt"  # Caddy's own root certificate, in its container
TOO_LITTLE = 100 * 2**20  # bytes of memory: enough to start, and too few for uploads of 20 MB
PATIENCE = 120  # seconds

PROBE = (DEPLOY / "probe.py").read_text("utf-8")  # run in a container of the app


def docker(*arguments: str) -> str:
    """Run Docker and return its output. If it fails, end the script with its error message."""
    environment = {**os.environ, "DOCKER_BUILDKIT": "1", "HOST_NAME": "localhost"}
    done = subprocess.run(
        ["docker", *arguments], capture_output=True, text=True, env=environment, check=False, cwd=DEPLOY
    )
    if done.returncode:
        sys.exit(f"docker {' '.join(arguments[:4])}:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def inspected(container: str) -> Any:
    """Return what Docker knows about a container."""
    return json.loads(docker("inspect", container))[0]


@contextmanager
def composed(*files: str) -> Iterator[float]:
    """Build and run what these files describe until the block ends. Yield the seconds until all is healthy."""
    compose = ["compose", *(word for file in files for word in ("-f", file))]
    docker(*compose, "build")
    try:
        begin = time.monotonic()
        docker(*compose, "up", "--detach", "--wait")
        yield time.monotonic() - begin
    finally:
        docker(*compose, "down", "--volumes")


def wait_until(holds: Callable[[], bool], what: str) -> float:
    """Return the seconds until the condition holds. If that takes too long, end the script."""
    begin = time.monotonic()
    while not holds():
        if time.monotonic() - begin > PATIENCE:
            sys.exit(f"{what}: not after {PATIENCE} s")
        time.sleep(0.2)
    return time.monotonic() - begin


def _over_http() -> None:
    """Print what the composition does: its versions, its pages, and what a process in it may do."""
    with composed("compose.yaml") as seconds, chromium() as browser:
        python = docker("exec", APP, "python", "-V")
        caddy = docker("exec", PROXY, "caddy", "version").split()[0]
        print(
            f"{python}, Caddy {caddy}: two processes and the proxy, healthy {seconds:.0f} s after the start"
        )
        print(read_pages(browser, Front("localhost", "http://localhost:8080", {})))
        networks = inspected(PROXY)["NetworkSettings"]["Networks"]
        inside, outside = (networks[f"merge-by-merge_{name}"] for name in ("inside", "outside"))
        network = json.loads(docker("network", "inspect", "merge-by-merge_inside"))[0]
        with socket.create_server((network["IPAM"]["Config"][0]["Gateway"], 0)) as program:
            addresses = {
                "the proxy": (inside["IPAddress"], 8080),
                "the network beyond the proxy": (outside["IPAddress"], 8080),
                "a program on the machine that runs the containers": program.getsockname(),
            }
            rights = docker("exec", APP, "python", "-c", PROBE, json.dumps(addresses))
        print("a process:", *rights.splitlines(), sep="\n  ")


def _over_https() -> None:
    """Print what HTTPS adds, for localhost, for which Caddy makes a certificate itself."""
    with (
        tempfile.TemporaryDirectory() as folder,
        composed("compose.yaml", "compose.https.yaml"),
        chromium() as browser,
    ):
        authority = Path(folder) / "root.crt"
        authority.write_text(docker("exec", PROXY, "cat", AUTHORITY), "ascii")
        front = Front("localhost", "https://localhost", {}, http=80, authority=authority)
        wait_until(lambda: answers(front), "an answer with a valid certificate")
        print(encryption(front))
        print(read_pages(browser, front))


@contextmanager
def alone(memory: int) -> Iterator[tuple[AppServer, str]]:
    """Run one container as compose.yaml describes it, but with this much memory (bytes) and without the proxy."""
    app = composition()["services"]["app-1"]
    port = free_port()
    container = docker(
        *("run", "--detach", "--read-only", "--tmpfs", app["tmpfs"], "--env-file", app["env_file"]),
        *(word for capability in app["cap_drop"] for word in ("--cap-drop", capability)),
        *(word for option in app["security_opt"] for word in ("--security-opt", option)),
        *("--restart", app["restart"], "--memory", str(memory), "--memory-swap", str(memory)),
        *("--publish", f"127.0.0.1:{port}:8501", IMAGE),
    )
    try:
        wait_until(lambda: _is_healthy(container), "the container's health")
        pid = inspected(container)["State"]["Pid"]
        yield AppServer(f"http://127.0.0.1:{port}", Path(os.devnull), pid), container
    finally:
        docker("rm", "--force", container)


def _is_healthy(container: str) -> bool:
    return bool(inspected(container)["State"]["Health"]["Status"] == "healthy")


def _memory() -> None:
    """Print how much memory uploads need under the limit of compose.yaml, and what happens if it is too low."""
    docker("compose", "-f", "compose.yaml", "build")
    print(f"a container with {limit() / MB:,.0f} MB of memory:")
    for sizes in CLASSES:
        with alone(limit()) as (server, _):
            print(" ", asyncio.run(trial(server, sizes)))
    with alone(TOO_LITTLE) as (server, container):
        with suppress(ConnectionClosed, OSError):
            asyncio.run(visit(server, CLASSES[-1]))
        wait_until(
            lambda: inspected(container)["RestartCount"] > 0, "the end of a process that needs too much"
        )
        seconds = wait_until(lambda: _is_healthy(container), "the health of the next process")
        events = docker("events", "--since", "1h", "--until", "0s", "--filter", f"container={container}")
        reason = "out of memory" if " oom " in events else "for a reason that Docker does not name"
        print(
            f"a container with {TOO_LITTLE / MB:,.0f} MB: {len(CLASSES[-1])} uploads of 20 MB ended the app, {reason}; "
            f"Docker started it again, healthy {seconds:.0f} s later"
        )


# What can be tried -> what tries it.
TRIALS: Mapping[str, Callable[[], None]] = {
    "http": _over_http,
    "https": _over_https,
    "memory": _memory,
}


def main() -> None:
    """Print what each trial shows."""
    chosen = chosen_trials(__doc__, TRIALS)  # before Docker is asked: a wrong name ends the program
    print("Docker", docker("version", "--format", "{{.Server.Version}}"), docker("compose", "version"))
    for run in chosen:
        run()


if __name__ == "__main__":
    main()
