"""Waiting for what lasts. On a busy machine a thread may not run for seconds, so no test waits for less than this."""

import time
from collections.abc import Callable

LONG = 120.0  # seconds: enough for anything on any machine


def until(condition: Callable[[], bool], what: str = "it") -> None:
    """Wait until a condition holds that will stay true. Raises AssertionError if it never holds."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen in {LONG:g} seconds"
        time.sleep(0.005)
