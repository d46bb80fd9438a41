"""Caches are bounded in bytes: what all visitors together leave behind has a limit, however large their texts are."""

import pickle
import threading
from array import array

import pytest

import bpe
from film.training_feed import training_feed
from tests.waiting import LONG
from ui.sidebar.corpus import from_text
from ui.sidebar.recipe import Recipe
from ui.trainings.running_training import RunningTraining, StoppedTrainings
from ui.work.byte_cache import ByteCache, size_of

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
    few = StoppedTrainings(most=0)
    for training in trainings:
        training.steps = training.begin(training.corpus, recipe)
        next(iter(training.steps))
        few.add(training)
    assert [training.steps is not None for training in trainings] == [False, False, True]
    many = StoppedTrainings(most=50_000_000)
    for training in trainings:
        training.steps = training.begin(training.corpus, recipe)
        many.add(training)
    assert all(training.steps is not None for training in trainings)
