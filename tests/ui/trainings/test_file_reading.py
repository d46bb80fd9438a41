"""Files of visitors: what they may take is known before they are read, or bounded while they are."""

import json
import sys
import threading
import tracemalloc

import pytest

from bpe import BPEError
from bpe.checkpoints import checkpoints
from bpe.formats.opening import open_tokenizer
from tests.material.worst_files import worst_files
from ui.choices.shared_fields import FORMAT, shared_fields
from ui.trainings import file_reading, memory_budget, process_memory, tokenizer_files
from ui.trainings.file_reading import _SMALL, _needed, read_files
from ui.trainings.memory_budget import _Budget
from ui.trainings.process_memory import MemoryFullError

MB = 10**6
FILES = worst_files()
LARGE = _SMALL + 1000

elsewhere = pytest.mark.skipif(sys.platform == "win32", reason="a process cannot bound its memory on Windows")


@pytest.fixture(autouse=True)
def with_room() -> None:
    memory_budget._keep_to(_Budget(10**12, pause=0.0, grace=0.0, between_returns=0.0))


def read_any(content: bytes) -> object:
    """Read a file as every reader does that may be asked to."""
    for read in (lambda: open_tokenizer({"my.json": content}), lambda: shared_fields(content)):
        try:
            read()
        except BPEError:
            continue
    return None


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_small_file_takes_no_more_memory_than_was_said_before(name: str) -> None:
    content = FILES[name](40_000)
    read_any(FILES[name](400))  # what is made once for all files
    tracemalloc.start()
    read_any(content)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < _needed(content) + MB / 2


def test_a_small_file_that_needs_too_much_is_refused_before_it_is_read() -> None:
    # A file that breaks off is no tokenizer: who read it would say so.
    content = b' {"model": [' + b"{}," * 200_000
    memory_budget._keep_to(_Budget(process_memory.held() + 20 * MB, pause=0.0, between_returns=0.0))
    with pytest.raises(
        MemoryFullError, match=r"^This needs about \d+ MB of memory\. The app may use .* in use\."
    ):
        read_files(open_tokenizer, [content], ({"my.json": content},))


def large(front: bytes = b"") -> bytes:
    """Return a large file with two merges."""
    vocab = {"a": 0, "b": 1, "ab": 2, "abb": 3}
    model = {"type": "BPE", "vocab": vocab, "merges": [["a", "b"], ["ab", "b"]]}
    return front + json.dumps({"model": model, "padding": "x" * LARGE}).encode()


@elsewhere
def test_a_large_file_is_opened_as_a_small_one_is() -> None:
    content = large(b" ")
    there = tokenizer_files.open_files([("my.json", content)], "guess").tokenizer
    here = open_tokenizer({"my.json": content}).tokenizer
    assert list(there.vocabulary) == list(here.vocabulary)
    assert there.encode("abbab") == here.encode("abbab") == [3, 2]


@elsewhere
def test_a_large_file_that_cannot_be_read_is_refused_with_the_sentence_of_its_reader() -> None:
    content = large()[:-9]
    with pytest.raises(BPEError, match=r"^my.json, line 1, column .*: expected JSON, but the file ends"):
        read_files(open_tokenizer, [content], ({"my.json": content},))
    with pytest.raises(BPEError, match=r"^This is not a share file"):
        read_files(shared_fields, [content], (content,))


@elsewhere
@pytest.mark.slow
@pytest.mark.parametrize("front", [b"", b" ", b"\xef\xbb\xbf\n"])
def test_a_large_file_takes_no_more_than_is_left_and_nothing_when_it_has_failed(front: bytes) -> None:
    content = front + b'{"model":[' + b'{"":{}},' * 1_200_000 + b"0]}"
    process_memory._return_free_memory()
    before = process_memory.held()
    memory_budget._keep_to(_Budget(before + 200 * MB, pause=0.0, between_returns=0.0))
    peaks = [before]
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.01):
            peaks.append(process_memory.held())

    looking = threading.Thread(target=look)
    looking.start()
    try:
        with pytest.raises(
            MemoryFullError, match=r"^This file needs more than the \d+ MB of memory that are left"
        ):
            read_files(open_tokenizer, [content], ({"my.json": content},))
    finally:
        ended.set()
        looking.join()
    assert max(peaks) < before + 200 * MB
    process_memory._return_free_memory()
    assert process_memory.held() < before + 20 * MB
    assert not process_memory._children


@elsewhere
def test_whoever_stops_the_reading_ends_the_process() -> None:
    content = large()
    others = set(process_memory._children)  # that earlier tests left to search patterns

    def stop() -> None:
        if set(process_memory._children) - others:
            raise KeyError("stopped")

    with checkpoints(stop), pytest.raises(KeyError, match="stopped"):
        read_files(open_tokenizer, [content], ({"my.json": content},))
    assert not set(process_memory._children) - others
    assert not file_reading._READING.locked()


@elsewhere
def test_a_share_file_of_many_lists_is_refused_where_it_is_read() -> None:
    content = json.dumps({"format": FORMAT, "corpus": {"documents": [[]] * 300_000}}).encode()
    with pytest.raises(BPEError, match="at most 10,000 lists and objects"):
        read_files(shared_fields, [content], (content,))
