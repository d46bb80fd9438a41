"""Try the memory limit of compose.yaml without containers, and print what docs/hosting.md quotes.

Run `python -m deploy.trials.memory [LIMIT]`, on Linux. It runs the same command with the same variables, and has the
kernel refuse it more private memory than the limit. This is stricter than a container's limit: it also refuses memory
that is requested but never used. With the limit `group` it runs in a cgroup, as in a container, which needs root.
`python -m deploy.trials.containers` tries the limit of a container.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.server.load import upload
from benchmarks.server.viewer import Viewer
from benchmarks.texts import english
from deploy.trials import memory_limits
from deploy.trials.hosted import composition, container_command, container_environment, started
from deploy.trials.memory_limits import KINDS, Kind
from tests import ROOT
from tests.browser.app_server import AppServer, free_port, wait_until_healthy

MB = 1_000_000
MERGES = 10_000
CLASSES = ((10 * MB,), (20 * MB,) * 3)  # for each trial, the size of each visitor's text
UNITS = {"m": 2**20, "g": 2**30}


def limit() -> int:
    """Return the bytes of memory that compose.yaml gives to one process of the app."""
    text = composition()["services"]["app-1"]["mem_limit"]
    return int(text[:-1]) * UNITS[text[-1]]


@contextmanager
def running(most: int, kind: Kind = memory_limits.private) -> Iterator[AppServer]:
    """Run the app as its container does, with so many bytes of memory at most, until the block ends."""
    with tempfile.TemporaryDirectory() as folder, kind(most) as prefix:
        port = free_port()
        server = AppServer(f"http://127.0.0.1:{port}", Path(folder) / "app.log")
        environment = container_environment({"HOST_NAME": "127.0.0.1", "BASE_PATH": ""})
        environment |= {"HOME": folder, "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
        with (
            server.log.open("wb") as log,
            started([*prefix, *container_command(port)], environment, log) as process,
        ):
            wait_until_healthy(server, process)
            yield AppServer(server.url, server.log, process.pid)


async def visit(server: AppServer, sizes: Sequence[int]) -> list[Viewer]:
    """Let one visitor for each size upload a text of so many bytes, all at once. Return them when all have ended."""
    path = f"/?corpus_source=upload&merges={MERGES}&preset=none&variant=bytes-gpt2"
    visitors = [Viewer(server.url, path) for _ in sizes]
    for one in visitors:
        await one.open()
    texts = [f"{number} {english(size - 10)}" for number, size in enumerate(sizes)]
    await asyncio.gather(*(upload(one, text) for one, text in zip(visitors, texts, strict=True)))
    return visitors


def peak(server: AppServer) -> float:
    """Return the most memory that the process has held so far, in MB."""
    status = Path(f"/proc/{server.pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) * 1024 / MB for line in status.splitlines() if line.startswith("VmHWM"))


async def trial(server: AppServer, sizes: Sequence[int]) -> str:
    """Return a sentence on what texts of these sizes need when they are trained at the same time."""
    visitors = await visit(server, sizes)
    drawn = sum(bool(one.grid) and not one.problems for one in visitors)
    return (
        f"{len(sizes)} x {sizes[0] // MB} MB, {MERGES:,} merges: at most {peak(server):.0f} MB; "
        f"{drawn} of {len(sizes)} visitors got the grid"
    )


def main() -> None:
    """Print one line for each trial."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("limit", nargs="?", choices=KINDS, default="private", help="what the kernel limits")
    kind = parser.parse_args().limit
    print(f"one process, which gets no more than {limit() / MB:,.0f} MB of memory ({kind}):")
    for sizes in CLASSES:
        with running(limit(), KINDS[kind]) as server:
            print(asyncio.run(trial(server, sizes)))


if __name__ == "__main__":
    main()
