"""The app in its own process, started as `streamlit run app.py` starts it."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from playwright.sync_api import Error as PlaywrightError

from harness import ROOT

START_SECONDS = 60
_STOP_SECONDS = 10
_Started = TypeVar("_Started")


@dataclass(frozen=True, slots=True)
class AppServer:
    """A running app: its address, its process, and its terminal output so far."""

    url: str  # without a slash at the end
    log: Path
    pid: int = 0

    def output(self) -> str:
        """Return the terminal output, including tracebacks that the page does not show."""
        return self.log.read_text(encoding="utf-8", errors="replace")


RUNNING: dict[str, AppServer] = {}  # by address


@contextmanager
def serve(
    script: Path = ROOT / "app.py",
    port: int | None = None,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[AppServer]:
    """Run the app until the block ends. It is ready when the block begins.

    It runs in the project's folder under the project's config.toml, with a home of its own, so neither the
    user's Streamlit settings nor credentials matter. It does not watch files: an edit while tests run changes
    nothing. `port` None chooses a free one; `variables` are added to its environment. A failed start is repeated
    once. Then RuntimeError is raised with the server's output.
    """
    with tempfile.TemporaryDirectory(prefix="merge-by-merge-", ignore_cleanup_errors=True) as home:
        server, process = twice(lambda: _start(script, Path(home), port or free_port(), variables))
        RUNNING[server.url] = server
        try:
            yield server
        finally:
            del RUNNING[server.url]
            stop(process)


def twice(start: Callable[[], _Started]) -> _Started:
    """Return the result of `start`. Call it once more if it fails, since a busy machine may be too slow once."""
    try:
        return start()
    except (RuntimeError, PlaywrightError):
        return start()


def _start(
    script: Path, home: Path, port: int, variables: Mapping[str, str]
) -> tuple[AppServer, subprocess.Popen[bytes]]:
    """Start a server and return it when it answers. Raises RuntimeError when it does not."""
    command = [
        *(sys.executable, "-m", "streamlit", "run", str(script)),
        *("--server.port", str(port), "--server.headless", "true", "--server.fileWatcherType", "none"),
    ]
    url, output = f"http://127.0.0.1:{port}", home / f"{port}.log"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    environment |= {"HOME": str(home), "USERPROFILE": str(home), "PYTHONUNBUFFERED": "1"}
    environment["PYTHONPATH"] = str(ROOT)  # for a script of the tests; that of app.py is its own folder
    environment |= variables
    with output.open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
        )
    server = AppServer(url, output, process.pid)
    try:
        wait_until_healthy(server, process)
    except BaseException:
        stop(process)
        raise
    return server, process


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a server, and kill it if it does not end in time."""
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    """Return a port of this machine that nothing uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_healthy(server: AppServer, process: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers. Raises RuntimeError with its output if it does not."""
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=1) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError(f"The app did not start at {server.url}:\n{server.output()}")


def cpu_seconds(server: AppServer) -> float:
    """Return the CPU seconds of the server so far, all its threads together, as Linux counts them."""
    return time.clock_gettime(~server.pid << 3 | 2)  # what clock_getcpuclockid(3) returns for a process


def megabytes(server: AppServer) -> float:
    """Return the memory that the server holds now."""
    status = Path(f"/proc/{server.pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def crowd() -> float:
    """Return how many times longer all takes, since more works on this machine than it has processors; 1 at least."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
