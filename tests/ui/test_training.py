"""Training for the pages: progress while it runs, a Stop that works, traces shared by content only."""

import threading
import time
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from tests.app import choose_source, numbers, open_app, run, type_text
from ui import training
from ui.sidebar.corpus import from_text
from ui.sidebar.recipe import Recipe

RECIPE = Recipe("paper", "char-eow", "first", 500)
LONG = " ".join(f"{number:b}" for number in range(3_000))


class Gate:
    """Lets a training go on merge by merge, so that tests see it under way."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.passed = 0
        self.open_for = 20
        self.wide_open = threading.Event()
        learn = bpe.Training.__next__

        def next_step(one: bpe.Training) -> bpe.Step:
            while self.passed >= self.open_for and not self.wide_open.is_set():
                time.sleep(0.005)
            self.passed += 1
            return learn(one)

        monkeypatch.setattr(bpe.Training, "__next__", next_step)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """A training that pauses after twenty merges; pages that hardly wait for it."""
    monkeypatch.setattr(training, "PATIENCE", 0.2)
    monkeypatch.setattr(training, "FIRST_LOOK", 0.0)
    gate = Gate(monkeypatch)
    yield gate
    gate.wide_open.set()


def pasted(merges: int) -> AppTest:
    """The app at the long text."""
    return open_app({"merges": str(merges), "corpus_source": "paste"}, corpus_text=LONG)


def learned(app: AppTest) -> int:
    """How many merges the page shows."""
    return int(numbers(app)["Merges decided by a tie"].split(" of ")[1].replace(",", ""))


def ended(app: AppTest) -> AppTest:
    """The app, run again until nothing is being learned."""
    for _ in range(60):
        if not run(app).get("progress"):
            return app
        time.sleep(0.05)
    raise AssertionError("the training did not end")


def test_a_short_training_shows_no_progress() -> None:
    """The page waits for it."""
    app = type_text(open_app(), "low lower lowest")
    assert not app.get("progress")
    assert numbers(app)


def test_a_long_training_shows_progress_and_its_first_merges(gate: Gate) -> None:
    """They can be watched while the rest is learned; then all of them."""
    app = pasted(100)
    run(app)
    assert app.progress[0].text.startswith("Learning merges: 20 of at most 100.")
    assert 1 <= learned(app) <= 20
    gate.wide_open.set()
    assert learned(ended(app)) == 100


def test_stop_keeps_what_was_learned_and_go_on_learns_the_rest(gate: Gate) -> None:
    """Nothing is lost by stopping, and nothing is learned twice."""
    app = pasted(99)
    app.button(key="training_stop").click()
    run(app)
    gate.open_for = 21  # the training hears of the stop at its next merge
    ended(app)
    assert "Stopped after" in app.warning[0].value
    assert learned(app) == 21
    app.button(key="training_go_on").click()
    gate.wide_open.set()
    run(app)
    assert learned(ended(app)) == 99
    assert gate.passed == 100  # one of them found the end


def test_another_recipe_ends_the_training_and_coming_back_resumes_it(gate: Gate) -> None:
    """A thread for a page that nobody looks at would slow the others."""
    app = pasted(98)
    gate.wide_open.set()
    app.number_input(key="merges").set_value(3)
    run(app)
    assert learned(ended(app)) == 3
    app.number_input(key="merges").set_value(98)
    run(app)
    assert learned(ended(app)) == 98
    assert not app.warning


def test_a_closed_tab_ends_its_training(monkeypatch: pytest.MonkeyPatch) -> None:
    """When nobody has looked for a while."""
    monkeypatch.setattr(training, "ABANDONED", -1.0)
    job = training.Job(from_text(LONG), RECIPE)
    training._start(job)
    assert job.ended.wait(10)
    assert job.cancelled
    assert job.learned < RECIPE.merges


def test_an_error_is_one_sentence_and_not_a_wait() -> None:
    """The core's own words."""
    app = open_app({"vocab_size": "2"})
    assert len(app.error) == 1
    assert not app.get("progress")


def test_sessions_share_a_trace_by_content_alone() -> None:
    """The same text and recipe give the very same trace; a text of another session cannot be asked for."""
    one = training._finished("test-name", lambda: bpe.train(LONG, merges=3))
    assert training._finished("test-name", lambda: pytest.fail("it was learned twice")) is one
    first, second = type_text(open_app(), "secret words"), open_app()
    choose_source(second, "paste")
    assert numbers(first)
    assert not numbers(second)


def test_an_unfinished_training_is_not_kept_for_others(gate: Gate) -> None:
    """Only complete traces are shared."""
    first = pasted(90)
    first.button(key="training_stop").click()
    run(first)
    gate.open_for = 21
    assert learned(ended(first)) == 21
    gate.wide_open.set()
    assert learned(ended(pasted(90))) == 90


def test_every_lane_that_is_being_learned_has_its_own_stop(gate: Gate) -> None:
    app = pasted(97)
    app.switch_page("pages/compare.py")
    run(app)
    assert not app.exception
    assert len({button.key for button in app.button if button.label == "Stop"}) == 2
