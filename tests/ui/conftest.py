"""Rules for the tests of the pages."""

from collections.abc import Iterator
from weakref import WeakValueDictionary

import pytest

from tests.ui.gate import Gate
from tests.waiting import LONG
from ui.page_parts.compare import comparison
from ui.trainings import long_work, training
from ui.trainings.byte_cache import ByteCache
from ui.trainings.jobs import _QUEUE, Job
from ui.trainings.running_training import Pace


@pytest.fixture(autouse=True)
def patient_pages(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Let pages wait for the end of a training. Otherwise they show progress where the machine is busy.

    And let Compare make no random draws, as for a long text: they take far longer than its page. A test of what the
    page says of them asks for `draws`.
    """
    monkeypatch.setattr(training, "_PACE", Pace(wait=LONG, preview=LONG))
    monkeypatch.setattr(long_work, "_WAIT", LONG)
    if "draws" not in request.fixturenames:
        monkeypatch.setattr(comparison, "_MOST_DRAWN", 0)


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Compare make the random draws beside a comparison of a short text, which no test has measured before."""
    monkeypatch.setattr(comparison, "_EVIDENCE", ByteCache(4_000_000))
    # The work of a page that is gone stays until Python collects it.
    monkeypatch.setattr(long_work, "_WORKS", WeakValueDictionary())


@pytest.fixture(autouse=True)
def no_work_is_left() -> Iterator[None]:
    """End the work that a test leaves behind: the next one would wait in line behind it."""
    yield
    for job in [*_QUEUE._waiting, *_QUEUE._running, *_QUEUE._overtaking]:
        assert isinstance(job, Job)
        for watcher in list(job._looks):
            job.stop(watcher)


@pytest.fixture
def gate() -> Iterator[Gate]:
    """Return a gate at which trainings pause after twenty merges."""
    gate = Gate()
    yield gate
    gate.wide_open.set()
