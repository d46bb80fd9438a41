"""Patterns while other threads run: a linear one keeps the interpreter lock, a possibly slow one releases it."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bpe import VARIANTS, BPEError, custom_variant
from bpe.text import patterns

TEXT = "Some words, 12 of them; the rest is repeated. " * 1_000


@contextmanager
def a_busy_thread(switch_interval: float) -> Iterator[list[int]]:
    """Run a thread that never waits, like another viewer's training, and yield the count of its rounds.

    Each thread keeps the lock for `switch_interval` seconds unless it releases the lock itself.
    """
    rounds, end = [0], threading.Event()

    def count() -> None:
        while not end.is_set():
            rounds[0] += 1

    thread = threading.Thread(target=count)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(switch_interval)
    thread.start()
    try:
        yield rounds
    finally:
        end.set()
        thread.join()
        sys.setswitchinterval(usual)


def test_the_lock_is_kept_between_matches() -> None:
    variants = (VARIANTS["bytes-gpt2"], VARIANTS["bytes-gpt4"], custom_variant(r"\w+|\W"))
    expected = [variant.split(TEXT) for variant in variants]
    with a_busy_thread(switch_interval=1.0) as rounds:
        before = rounds[0]
        pre_tokens = [variant.split(TEXT) for variant in variants]
        meanwhile = rounds[0] - before
    assert pre_tokens == expected
    assert all(len(words) > 10_000 for words in pre_tokens)
    assert meanwhile == 0


def test_a_slow_pattern_lets_other_threads_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "EXCLUSIVE_TIME", 0.02)
    monkeypatch.setattr(patterns, "TIME_LIMIT", 0.1)
    slow = custom_variant(r"(a|aa)+$")
    with a_busy_thread(switch_interval=1.0) as rounds:
        before = rounds[0]
        with pytest.raises(BPEError, match=r"took more than 0\.1 seconds"):
            slow.split("a" * 60 + "b")
        assert rounds[0] > before + 1_000


def test_a_slow_search_is_tried_again_without_the_lock() -> None:
    tries = []

    def find(timeout: float, concurrent: bool | None = None) -> str:
        tries.append((timeout, concurrent))
        if concurrent is False:
            raise TimeoutError
        return "found"

    assert patterns.call_with_time_limit(find, 3.0) == "found"
    assert tries == [(patterns.EXCLUSIVE_TIME, False), (3.0, None)]
