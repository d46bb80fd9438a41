"""Waiting for what lasts. A busy machine may give a thread no time for seconds, so no test waits less than this."""

import time
from collections.abc import Callable

LONG = 120.0  # seconds until which anything has happened on any machine


def until(condition: Callable[[], bool], what: str = "it") -> None:
    """Wait until a condition holds that will go on to hold. Raises AssertionError if it never does."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen in {LONG:g} seconds"
        time.sleep(0.005)
