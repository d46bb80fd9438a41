"""Visit one server a thousand times, and measure what memory it keeps and how long another visitor waits meanwhile.

Run: python -m benchmarks.visits. Every other visit is quiet: it pastes a text, steps, and looks at another page.
The others are hostile: forged values of every widget, broken files, cut links, huge values, bytes that are no message,
and leaving in the middle of it. A row for every 50 visits says what the server holds and how long the steps of another
visitor took. The bound for the longest is one for a quiet machine: it holds for waits divided by the load of a
processor, if that is above 1. Exits with 1 if a bound is broken.
"""

import argparse
import asyncio
import json
import os
import random
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from statistics import median

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from benchmarks.load import STORY
from benchmarks.measure import print_machine, print_table
from benchmarks.texts import english
from harness.app_server import AppServer, crowd, megabytes, serve
from harness.viewer import POLLING, Viewer
from tests.forged import forged, hostile_values
from tests.material.hostile_texts import MARKUP
from tests.material.worst_files import worst_files

AT_ONCE = 2  # visitors
BATCH = 50  # visits of a row
PATIENCE = 20  # seconds until a hostile visitor goes
LONGEST = 90  # seconds that a quiet visit may take on a busy machine
PAUSE = 3  # seconds between two steps of the neighbour
WAIT = 2.0  # bound of the neighbour's longest wait, in seconds
GROWTH = 1.15  # bound of the memory in the second half of the visits, beside that in the first
PAGES = ("/compare", "/encode", "/vocabulary", "/bytes", "/languages", "/glossary", "/lessons", "/")
# Keys of fields.
FILES = (
    "corpus_upload",
    "share_file",
    "dropped_files_0",
    "tokenizer_upload",
    "lane_upload",
)
PATTERNS = (
    "(a+)+$",
    "(?R)",
    "()" * 240,
    "(" * 20 + "a" + ")*" * 20,
    "((a{1000}){1000}){1000}",
    "\ud800",
    "[",
)

Row = tuple[int, float, float, float, float, float, int, int]
COLUMNS = (
    "visits",
    "memory MB",
    "seconds each",
    "step median s",
    "step longest s",
    "by load s",
    "problems",
    "load",
)


async def quiet(viewer: Viewer, chance: random.Random) -> None:
    """Paste a text, rest at steps of it, and look at another page."""
    await viewer.open()
    begin = chance.randrange(900_000)
    text = english(1_000_000)[begin : begin + chance.choice((200, 5_000, 100_000))]
    await follow(viewer, [WidgetState(id=viewer.widgets["corpus_text"], string_value=text)])
    for _ in range(3):
        await viewer.report(chance.randint(0, 12))
    viewer.path = chance.choice(PAGES)
    await follow(viewer)


async def forge(viewer: Viewer, chance: random.Random) -> None:
    """Send a forged value of every widget, three times."""
    await viewer.open()
    values = hostile_values()
    for _ in range(3):
        widgets = list(viewer.widgets.values())
        await follow(viewer, [forged(widget, chance.choice(values)) for widget in widgets])


