"""Measure how long a viewer's step waits while many others open the page at the same moment, as a class does.

Run: python -m benchmarks.server.many_at_once [NUMBER]. It drives the real server over its WebSocket, as browsers do.
"""

import argparse
import asyncio
import time
from statistics import median

from benchmarks.measure import print_machine, print_table
from benchmarks.server.load import cpu_seconds
from benchmarks.server.viewer import Viewer
from tests.browser.app_server import AppServer, serve

PATHS = {
    "the first screen": "/",
    "the story, 400 merges": "/?corpus_sample=story&merges=400",
    "Compare": "/compare?lanes=first~last",
}
PAUSE = 0.2  # seconds between an answer and the next step
ALONE = 10  # steps before the others come
BOUND = 1.0  # seconds that a step may take longer
ROUNDS = 3

Row = tuple[str, float, float, float, float, int]
COLUMNS = ("others open", "all open s", "CPU s", "step alone, median s", "longest step s", "errors")


async def round_of(server: AppServer, title: str, number: int) -> Row:
    """Let so many visitors open a page at once while another one steps. Return the row of the table."""
    viewer = Viewer(server.url)
    await viewer.open()
    alone: list[float] = []
    waits: list[float] = []
    for step in range(ALONE):
        alone.append(await viewer.report(step))
        await asyncio.sleep(PAUSE)
    seats = [Viewer(server.url, PATHS[title]) for _ in range(number)]
    begin, cpu = time.monotonic(), cpu_seconds(server)
    opening = asyncio.gather(*(seat.open() for seat in seats))
    while not opening.done():
        waits.append(await viewer.report(len(waits) % ALONE))
        await asyncio.sleep(PAUSE)
    await opening
    seconds, cpu = time.monotonic() - begin, cpu_seconds(server) - cpu
    problems = sum(len(one.problems) for one in (viewer, *seats))
    for one in (viewer, *seats):
        await one.close()
    return title, seconds, cpu, median(alone), max(waits), problems


def main() -> None:
    """Print the table; exit with 1 if a step waits too long."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument(
        "number", nargs="?", type=int, default=60, help="visitors who open the page at once"
    )
    number = arguments.parse_args().number
    print_machine()
    with serve() as server:
        rows = [asyncio.run(round_of(server, title, number)) for _ in range(ROUNDS) for title in PATHS]
        output = server.output()
    print_table(f"A viewer steps while {number} others open a page at once", COLUMNS, rows)
    print(f"\nTracebacks in the server's output: {output.count('Traceback')}")
    late = any(longest - alone > BOUND for *_, alone, longest, _ in rows)
    raise SystemExit(late or any(row[-1] for row in rows) or "Traceback" in output)


if __name__ == "__main__":
    main()
