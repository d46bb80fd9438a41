"""Caches are bounded in bytes: what all visitors together leave behind has a limit, however large their texts are."""

import gc
import pickle
import threading
from array import array
from pathlib import Path

import psutil
import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe import Trace
from film.training_feed import training_feed
from tests import ROOT
from tests.app import choose_source, open_app, run
from tests.waiting import LONG
from ui.choices.held_out_choice import _NEEDED
from ui.trainings import limits, memory_budget, process_memory, running_training
from ui.trainings.byte_cache import ByteCache, size_of
from ui.trainings.corpus import from_text
from ui.trainings.memory_budget import _Budget
from ui.trainings.recipe import Recipe
from ui.trainings.running_training import RunningTraining, _StoppedTrainings

TEXT = " ".join(f"{number:x}" for number in range(4_000))


def test_the_last_used_results_stay_while_all_fit() -> None:
    cache: ByteCache[bytes] = ByteCache(1_000)
    for key in "abc":
        cache.put(key, bytes(250))  # and some bytes of the object itself
    assert cache.find("a") is not None
    cache.put("d", bytes(250))
    assert [key for key in "abcd" if cache.find(key) is not None] == ["a", "c", "d"]
    assert cache.size <= 1_000


def test_one_result_that_is_too_large_stays_alone() -> None:
    cache: ByteCache[bytes] = ByteCache(1_000)
    cache.put("small", bytes(10))
    cache.put("large", bytes(5_000))
    assert [key for key in ("small", "large") if cache.find(key) is not None] == ["large"]


def test_a_trace_that_is_too_large_goes_when_its_visitor_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = bpe.train(TEXT, merges=200)
    monkeypatch.setattr(running_training, "_CACHE", ByteCache[Trace](size_of(shown)))
    running_training._put("large", shown)
    assert memory_budget._swept(before=1) == 0
    assert running_training.find("large") is shown  # it fits
    shown.tied_pairs(100)  # what is derived is cached in the trace
    shown.tokenizer().encode(TEXT)
    assert memory_budget._swept(before=1) == 0
    assert running_training.find("large") is shown  # its visitor is still there
    del shown
    gc.collect()
    assert running_training.find("large") is None


def test_a_result_that_grows_while_it_is_used_is_measured_again() -> None:
    cache: ByteCache[list[bytes]] = ByteCache(10_000)
    growing: list[bytes] = []
    cache.put("growing", growing)
    cache.put("other", [])
    cache.find("growing")
    growing.append(bytes(20_000))
    cache.find("other")
    cache.put("new", [])
    assert cache.find("growing") is None
    assert cache.find("other") is not None