async def break_files(viewer: Viewer, chance: random.Random) -> None:
    """Upload a hostile file, whole, cut or with changed bytes, into a field that takes files."""
    field = chance.choice(FILES)
    viewer.path = {
        "corpus_upload": "/?corpus_source=upload",
        "tokenizer_upload": "/?recipe_source=file",
        "lane_upload": "/compare",
    }.get(field, "/")
    await viewer.open()
    name, make = chance.choice(list(worst_files().items()))
    content = bytearray(make(chance.choice((300, 20_000, 2_000_000, 19_900_000))))
    for _ in range(chance.choice((0, 0, 5, 50))):
        content[chance.randrange(len(content))] = chance.randrange(256)
    await viewer.upload(f"{name}.json", bytes(content[: chance.choice((None, len(content) // 2))]), field)


async def cut_links(viewer: Viewer, chance: random.Random) -> None:
    """Open an address of nonsense, and send fragments that are cut or were never packed."""
    words = [
        *MARKUP,
        "9" * 400,
        "-1",
        "nan",
        "first~first_0.2",
        "\u202e",
        "",
        "constructor",
        "%00",
        "../../etc",
    ]
    keys = (
        "corpus_source",
        "corpus_sample",
        "merges",
        "preset",
        "variant",
        "pattern",
        "lanes",
        "picks",
        "step",
    )
    query = "&".join(f"{key}={chance.choice(words)}" for key in chance.sample(keys, 4))
    viewer.path = f"{chance.choice(PAGES)}?{query.replace('#', '')}"
    await viewer.open()
    for fragment in (
        "text=",
        "text=S8w",
        f"words={'A' * 11_000}",
        "typed=x&settings=y&text=z",
        "text=" + "é" * 99,
    ):
        await trigger(viewer, "_link_fragment", "fragment", {"id": uuid.uuid4().hex, "text": fragment})


async def overfill(viewer: Viewer, chance: random.Random) -> None:
    """Paste more than may be pasted, ask for more merges than there are, and go while it trains."""
    viewer.path = f"/?corpus_source=paste&preset=none&merges={chance.choice((50_000, 10**300))}"
    await viewer.open()
    text = chance.choice(("a", "ab", "\U0001f600", "[", "e\u0301\u0323", "low ", "\0\x01"))
    await trigger(viewer, "_kept_text", "restored", {"paste": text * (1_000_001 // len(text))})
    states = [WidgetState(id=viewer.widgets["corpus_text"], string_value=english(4_000_000)[:999_999])]
    states.append(
        WidgetState(id=viewer.widgets["merges"], double_value=chance.choice((1e308, 50_000.0, -1.0)))
    )
    await viewer.ask(states)
    await asyncio.sleep(chance.random())


async def search(viewer: Viewer, chance: random.Random) -> None:
    """Use a pattern that runs forever, needs all memory, or is invalid."""
    viewer.path = "/?corpus_source=paste&preset=none&variant=custom&merges=300"
    await viewer.open()
    await trigger(viewer, "_kept_text", "restored", {"paste": "a" * 40_000 + " low", "pattern": "[^ ]+"})
    state = WidgetState(id=viewer.widgets.get("pattern", "pattern"))
    state.string_value = chance.choice(PATTERNS).replace("\ud800", "\\ud800")
    await follow(viewer, [state])


async def babble(viewer: Viewer, chance: random.Random) -> None:
    """Send messages that name no page, no fragment and no file, then bytes that are no message."""
    await viewer.open()
    for path in ("/no_such_page", "/" + "a" * 100_000, "/compare?" + "merges=1&" * 5_000):
        viewer.path = path
        await follow(viewer)
    viewer.path = "/"
    await viewer.run(fragment=chance.choice(("no fragment", uuid.uuid4().hex, "\0", "9" * 10_000)))
    viewer.downloads["none"] = "../../etc/passwd"
    async with asyncio.timeout(5):
        await viewer.press("none")
    for _ in range(3):
        await viewer.send_bytes(chance.randbytes(chance.choice((1, 50, 5_000))))


HOSTILE: Sequence[Callable[[Viewer, random.Random], Awaitable[None]]] = (
    forge,
    break_files,
    cut_links,
    overfill,
    search,
    babble,
)


async def follow(viewer: Viewer, states: Sequence[WidgetState] = ()) -> None:
    """Run the page with these values, and then as often as it asks for it."""
    await viewer.run(states)
    while fragment := next(iter(viewer.polling), ""):
        await asyncio.sleep(POLLING)
        await viewer.run(fragment=fragment)


async def trigger(viewer: Viewer, key: str, event: str, value: object) -> None:
    """Let a component of the page say something."""
    name = _make_trigger_id(viewer.widgets.get(key, key), "events")
    text = json.dumps([{"event": event, "value": value}])
    await follow(viewer, [WidgetState(id=name, json_trigger_value=text)])


async def visits(server: AppServer, number: int, seed: int) -> tuple[list[Row], list[str]]:
    """Make so many visits. Return a row for each batch, and what went wrong."""
    rows: list[Row] = []
    waits: list[tuple[float, float]] = []  # seconds by the clock, and divided by the load
    problems: list[str] = []
    numbers = iter(range(number))
    ended, begin = 0, time.monotonic()

    async def attend() -> None:
        nonlocal ended, begin
        for one in numbers:
            chance = random.Random(f"{seed} {one}")
            act = HOSTILE[one // 2 % len(HOSTILE)] if one % 2 else quiet
            viewer = Viewer(server.url)
            try:
                async with asyncio.timeout(PATIENCE if one % 2 else LONGEST):
                    await act(viewer, chance)
            except (OSError, ConnectionClosed) as error:  # a refused file, a message that is none, too late
                if act is quiet:
                    problems.append(f"visit {one}, {viewer.path}, was not served: {error!r}")
            await viewer.close()
            problems.extend(f"visit {one}, {act.__name__}: {problem}" for problem in viewer.problems)
            ended += 1
            if ended % BATCH == 0:
                each = (time.monotonic() - begin) / BATCH
                load = round(os.getloadavg()[0])
                clock, by_load = zip(*waits, strict=True)
                rows.append(
                    (
                        ended,
                        megabytes(server),
                        each,
                        median(clock),
                        max(clock),
                        max(by_load),
                        len(problems),
                        load,
                    )
                )
                print(".", end="", flush=True)
                waits.clear()
                begin = time.monotonic()

    async def neighbour() -> None:
        viewer, step = Viewer(server.url, STORY), 0
        await viewer.open()
        while True:
            step = (step + 7) % 400
            wait = await viewer.report(step)
            waits.append((wait, wait / crowd()))
            await asyncio.sleep(PAUSE)

    watching = asyncio.create_task(neighbour())
    await asyncio.sleep(PAUSE)
    await asyncio.gather(*(attend() for _ in range(AT_ONCE)))
    assert not watching.done(), "the neighbour was not served"
    watching.cancel()
    return rows, problems


def main() -> None:
    """Print the table; exit with 1 if a bound is broken."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--number", type=int, default=1_000, help="visits, half of them hostile")
    arguments.add_argument("--seed", type=int, default=1, help="random seed of what visitors do")
    options = arguments.parse_args()
    print_machine()
    with serve() as server:
        rows, problems = asyncio.run(visits(server, options.number, options.seed))
        output = server.output()
    print_table("Quiet and hostile visits in one process", COLUMNS, rows)
    print("", *problems, sep="\n")
    print(f"\nTracebacks in the server's output: {output.count('Traceback')}")
    longest = max(row[5] for row in rows)
    half = (len(rows) + 1) // 2
    level = max(row[1] for row in rows[-half:]) <= GROWTH * max(row[1] for row in rows[:half])
    whole = not problems and "Traceback" not in output
    raise SystemExit(not (level and whole and longest <= WAIT))


if __name__ == "__main__":
    main()
