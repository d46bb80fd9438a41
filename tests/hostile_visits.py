"""Visitors who try to take all memory: `python -m tests.hostile_visits [NUMBER [SEED [MB]]]`, on Linux.

Each uploads a text, a pattern with a text, or a tokenizer's file, made to take as much as possible, and goes, some
before the page is done with it. Several are there at once. The server runs with the limits of its container, and the
kernel refuses it more private memory than the container may use, or than MB. This is stricter than a container: it also
refuses memory that is requested but never used. Prints what it held, and whether the next visitor was served.
"""

import argparse
import asyncio
import contextlib
import json
import random
import string
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from urllib.error import URLError
from urllib.parse import quote

from benchmarks.load import POLLING
from benchmarks.viewer import Viewer
from bpe import VARIANTS as ALL_VARIANTS
from deploy.try_hosting import composition, container_command, container_environment, started
from tests import ROOT
from tests.browser.app_server import AppServer, free_port, wait_until_healthy

MB = 1_000_000
UNITS = {"m": 2**20, "g": 2**30}  # of memory, as compose.yaml writes it
PATIENCE = (2, 10, 60)  # seconds after which visitors go
AT_ONCE = 3  # visitors
LOOK = 0.05  # seconds between two looks at the memory
WATCH = "/?corpus_source=upload&preset=none&merges=2000"
FILE = "/?recipe_source=file"
VARIANTS = [slug for slug in ALL_VARIANTS if slug != "custom"]  # a pattern has visits of its own


@dataclass(frozen=True, slots=True)
class Attack:
    """What one visitor uploads, and where."""

    name: str
    path: str
    field: str
    content: bytes
    patience: float = PATIENCE[-1]  # seconds


def attack(seed: int, number: int) -> Attack:
    """Return what one visitor does: of three, one brings a text, one a pattern, one a file."""
    chance = random.Random(f"{seed} {number}")
    kind = (text, pattern, file)[number % 3]
    return replace(kind(chance), patience=chance.choice(PATIENCE))


# Texts

