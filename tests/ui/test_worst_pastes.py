"""The worst texts on every page of one server: no process passes its memory, no page fails, and a neighbour goes on."""

import asyncio
import itertools
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from harness.app_server import AppServer, crowd, megabytes, serve
from harness.viewer import Viewer
from ui.shown.navigation import PAGES, START
from ui.trainings.limits import MEMORY

MOST = 1_000_000  # characters that may be pasted
SETTINGS = "corpus_source=paste&preset=none&merges=5000"
FIELDS = {
    "/encode": "encode_text",
    "/bytes": "bytes_text",
}  # the texts that a page has besides the pasted one
LONGEST_STEP = 2.0  # seconds, on a machine that does nothing else
# seconds until a page is whole or has said why it is not; afterwards the visitor goes on
LONGEST_PAGE = 120.0


def different(number: int) -> list[str]:
    """Return so many different characters, of which most are in no script."""
    return [chr(code) for code in range(0x4E00, 0x4E00 + number)]


def words(number: int, letters: str, length: int) -> list[str]:
    chance = random.Random(1)
    return ["".join(chance.choices(letters, k=length)) for _ in range(number)]


def every_character() -> str:
    """Return as many different characters as may be pasted."""
    codes = [*range(0x20, 0xD800), *range(0xE000, 0x110000)]
    return "".join(map(chr, codes[:MOST]))


TEXTS: dict[str, Callable[[], str]] = {
    "one letter": lambda: "a" * MOST,
    "two letters": lambda: "ab" * (MOST // 2),
    "different characters": every_character,
    "20,000 different characters": lambda: "".join(different(20_000)),
    "3,500 characters, one a line": lambda: "\n".join(different(3_500)),
    "pairs": lambda: " ".join(map("".join, zip(different(7_200)[::2], different(7_200)[1::2], strict=True))),
    "accents": lambda: "a" + "\u0301" * (MOST - 1),
    "families": lambda: "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 " * (MOST // 8),
    "hashes": lambda: "\n".join(words(3_000, "0123456789abcdef", 40)),
    "a word list": lambda: "\n".join(words(70_000, "abcdefghijklmnopqrstuvwxyz", 8)),
}


async def visit(server: AppServer, text: str) -> list[str]:
    """Paste a text, open every page with it, and put it into the page's own field, too. Return the pages' errors."""
    viewer = Viewer(server.url, f"/?{SETTINGS}")
    await viewer.open()
    await show(viewer, [WidgetState(id=viewer.widgets["corpus_text"], string_value=text)])
    for name in PAGES:
        page = "/" if name == START else f"/{name}"
        viewer.path = f"{page}?{SETTINGS}"
        await show(viewer)
        if own := viewer.widgets.get(FIELDS.get(page, "")):  # a refused text leaves Encode without its field
            await show(viewer, [WidgetState(id=own, string_value=text)])
    await viewer.close()
    return viewer.problems


async def show(viewer: Viewer, states: list[WidgetState] | None = None) -> None:
    """Run a page with these values, and draw all of it."""
    viewer.first_frame = ("", "")  # that of the run before
    with suppress(TimeoutError):  # what takes long can be stopped, as by a visitor who goes
        async with asyncio.timeout(LONGEST_PAGE):
            await viewer.follow(states or [])
            await viewer.draw_the_rest()


@dataclass(slots=True)
class Row:
    """What happened while somebody went through the pages with a text."""

    held: float = 0.0  # MB, the most that the server held
    step: float = 0.0  # seconds, the neighbour's longest step, by the load of the machine
    problems: list[str] = field(default_factory=list)


async def measure(server: AppServer) -> dict[str, Row]:
    """Return {text: what happened}."""
    neighbour = Viewer(server.url)
    await neighbour.open()
    rows: dict[str, Row] = {}
    row = Row()

    async def watch() -> None:
        while True:
            row.held = max(row.held, megabytes(server) * 2**20 / 10**6)
            await asyncio.sleep(0.05)

    async def step() -> None:
        for number in itertools.count():
            wait = await neighbour.report(number % 10)
            row.step = max(row.step, wait / crowd())
            await asyncio.sleep(0.5)

    others = [asyncio.create_task(watch()), asyncio.create_task(step())]
    for name, text in TEXTS.items():
        row = rows[name] = Row()
        row.problems += await visit(server, text())
        assert not any(task.done() for task in others), "the neighbour was not served"
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    assert neighbour.problems == []
    return rows


@pytest.mark.weekly  # ten texts on nine pages
def test_no_text_on_any_page_takes_the_server_beyond_its_memory_or_from_a_neighbour() -> None:
    with serve() as server:
        rows = asyncio.run(measure(server))
        assert "Traceback" not in server.output()
    assert {name: row.problems for name, row in rows.items() if row.problems} == {}
    assert {name: row.held for name, row in rows.items() if row.held > MEMORY.default} == {}
    assert {name: row.step for name, row in rows.items() if row.step > LONGEST_STEP} == {}
