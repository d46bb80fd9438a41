"""The texts with the most ways to break their ties: the listing and the app keep their memory and their time."""

import asyncio
import contextlib
import random
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from harness.app_server import AppServer, crowd
from harness.viewer import Viewer
from tests import ROOT
from tests.shipping.test_deploy import container_limit
from tests.ui.trainings.test_worst_files import LOOK, NEIGHBOUR, STEP, held, is_served, running

pytestmark = [
    pytest.mark.weekly,  # some minutes
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux says it"),
]

MOST_HELD = 500  # MB, of the app
MOST_KEPT = 60  # MB more than before, when the visitor has left
MOST_QUIET = 10.0  # seconds until the page is drawn, with the list
PATIENCE = 20.0  # seconds until what a visitor has asked for is forgotten
MOST_LISTED = 120  # MB that a listing takes
MOST_WORK = 3.0  # seconds of CPU


def characters(number: int) -> list[str]:
    """Return so many different characters."""
    return [chr(0x4E00 + code) for code in range(number)]


def pairs(number: int) -> str:
    """Return so many different words of two characters."""
    return " ".join(map("".join, pairwise(characters(number + 1))))


def words(number: int) -> str:
    """Return so many random words."""
    draw = random.Random(0)
    return " ".join(
        "".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 10))) for _ in range(number)
    )


def fibonacci_word(length: int) -> str:
    """Return the beginning of the word that a, ab, aba and abaab begin."""
    one, other = "a", "ab"
    while len(other) < length:
        one, other = other, other + one
    return other[:length]


TEXTS: Mapping[str, Callable[[], str]] = {
    "5,000 different characters": lambda: "".join(characters(5_000)),
    "1,900 different characters": lambda: "".join(characters(1_900)),
    "20,000 different characters": lambda: "".join(characters(20_000)),
    "a character in each of 3,500 lines": lambda: "\n".join(characters(3_500)),
    "2,000 pairs": lambda: pairs(2_000),
    "3,600 pairs": lambda: pairs(3_600),
    "hashes": lambda: "\n".join(random.Random(n).randbytes(20).hex() for n in range(3_000)),
    "random words": lambda: words(20_000),
    "a Fibonacci word": lambda: fibonacci_word(100_000),
    "one letter": lambda: "a" * 100_000,
}

LISTING = """
import resource, sys, time
from bpe.analysis.tie_graph import tie_graph
text = sys.stdin.buffer.read().decode()
before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
graph = tie_graph(text, sys.argv[1], merges=100, most_seconds=2.0)
after, ended = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
print((after - before) * 1024 / 1e6, ended - began, graph.stopped)
"""


@pytest.mark.parametrize("variant", ["char-eow", "bytes-whitespace"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_listing_takes_bounded_memory_and_time(text: Callable[[], str], variant: str) -> None:
    command = [sys.executable, "-c", LISTING, variant]
    result = subprocess.run(command, input=text().encode(), cwd=ROOT, capture_output=True, check=True)
    megabytes, seconds, *_ = result.stdout.decode().split()
    assert float(megabytes) <= MOST_LISTED
    assert float(seconds) <= MOST_WORK


async def _visit(server: AppServer, text: str) -> tuple[float, float, float]:
    """Paste a text on Watch and leave. Return the most MB that were held, the longest step of a neighbour, the time."""
    neighbour = Viewer(server.url, NEIGHBOUR)
    await neighbour.open()
    peaks, steps = [0.0], [0.0]

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
    viewer = Viewer(server.url, "/?corpus_source=paste")
    await viewer.open()
    began = time.monotonic()
    await viewer.follow([WidgetState(id=viewer.widgets["corpus_text"], string_value=text)])
    await viewer.draw_the_rest()
    await viewer.follow()
    await _until_idle(server.pid)
    seconds = (time.monotonic() - began) / crowd()
    assert viewer.problems == []
    assert "every_way_watch" in viewer.widgets
    await viewer.close()
    for task in working:
        task.cancel()
    await asyncio.gather(*working, return_exceptions=True)
    await neighbour.close()
    return max(peaks), max(steps), seconds


async def _until_idle(process: int) -> None:
    """Wait until a process uses less than a quarter of a processor, but for the neighbour's steps."""
    before = _work(process)
    while True:
        await asyncio.sleep(0.5)
        now = _work(process)
        if now - before < 0.4:
            return
        before = now


def _work(process: int) -> float:
    """Return the seconds of CPU that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def test_the_app_keeps_its_memory_and_serves_others_meanwhile() -> None:
    lines: list[str] = []
    problems: list[str] = []
    with running(container_limit()) as server:
        asyncio.run(_visit(server, "low lower"))
        for name, text in TEXTS.items():
            before = held(server.pid)
            peak, step, seconds = asyncio.run(_visit(server, text()))
            with contextlib.suppress(TimeoutError):
                asyncio.run(asyncio.wait_for(_until_held(server.pid, before + MOST_KEPT), PATIENCE))
            kept = held(server.pid) - before
            lines.append(
                f"{name}: {peak:.0f} MB, {kept:.0f} kept, step {step:.2f} s, quiet after {seconds:.1f} s"
            )
            if peak > MOST_HELD or kept > MOST_KEPT or step > STEP or seconds > MOST_QUIET:
                problems.append(lines[-1])
            assert asyncio.run(is_served(server)), name
        assert "Traceback" not in server.output()
    print("\n".join(lines))  # noqa: T201  # figures for whoever runs it alone
    assert problems == []


async def _until_held(process: int, most: float) -> None:
    while held(process) > most:
        await asyncio.sleep(LOOK)
