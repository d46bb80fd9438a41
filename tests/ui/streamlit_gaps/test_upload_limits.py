"""Uploads: one visitor, and all together, can make the server store so many bytes and no more."""

import asyncio
import inspect
import urllib.error

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from benchmarks.viewer import Viewer
from bpe import BPEError
from tests.browser.app_server import serve
from ui.streamlit_gaps import upload_limits
from ui.streamlit_gaps.upload_limits import Most, check_uploads, refusal

MB = 10**6
MOST = Most(of_visitor=3 * MB, of_all=5 * MB)


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> MemoryUploadedFileManager:
    stored = inspect.unwrap(MemoryUploadedFileManager.add_file)
    monkeypatch.setattr(MemoryUploadedFileManager, "add_file", stored)
    check_uploads(MOST)
    return MemoryUploadedFileManager("/upload")


def file(name: str, size: int) -> UploadedFileRec:
    return UploadedFileRec(name, name, "text/plain", b"x" * size)


def test_a_visitor_s_files_have_a_sum(files: MemoryUploadedFileManager) -> None:
    files.add_file("me", file("a", 2 * MB))
    with pytest.raises(Exception, match="You can upload at most 3 MB in all: remove a file first"):
        files.add_file("me", file("b", 2 * MB))
    assert [one.name for one in files.get_files("me", ["a", "b"])] == ["a"]
    files.add_file("me", file("a", 3 * MB))  # in the place of the first
    files.remove_file("me", "a")
    files.add_file("me", file("b", 2 * MB))


def test_the_files_of_all_visitors_have_a_sum(files: MemoryUploadedFileManager) -> None:
    files.add_file("me", file("a", 3 * MB))
    files.add_file("you", file("a", 2 * MB))
    assert refusal(MOST, files, "third", file("a", 1)).startswith("Other visitors have filled")
    files.remove_session_files("me")
    assert refusal(MOST, files, "third", file("a", 1)) == ""


def test_without_a_server_a_refusal_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "starlette.exceptions", None)
    assert str(upload_limits.answer(413, "Too much.")) == "Too much."
    assert isinstance(upload_limits.answer(413, "Too much."), BPEError)


@pytest.mark.slow  # starts a server
def test_the_server_answers_413_and_keeps_nothing() -> None:
    async def problems(url: str) -> list[str]:
        viewer = Viewer(url, "/?corpus_source=upload&preset=none&merges=5")
        await viewer.open()
        for number in range(4):
            await viewer.upload(f"{number}.txt", b"low " * (19 * MB // 4))
        with pytest.raises(urllib.error.HTTPError, match="413"):
            await viewer.upload("one more.txt", b"low " * (19 * MB // 4))
        await viewer.close()
        return viewer.problems

    with serve() as server:
        assert asyncio.run(problems(server.url)) == []
