"""Waiting for what lasts. On a busy machine a thread may not run for seconds, so no test waits for less than this."""

import time
from collections.abc import Callable

LONG = 120.0  # seconds: enough for anything on any machine
# Seconds between two looks, ever more: each asks the browser or takes the lock from the thread that works.
SOONEST, LATEST = 0.005, 0.1


def until(condition: Callable[[], bool], what: str = "it") -> None:
    """Wait until a condition holds that will stay true. Raises AssertionError if it never holds."""
    end, pause = time.monotonic() + LONG, SOONEST
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen in {LONG:g} seconds"
        time.sleep(pause)
        pause = min(1.5 * pause, LATEST)
