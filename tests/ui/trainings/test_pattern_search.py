"""Searches with typed patterns on long texts: in a process with bounded memory, which can be ended."""

import sys
import threading
import tomllib
from collections.abc import Iterator, Mapping
from functools import partial

import pytest
import regex

from bpe import PRESETS, VARIANTS, BPEError, custom_variant
from bpe.checkpoints import checkpoints
from bpe.text import patterns
from bpe.text.superwords import SECOND_PATTERNS
from tests import ROOT
from tests.waiting import until
from ui.trainings import pattern_search, process_memory
from ui.trainings.jobs import StoppedError
from ui.trainings.process_memory import MemoryFullError
from ui.trainings.settings import SETTINGS

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="a process cannot bound its memory on Windows"
)

TEXT = "Some words, 12 of them; é 😀 \ud800. " * 400
PATTERNS = {
    "words": r"\w+|\W",
    "shipped alternatives, one in a group": r"(\S+)|\s+",
    "groups": r"(\p{L}+)|( )|(?:\d)",
    "empty matches": r"a*|(?=o)",
    "not ASCII": "é|😀|\ud800",
    "none": "zzz",
}


@pytest.fixture(autouse=True)
def here_again() -> object:
    yield
    patterns.search_with(patterns.search_here)


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_a_worker_returns_what_a_search_here_returns(pattern: str) -> None:
    compiled = regex.compile(pattern)
    assert len(TEXT) > pattern_search._SHORT
    here = patterns.search_here(compiled, TEXT, 5)
    assert pattern_search._search(compiled, TEXT, 5) == here
    assert pattern_search._IDLE  # it was asked


HOSTILE = {
    "a call without end": ("(?R)|b", "ab" * 500_000),
    "captures in captures": ("(" * 20 + "a" + ")*" * 20, "a" * 3_000_000),
}


@pytest.mark.slow
@pytest.mark.parametrize(("pattern", "text"), HOSTILE.values(), ids=HOSTILE)
def test_a_pattern_that_takes_too_much_memory_ends_alone(pattern: str, text: str) -> None:
    before = process_memory.held()
    pattern_search.search_in_workers()
    with pytest.raises(BPEError, match="used too much memory on this text"):
        patterns.find_matches(regex.compile(pattern), text, seconds=60)
    assert process_memory.held() < before + 50_000_000
    assert custom_variant("b|a").split("ab" * 4_000) == ["a", "b"] * 4_000  # the next one is served


def test_a_pattern_that_takes_too_long_ends_alone() -> None:
    pattern_search.search_in_workers()
    with pytest.raises(BPEError, match=r"took more than 0\.3 seconds"):
        patterns.find_matches(regex.compile("(a|aa)+$"), "a" * 6_000 + "b", seconds=0.3)


def test_a_search_ends_as_soon_as_nobody_wants_it() -> None:
    begun = threading.Event()
    wanted = threading.Event()
    wanted.set()
    problems: list[BaseException] = []

    def check() -> None:
        begun.set()
        if not wanted.is_set():
            raise StoppedError

    def search() -> None:
        try:
            with checkpoints(check):
                pattern_search._search(regex.compile("(a|aa)+$"), "a" * 6_000 + "b", 60)
        except StoppedError as error:
            problems.append(error)

    thread = threading.Thread(target=search)
    thread.start()
    assert begun.wait(30)
    wanted.clear()
    thread.join(30)
    assert len(problems) == 1
    until(lambda: not process_memory._children - {worker.process.pid for worker in pattern_search._IDLE})


def test_a_worker_that_was_ended_from_outside_is_replaced() -> None:
    pattern_search._search(regex.compile("a"), TEXT, 5)
    pattern_search._IDLE[-1].process.kill()
    pattern_search._IDLE[-1].process.wait()
    with pytest.raises(MemoryError):
        pattern_search._search(regex.compile("a"), TEXT, 5)
    assert next(iter(pattern_search._search(regex.compile("Some"), TEXT, 5))) == (0, 4)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux changes the limits of a process that runs")
def test_a_search_gets_no_more_than_the_app_may_still_take() -> None:
    text, pattern = "ab" * 200_000, regex.compile("a")
    assert len([*pattern_search._search(pattern, text, 30, lambda: 400 * 10**6)]) == 200_000
    for left in (100 * 10**6, 10**6):
        with pytest.raises(MemoryFullError, match=r"^The app holds nearly as much memory as it may"):
            pattern_search._search(regex.compile("(?R)|b"), text, 30, partial(float, left))
    assert pattern_search._allowed == []


def shipped(value: object) -> Iterator[str]:
    """Yield the patterns in the settings of trainers and lessons, whatever holds them."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name in ("pattern", "second_pattern") and isinstance(part, str):
                yield SECOND_PATTERNS[part].pattern if part in SECOND_PATTERNS else part
            else:
                yield from shipped(part)
    elif isinstance(value, list):
        for part in value:
            yield from shipped(part)


SHIPPED = {
    str(SETTINGS["pattern"].first),
    *(row.pattern for row in SECOND_PATTERNS.values()),
    *(variant.split_pattern for variant in VARIANTS.values() if variant.split_pattern),
    *(pattern for preset in PRESETS.values() for pattern in shipped(preset.settings)),
    *(
        pattern
        for file in (ROOT / "ui" / "page_parts" / "lessons" / "course").glob("*.toml")
        for pattern in shipped(tomllib.loads(file.read_text("utf-8")))
    ),
}


@pytest.mark.parametrize("pattern", sorted(SHIPPED))
def test_a_pattern_that_ships_with_the_app_needs_no_worker_and_none_of_its_memory(pattern: str) -> None:
    spans = pattern_search._search(regex.compile(pattern), TEXT, 5, lambda: 0)
    assert spans == patterns.search_here(regex.compile(pattern), TEXT, 5)


def test_many_searches_at_once_all_end() -> None:
    answers: list[int] = []

    def search() -> None:
        answers.append(len(list(pattern_search._search(regex.compile("o"), TEXT, 30))))

    threads = [threading.Thread(target=search) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers == [TEXT.count("o")] * 6
    assert len(pattern_search._IDLE) <= pattern_search._AT_ONCE
