"""The memory that the app may hold: work ends with a sentence before it takes more, and others go on."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionClient

from bpe.checkpoints import checkpoint
from tests.waiting import LONG, until
from ui.gaps import run_context
from ui.trainings import memory_budget, process_memory
from ui.trainings.byte_cache import ByteCache
from ui.trainings.jobs import Job
from ui.trainings.memory_budget import _Budget
from ui.trainings.process_memory import MemoryFullError

pytestmark = pytest.mark.slow

MB = 10**6
LONG_TEXT = memory_budget._SMALL + 1


@pytest.fixture(autouse=True)
def every_look_counts() -> None:
    memory_budget.keep_within()
    allow(10**12)


def allow(most: float) -> None:
    """Let the app hold so many bytes, and look at the memory at every checkpoint."""
    memory_budget._keep_to(_Budget(most, pause=0.0, grace=0.0, between_returns=0.0))


def room(size: int) -> None:
    """Let jobs with long texts take so many bytes more than the process holds now."""
    process_memory._return_free_memory()
    allow((process_memory.held() + size) / memory_budget._OF_JOBS)


def grow(blocks_of_a_megabyte: int = 200) -> None:
    blocks = []
    for _ in range(blocks_of_a_megabyte):
        blocks.append(b"x" * MB)
        checkpoint()


def grow_past_what_caches_hold() -> None:
    """Take more than dropping every cache of the process gives back."""
    grow(1_000)


def run(job: Job, work: Callable[[], None]) -> Job:
    job.start(work, "test")
    assert job.ended.wait(60)
    return job


def test_a_job_that_takes_too_much_ends_with_a_sentence_and_its_memory_is_free() -> None:
    room(60 * MB)
    before = process_memory.held()
    job = run(Job(weight=LONG_TEXT), grow_past_what_caches_hold)
    assert job.problem.startswith("This does not fit into the ")
    assert job.problem.endswith("docs/hosting.md says how.")
    until = time.monotonic() + 10
    while process_memory.held() > before + 50 * MB and time.monotonic() < until:
        time.sleep(0.05)
    assert process_memory.held() < before + 50 * MB


def test_with_room_the_same_job_ends_well() -> None:
    room(400 * MB)
    assert run(Job(weight=LONG_TEXT), grow).problem == ""


def test_the_job_with_the_longest_text_ends_first() -> None:
    room(-10 * MB)
    memory_budget._weights.extend([LONG_TEXT, 2 * LONG_TEXT])
    try:
        memory_budget._weight.set(LONG_TEXT)
        memory_budget._check()
        memory_budget._weight.set(2 * LONG_TEXT)
        with pytest.raises(MemoryFullError):
            memory_budget._check()
    finally:
        memory_budget._weights.clear()
        memory_budget._weight.set(None)


def test_a_short_text_is_trained_when_a_long_one_no_longer_is() -> None:
    room(-10 * MB)
    assert "MB are in use. Try again in a few minutes" in run(Job(weight=LONG_TEXT), checkpoint).problem
    assert run(Job(weight=100), checkpoint).problem == ""


def test_results_that_can_be_computed_again_go_first() -> None:
    cache: ByteCache[bytes] = ByteCache(200 * MB)
    process_memory.give_back(pause=0.0)
    before = process_memory.held()
    cache.put("result", b"x" * (100 * MB))
    assert process_memory.held() > before + 90 * MB
    allow(process_memory.held() - 50 * MB)
    memory_budget._check()
    assert cache.find("result") is None
    assert process_memory.held() < before + 50 * MB


def test_what_has_come_since_memory_was_returned_goes_before_work_is_refused() -> None:
    """As the tokenizers of a visit that a reload has ended: whatever returned memory a moment ago."""
    left_behind: list[bytes] = []
    process_memory.when_full(left_behind.clear, lambda: bool(left_behind))
    cache: ByteCache[bytes] = ByteCache(200 * MB)
    process_memory.give_back(pause=0.0)
    before = process_memory.held()
    cache.put("of a visit that has ended", b"x" * (60 * MB))
    left_behind.append(b"x" * (60 * MB))
    memory_budget._keep_to(_Budget(before + 50 * MB, pause=0.0, grace=0.0, between_returns=600.0))
    process_memory.tidy(pause=0.0)  # at the end of a job: from now on it is not time again
    memory_budget.refuse(10 * MB)
    assert (cache.find("of a visit that has ended"), left_behind) == (None, [])
    with pytest.raises(MemoryFullError):
        memory_budget.refuse(100 * MB)


def test_free_memory_is_returned_later_if_some_was_returned_just_now() -> None:
    process_memory.tidy(pause=0.3)
    blocks = [bytes(1000) for _ in range(60_000)]
    before = process_memory.held()
    keep = blocks[-1]  # at the end of the heap, so that nothing is returned by itself
    del blocks
    process_memory.tidy(pause=0.3)
    until = time.monotonic() + 30
    while process_memory.held() > before - 40 * MB and time.monotonic() < until:
        time.sleep(0.05)
    assert process_memory.held() < before - 40 * MB
    assert keep


# Who has left: a server as Streamlit starts it, with sessions but without a port.


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Runtime, asyncio.AbstractEventLoop]]:
    """Run a server that keeps a session for 0.2 seconds after its tab is closed, and the loop that it runs in."""
    (tmp_path / "page.py").write_text("", "utf-8")
    server = Runtime(
        RuntimeConfig(
            str(tmp_path / "page.py"),
            MemoryMediaFileStorage("/media"),
            MemoryUploadedFileManager("/upload"),
            session_storage=MemorySessionStorage(ttl_seconds=0.2),  # type: ignore[arg-type]  # a part of a second
        )
    )
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(LONG)
    yield server, loop
    loop.call_soon_threadsafe(server.stop)

    async def stopped() -> None:
        await server.stopped

    asyncio.run_coroutine_threadsafe(stopped(), loop).result(LONG)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
    Runtime._instance = None


class Tab(SessionClient):
    """A visitor's tab, which shows nothing."""

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Receive a message."""


def test_the_session_of_a_visitor_who_has_left_ends_though_nobody_comes(
    server: tuple[Runtime, asyncio.AbstractEventLoop], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_budget, "_GRACE", 0.0)
    runtime, loop = server

    async def leave() -> AppSession:
        name = runtime.connect_session(Tab(), {})
        known = runtime._session_mgr.get_session_info(name)
        assert known
        runtime.disconnect_session(name)
        return known.session

    def has_ended(session: AppSession) -> bool:
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(LONG)
        return session._state == AppSessionState.SHUTDOWN_REQUESTED

    session = asyncio.run_coroutine_threadsafe(leave(), loop).result(LONG)
    kept = memory_budget._swept(before=0)
    assert (kept, has_ended(session)) == (1, False)  # the visitor may come back
    until(lambda: run_context.number_closed() == 0)
    assert not has_ended(session)  # Streamlit would end it when the next tab is closed
    assert memory_budget._swept(before=kept) == 0
    assert has_ended(session)
