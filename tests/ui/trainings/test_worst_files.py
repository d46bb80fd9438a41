"""The worst files that may be uploaded, through every way in: memory keeps its limit, and others are served."""

import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.error import URLError

import pytest

from deploy.try_hosting import container_command, container_environment, started
from harness.app_server import AppServer, crowd, free_port, wait_until_healthy
from harness.viewer import POLLING, Viewer
from tests import ROOT
from tests.material.worst_files import worst_files
from tests.shipping.test_deploy import container_limit
from ui.trainings import limits

SIZE = 19_900_000  # bytes, just below the limit of an upload
MB = 1_000_000
LOOK = 0.05  # seconds between two looks at the memory
STEP = 1.0  # seconds that a neighbour's step may take
PATIENCE = 60  # seconds until a visitor goes
NEIGHBOUR = "/?merges=20"
# Of each file: where it is uploaded, the field, and the popover that holds the field
DOORS: Mapping[str, tuple[str, str, str]] = {
    "the choices": ("/?recipe_source=file", "tokenizer_upload", ""),
    "Compare": ("/compare", "lane_upload", ""),
    "Tokenizers": ("/tokenizers", "measured_upload", "measured_popover"),
    "a share file": ("/", "share_file", ""),
}


@contextlib.contextmanager
def running(most: int) -> Iterator[AppServer]:
    """Run the app as its container does, with so many bytes of private memory at most, until the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        server = AppServer(f"http://127.0.0.1:{port}", Path(folder) / "app.log")
        environment = container_environment({"HOST_NAME": "127.0.0.1", "BASE_PATH": ""})
        environment |= {"HOME": folder, "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
        command = ["prlimit", f"--data={most}", *container_command(port)]
        with server.log.open("wb") as log, started(command, environment, log) as process:
            wait_until_healthy(server, process)
            yield AppServer(server.url, server.log, process.pid)


async def is_served(server: AppServer) -> bool:
    """Return whether another visitor gets the first screen. A busy machine shows how far the training is first."""
    viewer = Viewer(server.url)
    await viewer.open()
    while not viewer.grid and (fragment := next(iter(viewer.polling), "")):
        await asyncio.sleep(POLLING)
        await viewer.run(fragment=fragment)
    await viewer.close()
    return bool(viewer.grid) and not viewer.problems


def held(process: int) -> float:
    """Return the MB that a process and its children hold now.

    A child that is not yet another program has the memory of its parent, which must not count twice.
    """
    children = [
        int(child)
        for task in Path(f"/proc/{process}/task").iterdir()
        for child in _read(task / "children").split()
    ]
    program = _read(Path(f"/proc/{process}/cmdline"))
    others = [child for child in children if _read(Path(f"/proc/{child}/cmdline")) != program]
    return _resident(process) + sum(map(_resident, others))


def _resident(process: int) -> float:
    status = _read(Path(f"/proc/{process}/status"))
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024 / MB if "VmRSS:" in status else 0.0


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:  # it has ended
        return ""


async def visit(server: AppServer, door: str, content: bytes) -> None:
    """Upload a file, wait until the page is done with it, and go."""
    path, field, popover = DOORS[door]
    viewer = Viewer(server.url, path)
    await viewer.open()
    if popover:
        await viewer.open_popover(popover)
    with contextlib.suppress(TimeoutError, URLError):  # URLError: the server refuses the file
        async with asyncio.timeout(PATIENCE):
            await viewer.upload("my.json", content, field)
    assert viewer.problems == []
    await viewer.close()


async def trial(server: AppServer, door: str) -> tuple[float, float, list[str]]:
    """Upload every file. Return the most memory that was held, the longest step of a neighbour, and a line for each."""
    neighbour = Viewer(server.url, NEIGHBOUR)
    await neighbour.open()
    peaks, steps, lines = [0.0], [0.0], []

    async def look() -> None:
        while True:
            await asyncio.sleep(LOOK)
            peaks.append(await asyncio.to_thread(held, server.pid))

    async def step() -> None:
        number = 0
        while True:
            await asyncio.sleep(LOOK)
            number = (number + 1) % 10
            steps.append(await neighbour.report(number) / crowd())

    working = [asyncio.create_task(look()), asyncio.create_task(step())]
    for name, make in worst_files().items():
        content = await asyncio.to_thread(make, SIZE)
        begin, looks, reports = time.monotonic(), len(peaks), len(steps)
        await visit(server, door, content)
        lines.append(
            f"{name}, {door}: {time.monotonic() - begin:.1f} s, {max(peaks[looks:], default=0):.0f} MB, "
            f"step {max(steps[reports:], default=0):.2f} s"
        )
    for task in working:
        task.cancel()
    await asyncio.gather(*working, return_exceptions=True)
    await neighbour.close()
    assert await is_served(server)
    return max(peaks), max(steps), lines


@pytest.mark.weekly  # some minutes for each
@pytest.mark.skipif(sys.platform != "linux", reason="the limits of a container are those of Linux")
@pytest.mark.parametrize("door", DOORS)
def test_the_worst_files_take_no_more_than_the_limit_and_others_are_served_meanwhile(door: str) -> None:
    most = limits.MEMORY.value(container_environment({}))
    with running(container_limit()) as server:
        peak, step, lines = asyncio.run(trial(server, door))
        assert "Traceback" not in server.output()
    assert peak <= most, "\n".join(lines)
    assert step <= STEP, "\n".join(lines)
