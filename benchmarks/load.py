"""Measure what a step that a viewer reports costs the app's server, alone and in a class of fifty.

Run: python -m benchmarks.load. It drives the real server over its WebSocket, as browsers do. CPU is that of the
server's process and is read from the system, so the viewers, who run in this process, do not count.
"""

import argparse
import asyncio
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles

from benchmarks.measure import print_machine, print_table
from benchmarks.texts import english
from harness.app_server import AppServer, cpu_seconds, megabytes, serve
from harness.viewer import POLLING, Viewer

STORY = "/?corpus_sample=story&merges=400"
UPLOAD = "/?corpus_source=upload&merges=10000&preset=none&variant=char-eow"
LONGEST = "/?corpus_source=upload&merges=50000&preset=none&variant=bytes-gpt2"
# Title, address, merges, bytes of the text that is uploaded, 0 for a sample.
CASES = (
    ("the first screen", "/", 12, 0),
    ("the story, 400 merges", STORY, 400, 0),
    ("a file of 1 MB, 10,000 merges", UPLOAD, 10_000, 1_000_000),
    ("a file of 20 MB, 10,000 merges", UPLOAD, 10_000, 20_000_000),
    ("a file of 20 MB, 50,000 merges", LONGEST, 50_000, 20_000_000),
)
# Viewers, seconds between two reports of each, bound of p95 in ms.
CLASSES = ((10, 2.0, 300), (50, 8.0, 1_000), (50, 1.0, 1_000))
WARM = 5  # reports before the ones that count
NEIGHBOUR = 10_000_000  # bytes
COST = 60  # bound of the median CPU of a report, in ms

Row = tuple[str, int, float, float, float, float, float, int, float]
COLUMNS = (
    "",
    "reports",
    "CPU ms each",
    "CPU p95",
    "answer p50 ms",
    "answer p95",
    "KB each",
    "errors",
    "memory MB",
)


@dataclass(slots=True)
class Answers:
    """The reports of one case, in milliseconds."""

    waits: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)  # of each report, if reports come one by one
    received: int = 0  # bytes
    problems: list[str] = field(default_factory=list)


def main() -> None:
    """Print the table; exit with 1 if a bound is broken."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--seconds", type=float, default=30.0, help="how long a class is measured")
    arguments.add_argument("--alone", action="store_true", help="one viewer only")
    options = arguments.parse_args()
    print_machine()
    with serve() as server:
        verdicts = asyncio.run(measure(server, options.seconds, alone=options.alone))
        output = server.output()
    print(f"\nTracebacks in the server's output: {output.count('Traceback')}")
    raise SystemExit(not all(verdicts) or "Traceback" in output)


async def measure(server: AppServer, seconds: float, *, alone: bool) -> list[bool]:
    """Print all rows. Return for each bound whether it is kept."""
    verdicts: list[bool] = []
    rows: list[Row] = []

    def add(row: Row, *within_bounds: bool) -> None:
        verdicts.extend((not row[-2], *within_bounds))
        rows.append(row)
        print(".", end="", flush=True)

    for title, path, merges, size in CASES:
        row = await one_viewer(server, title, Viewer(server.url, path), merges, size)
        add(row, row[2] <= COST)
    for viewers, pause, bound in () if alone else CLASSES:
        title = f"{viewers} viewers, a report every {pause:.0f} s"
        row = await a_class(server, title, viewers, pause, seconds)
        add(row, row[5] <= bound)
        async with neighbour(server):
            add(await a_class(server, f"{title}; one trains 10 MB", viewers, pause, seconds))
    print_table("Steps that viewers report", COLUMNS, rows)
    return verdicts


async def one_viewer(
    server: AppServer, title: str, viewer: Viewer, merges: int, size: int = 0, reports: int = 60
) -> Row:
    """Return the row of one viewer who rests at steps all over the training, of a file of `size` bytes if given.

    A third of the reports are of the step after the one before; the others jump.
    """
    await viewer.open()
    if size:
        await upload(viewer, english(size))
    answers = Answers()
    draw, step = random.Random(title), 0
    for number in range(reports + WARM):
        step = min(step + 1, merges) if number % 3 == 2 else draw.randint(0, merges)
        before, received = cpu_seconds(server), viewer.received
        wait = await viewer.report(step)
        await asyncio.sleep(0.05)  # the server's last work after the answer
        if number >= WARM:
            answers.waits.append(1000 * wait)
            answers.cpu.append(1000 * (cpu_seconds(server) - before))
            answers.received += viewer.received - received
    answers.problems += viewer.problems
    await viewer.close()
    return row_of(server, title, answers, median(answers.cpu), percentile_95(answers.cpu))


async def a_class(server: AppServer, title: str, viewers: int, pause: float, seconds: float) -> Row:
    """Return the row of so many viewers, each of whom reports a step after each pause."""
    answers = Answers()
    seats = [Viewer(server.url, STORY) for _ in range(viewers)]
    for viewer in seats:
        await viewer.open()
    before, until = cpu_seconds(server), time.monotonic() + seconds

    async def attend(number: int, viewer: Viewer) -> None:
        await asyncio.sleep(pause * number / viewers)
        received = viewer.received
        while time.monotonic() < until:
            begin = time.monotonic()
            step = 3 + (number * 31 + 7 * len(answers.waits)) % 390
            answers.waits.append(1000 * await viewer.report(step))
            await asyncio.sleep(max(0.0, begin + pause - time.monotonic()))
        answers.received += viewer.received - received
        answers.problems += viewer.problems

    await asyncio.gather(*(attend(number, viewer) for number, viewer in enumerate(seats)))
    each = 1000 * (cpu_seconds(server) - before) / len(answers.waits)
    row = row_of(server, title, answers, each, float("nan"))
    for viewer in seats:
        await viewer.close()
    return row


@asynccontextmanager
async def neighbour(server: AppServer) -> AsyncIterator[None]:
    """Let another visitor upload 10 MB and train on it, again and again with other texts, until the block ends."""
    viewer = Viewer(server.url, UPLOAD)
    await viewer.open()

    async def train() -> None:
        number = 0
        while True:
            number += 1
            await upload(viewer, f"{number} {english(NEIGHBOUR - 10)}")

    training = asyncio.create_task(train())
    await asyncio.sleep(3)  # until it has begun
    try:
        yield
    finally:
        if training.done():
            training.result()  # raises what ended it
        training.cancel()
        await asyncio.gather(training, return_exceptions=True)
        await viewer.close()


async def upload(viewer: Viewer, text: str) -> None:
    """Upload a text, and wait as a browser does until it is trained."""
    await viewer.upload("text.txt", text.encode())
    while viewer.polling:
        await asyncio.sleep(POLLING)
        fragment = next(iter(viewer.polling), "")
        if fragment:
            await viewer.run(fragment=fragment)


def row_of(server: AppServer, title: str, answers: Answers, cpu: float, cpu_95: float) -> Row:
    """Return one row of the table."""
    kilobytes = answers.received / 1000 / len(answers.waits)
    times = median(answers.waits), percentile_95(answers.waits)
    return title, len(answers.waits), cpu, cpu_95, *times, kilobytes, len(answers.problems), megabytes(server)


def percentile_95(numbers: Sequence[float]) -> float:
    """Return the number that 95% of them do not exceed."""
    return quantiles(numbers, n=20)[-1]


if __name__ == "__main__":
    main()
