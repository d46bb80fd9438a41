"""Patterns beside other threads: one that is linear keeps its turn, one that may be slow leaves it to them."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bpe import VARIANTS, BPEError, Variant, custom_variant
from bpe.text import patterns

TEXT = "Some words, 12 of them; the rest is repeated. " * 1_000
TURN = 1.0  # seconds a thread may keep to itself here, as long as it does not let go by its own choice


@contextmanager
def a_busy_thread() -> Iterator[list[int]]:
    """One that never waits, as another viewer's training; it counts its rounds."""
    rounds, end = [0], threading.Event()

    def count() -> None:
        while not end.is_set():
            rounds[0] += 1

    thread = threading.Thread(target=count)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    thread.start()
    try:
        yield rounds
    finally:
        end.set()
        thread.join()
        sys.setswitchinterval(usual)


@pytest.mark.parametrize(
    "variant", [VARIANTS["bytes-gpt2"], VARIANTS["bytes-gpt4"], custom_variant(r"\w+|\W")]
)
def test_a_text_is_cut_without_letting_go_between_matches(variant: Variant) -> None:
    expected = variant.split(TEXT)
    with a_busy_thread() as rounds:
        before = rounds[0]
        cut = variant.split(TEXT)
        meanwhile = rounds[0] - before
    assert cut == expected
    assert len(cut) > 10_000
    assert meanwhile == 0


def test_a_slow_pattern_lets_other_threads_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "EXCLUSIVE_TIME", 0.05)
    monkeypatch.setattr(patterns, "TIME_LIMIT", 0.5)
    slow = custom_variant(r"(a|aa)+$")
    with a_busy_thread() as rounds:
        before = rounds[0]
        with pytest.raises(BPEError, match=r"took more than 0\.5 seconds"):
            slow.split("a" * 60 + "b")
        assert rounds[0] > before + 1_000


def test_what_is_found_patiently_is_found_at_the_second_try() -> None:
    tries = []

    def find(timeout: float, concurrent: bool | None = None) -> str:
        tries.append((timeout, concurrent))
        if concurrent is False:
            raise TimeoutError
        return "found"

    assert patterns.call_with_time_limit(find, 3.0) == "found"
    assert tries == [(patterns.EXCLUSIVE_TIME, False), (3.0, None)]