LETTERS = string.ascii_lowercase
TEXTS: dict[str, Callable[[random.Random, int], str]] = {
    "one letter": lambda chance, size: chance.choice("aé中😀 \n") * size,
    "two letters": lambda chance, size: "ab" * (size // 2),
    "letters": lambda chance, size: "".join(chance.choices(LETTERS, k=size)),
    "words that never repeat": lambda chance, size: " ".join(
        "".join(chance.choices(LETTERS, k=7)) for _ in range(size // 8)
    ),
    "Chinese": lambda chance, size: "".join(
        chance.choices([chr(0x4E00 + n) for n in range(9_000)], k=size // 3)
    ),
    "emoji": lambda chance, size: "".join(
        chance.choices([chr(0x1F300 + n) for n in range(700)], k=size // 4)
    ),
    "brackets": lambda chance, size: "[" * size,
    "marks": lambda chance, size: "a" + "\u0301" * (size // 2),
    "short lines": lambda chance, size: "".join(f"{n}\n" for n in range(size // 8)),
    "NUL": lambda chance, size: "a\0" * (size // 2),
}


def text(chance: random.Random) -> Attack:
    """Return a long text for one of the variants."""
    name, make = chance.choice(list(TEXTS.items()))
    size = int(chance.choice((1, 2, 4, 8, 19.9)) * MB)
    variant = chance.choice(VARIANTS)
    content = make(chance, size).encode()[: int(19.9 * MB)]
    return Attack(
        f"{name}, {len(content) / MB:.1f} MB, {variant}",
        f"{WATCH}&variant={variant}",
        "corpus_upload",
        content,
    )


# Patterns

ATOMS = [
    *("a", ".", "$", "()", "(a)", "[^b]", "(?:a|b)", "(?=a)", "(?<=a)", "(?R)", "[[a]&&b]"),
    *(r"\p{L}", r"\s", r"\b", r"(a)\1"),
]
REPEATS = ["", "", "*", "+", "?", "*?", "+?", "*+", "{2,9}", "{50}", "{1000}", "{0,100000}"]
FRAMES = [
    *("{}", "({})", "(?:{})", "(?>{})", "{}|b", "(?i:{})", "(?={})a", "(?<!{})b"),
    *("(?P<n>{})", "({0}){0}", "(?s:{})", "(?|{}|c)"),
]


def hostile_pattern(chance: random.Random) -> str:
    """Return a pattern of groups, repeats and calls in one another, of at most 500 characters."""
    pattern = chance.choice(ATOMS)
    for _ in range(chance.randint(1, 12)):
        pattern = chance.choice(FRAMES).format(pattern) + chance.choice(REPEATS)
        pattern += chance.choice(ATOMS) if chance.random() < 0.5 else ""
    return pattern[:500] if len(pattern) > 500 else pattern


def pattern(chance: random.Random) -> Attack:
    """Return a link with a pattern, and a text for it."""
    typed = chance.choice(
        (hostile_pattern(chance), "()" * chance.randint(1, 240) + ".", "(" * 20 + "a" + ")*" * 20)
    )
    content = chance.choice(list(TEXTS.values()))(
        chance, chance.choice((3_000, 100_000, MB, 4 * MB))
    ).encode()
    path = f"{WATCH}&variant=custom&pattern={quote(typed)}"
    return Attack(f"{typed[:60]} on {len(content) / MB:.1f} MB", path, "corpus_upload", content)


# Files


def file(chance: random.Random) -> Attack:
    """Return a tokenizer's file: a hostile pattern, a huge vocabulary, a huge list or something else."""
    name, make = chance.choice(list(FILES.items()))
    content = make(chance)
    return Attack(f"{name}, {len(content) / MB:.1f} MB", FILE, "tokenizer_upload", content)


def _tokenizer(vocab: dict[str, int], merges: list[list[str]], **parts: object) -> bytes:
    return json.dumps({"model": {"type": "BPE", "vocab": vocab, "merges": merges}, **parts}).encode()


def _with_pattern(chance: random.Random) -> bytes:
    split = {"type": "Split", "pattern": {"Regex": hostile_pattern(chance)}, "behavior": "Isolated"}
    replace = {"type": "Replace", "pattern": {"Regex": hostile_pattern(chance)}, "content": "x" * 100}
    parts = chance.choice(({"pre_tokenizer": split}, {"normalizer": replace}))
    return _tokenizer({"a": 0, "b": 1, "ab": 2}, [["a", "b"]], **parts)


def _many_tokens(chance: random.Random) -> bytes:
    number = chance.choice((10_000, 200_000, 1_000_000))
    return _tokenizer({f"{chance.random()}"[-6:] + str(one): one for one in range(number)}, [])


def _many_merges(chance: random.Random) -> bytes:
    number = chance.choice((10_000, 100_000, 300_000))
    tokens = [*LETTERS]
    vocab, merges = {token: one for one, token in enumerate(tokens)}, []
    while len(vocab) < number:
        left, right = chance.choice(tokens[:1_000]), chance.choice(tokens[:1_000])
        if left + right not in vocab:
            vocab[left + right] = len(vocab)
            merges.append([left, right])
            tokens.append(left + right)
    return _tokenizer(vocab, merges)


FILES: dict[str, Callable[[random.Random], bytes]] = {
    "a pattern": _with_pattern,
    "many tokens": _many_tokens,
    "many merges": _many_merges,
    "long tokens": lambda chance: _tokenizer({"a" * (60_000 - one): one for one in range(300)}, []),
    "a chain of merges": lambda chance: (
        b"#version: 0.2\n" + b"".join(b"a" * n + b" a\n" for n in range(1, 5_000))
    ),
    "deep JSON": lambda chance: b'{"model": ' + chance.choice((b"[", b'{"a": ')) * 2_000_000,
    "a long text": lambda chance: b'{"model": "' + b"a" * int(19 * MB),
    "numbers": lambda chance: b'{"model": [' + b"1," * (4 * MB) + b"1]}",
    "lines": lambda chance: b"a b\n" * (4 * MB),
    "noise": lambda chance: chance.randbytes(2 * MB),
}


# Visits


def container_limit() -> int:
    """Return the bytes of memory that compose.yaml gives to one process of the app."""
    text = composition()["services"]["app-1"]["mem_limit"]
    return int(text[:-1]) * UNITS[text[-1]]


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


async def visit(server: AppServer, attack: Attack) -> None:
    """Upload what the attack holds, wait until the page is done with it, or as long as the visitor would, and go."""
    viewer = Viewer(server.url, attack.path)
    await viewer.open()
    with contextlib.suppress(TimeoutError, URLError):  # URLError: the server refuses the file
        async with asyncio.timeout(attack.patience):
            await viewer.upload("file", attack.content, attack.field)
            while fragment := next(iter(viewer.polling), ""):
                await asyncio.sleep(POLLING)
                await viewer.run(fragment=fragment)
    await viewer.close()


async def is_served(server: AppServer) -> bool:
    """Return whether another visitor gets the first screen."""
    viewer = Viewer(server.url)
    await viewer.open()
    await viewer.close()
    return bool(viewer.grid) and not viewer.problems


def held(process: int) -> float:
    """Return the MB that a process and its children hold now."""
    children = [
        int(child)
        for task in Path(f"/proc/{process}/task").iterdir()
        for child in _read(task / "children").split()
    ]
    return _resident(process) + sum(map(_resident, children))


def _resident(process: int) -> float:
    status = _read(Path(f"/proc/{process}/status"))
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024 / MB if "VmRSS:" in status else 0.0


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:  # it has ended
        return ""


async def visits(server: AppServer, number: int, seed: int, report: Callable[[str], object]) -> float:
    """Make so many visits. Return the most memory that the server held, in MB. Raises if somebody is not served."""
    numbers = iter(range(number))
    peaks = [held(server.pid)]

    async def attend() -> None:
        for one in numbers:
            coming = await asyncio.to_thread(attack, seed, one)
            begin, first = time.monotonic(), len(peaks)
            await visit(server, coming)
            most = max(peaks[first - 1 :])
            report(f"{one + 1:4} {time.monotonic() - begin:5.1f} s {most:4.0f} MB  {coming.name}")
            if one % 10 == 9 or one == number - 1:
                assert await is_served(server), f"the visitor after {coming.name} was not served"

    async def look() -> None:
        while True:
            await asyncio.sleep(LOOK)
            peaks.append(await asyncio.to_thread(held, server.pid))

    looking = asyncio.create_task(look())
    await asyncio.gather(*(attend() for _ in range(AT_ONCE)))
    looking.cancel()
    return max(peaks)


def main() -> None:
    """Make visits, and print what they took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("number", nargs="?", type=int, default=500, help="visits")
    parser.add_argument("seed", nargs="?", type=int, default=1, help="of what they upload")
    parser.add_argument(
        "most", nargs="?", type=float, default=container_limit() / MB, help="MB that it may use"
    )
    options = parser.parse_args()
    with running(round(options.most * MB)) as server:
        peak = asyncio.run(visits(server, options.number, options.seed, partial(print, flush=True)))
        left = held(server.pid)
        print(
            f"{options.number} visits: at most {peak:.0f} MB, {left:.0f} MB at the end; all others were served"
        )
        tracebacks = server.output().split("Traceback")[1:]
        print(len(tracebacks), "tracebacks", *tracebacks)


if __name__ == "__main__":
    main()
