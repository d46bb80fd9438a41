"""No download is a 404: what a visitor has asked for is held, though others' pages run meanwhile."""

import asyncio
import inspect
import urllib.request

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from harness.app_server import AppServer, serve
from harness.viewer import Viewer
from ui.streamlit_gaps import held_downloads
from ui.streamlit_gaps.held_downloads import MOST_BYTES, SECONDS, _Holding, _let_go, hold_downloads

METHODS = ("remove_orphaned_files", "_remove_orphaned_deferred_callables", "clear_session_refs")
BUTTON = "Download all merges (CSV)"


class Clock:
    """Seconds that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def holding(clock: Clock) -> _Holding:
    return _Holding(clock)


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch, holding: _Holding) -> MediaFileManager:
    for name in METHODS:
        monkeypatch.setattr(MediaFileManager, name, inspect.unwrap(getattr(MediaFileManager, name)))
    hold_downloads(holding)
    return MediaFileManager(MemoryMediaFileStorage("/media"))


def button(files: MediaFileManager, content: bytes = b"low") -> str:
    return files.add_deferred(lambda: content, "text/csv", "1.2", "words.csv")


def is_there(files: MediaFileManager, address: str) -> bool:
    return files.read_file(address.rpartition("/")[2]) is not None


def runs(files: MediaFileManager, number: int = 5) -> None:
    """Let pages of other visitors run."""
    for _ in range(number):
        files.remove_orphaned_files()


def test_a_file_waits_for_its_browser_while_others_pages_run(files: MediaFileManager, clock: Clock) -> None:
    address = files.execute_deferred(button(files))
    runs(files)
    assert is_there(files, address)
    clock.now = SECONDS + 1
    runs(files)
    assert not is_there(files, address)


def test_a_button_that_was_drawn_anew_can_still_be_pressed(files: MediaFileManager, clock: Clock) -> None:
    before = button(files)
    files.clear_session_refs()
    runs(files)
    after = button(files)
    runs(files)
    assert is_there(files, files.execute_deferred(before))
    clock.now = SECONDS + 1
    runs(files)
    assert {*files._deferred_callables} == {after}


def test_the_end_of_a_visit_ends_its_buttons(files: MediaFileManager) -> None:
    number = button(files)
    files.clear_session_refs(files._deferred_callables[number]["session_id"])
    runs(files, 1)
    assert not files._deferred_callables


def test_the_latest_files_are_held_within_a_bound(files: MediaFileManager) -> None:
    addresses = [
        files.execute_deferred(button(files, bytes([number]) * (MOST_BYTES // 2))) for number in range(4)
    ]
    runs(files)
    assert [is_there(files, address) for address in addresses] == [False, False, True, True]


def test_nothing_is_held_when_memory_is_short(files: MediaFileManager, holding: _Holding) -> None:
    address = files.execute_deferred(button(files))
    files.clear_session_refs()
    runs(files)
    _let_go(files, holding)
    assert not is_there(files, address)
    assert not files._deferred_callables
    held_downloads.let_all_go()  # without a server, nothing


@pytest.mark.slow  # starts a server
def test_a_class_that_goes_on_deletes_no_download() -> None:
    async def download(server: AppServer) -> bytes:
        visitor, other = (Viewer(server.url, "/?corpus_sample=story&merges=40") for _ in range(2))
        for one in (visitor, other):
            await one.open()
        await visitor.report(3)
        before = visitor.downloads[BUTTON]
        await visitor.report(4)
        visitor.downloads[BUTTON] = before  # pressed before the answer came
        for step in range(3):
            await other.report(5 + step)
        address = await visitor.press(BUTTON)
        for step in range(3):
            await other.report(15 + step)
        content: bytes = await asyncio.to_thread(lambda: urllib.request.urlopen(server.url + address).read())
        for one in (visitor, other):
            await one.close()
        return content

    with serve() as server:
        assert b'"count"' in asyncio.run(download(server))
        assert "Traceback" not in server.output()