def test_who_asks_while_a_result_is_made_waits_for_it() -> None:
    cache: ByteCache[str] = ByteCache(1_000)
    begun, go_on = threading.Event(), threading.Event()
    times: list[int] = []

    def make() -> str:
        times.append(1)
        begun.set()
        go_on.wait(LONG)
        return "result"

    results: list[str] = []
    threads = [threading.Thread(target=lambda: results.append(cache.get("key", make))) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert begun.wait(LONG)
    go_on.set()
    for thread in threads:
        thread.join(LONG)
    assert (results, len(times)) == (["result"] * 3, 1)


def test_an_error_while_a_result_is_made_leaves_nothing_behind() -> None:
    cache: ByteCache[str] = ByteCache(1_000)

    def fail() -> str:
        raise ValueError("this")

    with pytest.raises(ValueError, match="this"):
        cache.get("key", fail)
    assert cache.get("key", lambda: "result") == "result"


SIZES = {
    "an array": array("i", range(100_000)),
    "a list of texts": [f"{number:09}" for number in range(20_000)],
    "a dict of numbers": {number: number + 10**6 for number in range(20_000)},
    "tuples in a list": [(f"a{number}", bytes(20)) for number in range(5_000)],
}


@pytest.mark.parametrize("value", SIZES.values(), ids=SIZES)
def test_the_size_of_a_collection_is_that_of_its_items(value: object) -> None:
    """`pickle` writes them all; an object in memory takes up to twelve times as much."""
    written = len(pickle.dumps(value))
    assert written <= size_of(value) <= 12 * written


def test_traces_and_feeds_are_measured_with_all_that_they_hold() -> None:
    small, large = (bpe.train(TEXT[: len(TEXT) // part], merges=200) for part in (8, 1))
    before = size_of(large)
    assert before > 2 * size_of(small) > 20_000
    large.tied_pairs(100)  # what is derived is cached in the trace
    large.tokenizer().encode(TEXT)
    assert size_of(large) > before
    assert size_of(training_feed(large, TEXT)) > size_of(training_feed(small, TEXT[:100])) > 1_000


def test_stopped_trainings_of_all_sessions_are_bounded() -> None:
    """The one that was stopped last can go on, however large it is."""
    recipe = Recipe("paper", "char-eow", "first", 9)
    trainings = [RunningTraining(str(number), from_text(TEXT), recipe) for number in range(3)]
    few = _StoppedTrainings(most=0)
    for training in trainings:
        training.steps = training.begin(training.corpus, recipe)
        next(iter(training.steps))
        few.add(training)
    assert [training.steps is not None for training in trainings] == [False, False, True]
    many = _StoppedTrainings(most=50_000_000)
    for training in trainings:
        training.steps = training.begin(training.corpus, recipe)
        many.add(training)
    assert all(training.steps is not None for training in trainings)


# A page, or a part of it, that needs more memory than the app may use says so in one sentence.


def page() -> None:
    """Draw a part that needs too much, and what is below it."""
    import streamlit as st

    from ui.trainings import memory_budget
    from ui.trainings.memory_budget import fragment

    @fragment
    def part() -> None:
        st.caption("before")
        memory_budget.refuse(10**15)

    part()
    st.caption("below")


def test_a_part_of_a_page_says_what_it_needs_and_the_rest_is_drawn() -> None:
    at = AppTest.from_function(page).run()
    (error,) = at.error
    assert error.value.startswith("This needs about 1,000,000,000 MB of memory. The app may use ")
    assert not at.exception
    assert [caption.value for caption in at.caption] == ["before", "below"]


def page_of_a_pattern() -> None:
    """Draw a part whose pattern takes too long, and what is below it."""
    import streamlit as st

    from bpe import BPEError
    from ui.trainings.memory_budget import fragment

    @fragment
    def part() -> None:
        raise BPEError("the pattern '(?=a*b)*' takes too long")

    part()
    st.caption("below")


def test_a_part_of_a_page_quotes_the_pattern_that_it_cannot_search_with() -> None:
    at = AppTest.from_function(page_of_a_pattern).run()
    assert [error.value for error in at.error] == ["This cannot be drawn for this text."]
    assert [text.value for text in at.text] == ["the pattern '(?=a*b)*' takes too long"]
    assert not at.exception
    assert [caption.value for caption in at.caption] == ["below"]


def test_every_part_of_every_page_does_so() -> None:
    own = ROOT / "ui" / "trainings" / "memory_budget.py"
    scripts = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    assert "st.fragment" in own.read_text("utf-8")
    assert [path.name for path in scripts if path != own and "st.fragment" in path.read_text("utf-8")] == []


def test_an_upload_that_cannot_be_read_in_what_is_left_is_refused() -> None:
    app = choose_source(open_app(), "upload")
    process_memory._return_free_memory()
    size = 15_000_000
    memory_budget._keep_to(_Budget(process_memory.held() + (_NEEDED - 1) * size))
    app.file_uploader(key="corpus_upload").upload("a.txt", b"low " * (size // 4))
    try:
        run(app)
    finally:
        memory_budget._keep_to(_Budget())
    assert app.error[0].value.startswith("This needs about 60 MB of memory. The app may use ")


# The memory of the machine or its container: half of it is what the app may hold if no host says otherwise.

# {case: (/proc/self/cgroup, {file below the mount: its content}, the limits)}
NO_LIMIT = "9223372036854771712\n"  # what cgroups 1 say
CASES: dict[str, tuple[str, dict[str, str], list[int]]] = {
    "a container, cgroups 2": ("0::/\n", {"memory.max": "1073741824\n"}, [2**30]),
    "no limit, cgroups 2": ("0::/user.slice\n", {"user.slice/memory.max": "max\n"}, []),
    "the limit of a group around it": (
        "0::/system.slice/app.service\n",
        {"system.slice/app.service/memory.max": "max\n", "system.slice/memory.max": "500\n"},
        [500],
    ),
    "a container, cgroups 1": (
        "5:cpu,cpuacct:/\n4:memory:/docker/ab12\n0::/\n",
        {"memory/memory.limit_in_bytes": "2000\n"},
        [2000],
    ),
    "a group, cgroups 1": (
        "4:memory:/mine\n",
        {"memory/mine/memory.limit_in_bytes": "3000\n", "memory/memory.limit_in_bytes": NO_LIMIT},
        [3000, int(NO_LIMIT)],
    ),
    "a path with a colon": ("0::/a:b\n", {"a:b/memory.max": "7\n"}, [7]),
    "nothing": ("", {}, []),
}


@pytest.mark.parametrize(("groups", "files", "bounds"), CASES.values(), ids=CASES)
def test_the_limits_of_a_container_are_read(
    tmp_path: Path, groups: str, files: dict[str, str], bounds: list[int]
) -> None:
    for name, content in files.items():
        (tmp_path / "mount" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mount" / name).write_text(content, "ascii")
    (tmp_path / "groups").write_text(groups, "ascii")
    assert [*process_memory._container_limits(tmp_path / "groups", tmp_path / "mount")] == bounds


def test_without_cgroups_it_is_the_memory_of_the_machine(tmp_path: Path) -> None:
    assert process_memory.total(tmp_path / "none", tmp_path) == psutil.virtual_memory().total


@pytest.mark.parametrize(("machine", "app"), [(2**29, 300), (10**9, 500), (10**16, 660)])
def test_the_app_may_hold_half_of_a_small_machine(machine: int, app: int) -> None:
    assert limits._share_of(machine) == app


def test_the_hosted_app_may_hold_less_than_its_container_gives_it() -> None:
    assert (limits.MEMORY.least, limits.MEMORY.most) == (300, 1_000_000)
    assert limits.MEMORY.default == limits._share_of(process_memory.total())
