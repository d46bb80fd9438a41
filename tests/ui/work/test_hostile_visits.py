"""Visitors who try to take all memory: a sample of `python -m tests.hostile_visits`."""

import asyncio
import sys

import pytest

from deploy.try_hosting import container_environment
from tests.hostile_visits import MB, container_limit, running, visits
from ui.work import limits

VISITS = 6
SEED = 3
OVER = 1.2  # memory may be measured a moment late


@pytest.mark.weekly  # starts a server, and each visit takes seconds
@pytest.mark.skipif(sys.platform != "linux", reason="the limits of a container are those of Linux")
def test_hostile_visits_stay_below_the_limit_and_the_next_visitor_is_served() -> None:
    lines: list[str] = []
    most = limits.MEMORY.value(container_environment({}))
    with running(container_limit()) as server:
        peak = asyncio.run(visits(server, VISITS, SEED, lines.append))
    assert len(lines) == VISITS
    assert peak * MB < OVER * most * MB, lines
