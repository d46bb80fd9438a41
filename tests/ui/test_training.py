"""Training for the pages: progress while it runs, Stop, and traces shared only by content."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from tests.app import choose_source, numbers, open_app, run, type_text
from ui import training
from ui.jobs import Job
from ui.sidebar.corpus import Corpus, from_text
from ui.sidebar.recipe import Recipe
from ui.training import Pace, RunningTraining

LONG = from_text(" ".join(f"{number:b}" for number in range(3_000)))
PACE = Pace(wait=0.2, preview=0.0)


class Gate:
    """A gate that lets trainings go on merge by merge, so that tests can observe them. `begun` counts trainings."""

    def __init__(self) -> None:
        self.passed = 0
        self.begun = 0
        self.open_for = 20
        self.wide_open = threading.Event()

    def begin(self, corpus: Corpus, recipe: Recipe) -> training.Steps:
        self.begun += 1
        return GatedSteps(self, training.begin(corpus, recipe))


class GatedSteps:
    """The steps of a training that waits at the gate."""

    def __init__(self, gate: Gate, steps: training.Steps) -> None:
        self.gate = gate
        self.steps = steps

    def __iter__(self) -> Iterator[bpe.Step]:
        gate = self.gate
        while True:
            while gate.passed >= gate.open_for and not gate.wide_open.is_set():
                time.sleep(0.005)
            gate.passed += 1
            step = next(iter(self.steps), None)
            if step is None:
                return
            yield step

    def trace(self, stopped: str = "cancelled") -> bpe.Trace:
        return self.steps.trace(stopped)


@pytest.fixture
def gate() -> Iterator[Gate]:
    """Return a gate at which trainings pause after twenty merges."""
    gate = Gate()
    yield gate
    gate.wide_open.set()


def page(corpus: "Corpus", pace: "Pace", begin: "Callable[..., training.Steps]") -> None:
    """Draw a page with one training for every number of merges asked for. Streamlit runs its source alone."""
    import streamlit as st

    from ui import training
    from ui.sidebar.recipe import Recipe

    recipes = [Recipe("paper", "char-eow", "first", merges) for merges in st.session_state["asked"]]
    for trace in training.required_traces(corpus, recipes, pace, begin):
        st.metric("merges", len(trace.steps))


def ask(app: AppTest, *merges: int) -> AppTest:
    app.session_state["asked"] = merges
    return run(app)


def asked(gate: Gate, *merges: int) -> AppTest:
    """Return the page, asked for trainings of so many merges."""
    app = AppTest.from_function(
        page, default_timeout=60, kwargs={"corpus": LONG, "pace": PACE, "begin": gate.begin}
    )
    return ask(app, *merges)


def learned(app: AppTest) -> int:
    """Return how many merges the page shows."""
    return int(app.metric[0].value)


def ended(app: AppTest) -> AppTest:
    """Run the page again until nothing is being learned, and return it."""
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
    app = run(asked(gate, 100))
    assert app.progress[0].text.startswith("Learning merges: 20 of 100.")
    assert 1 <= learned(app) <= 20
    gate.wide_open.set()
    assert learned(ended(app)) == 100


def test_go_on_after_stop_learns_the_rest_and_nothing_twice(gate: Gate) -> None:
    app = asked(gate, 99)
    app.button(key="training_stop").click()
    run(app)
    gate.open_for = 21  # the training notices the stop at its next merge
    ended(app)
    assert "Stopped after 21 of 99 merges" in app.warning[0].value
    assert learned(app) == 21
    app.button(key="training_go_on").click()
    gate.wide_open.set()
    run(app)
    assert learned(ended(app)) == 99
    assert gate.passed == 100  # one of them reached the end


def test_another_recipe_ends_the_training_and_coming_back_resumes_it(gate: Gate) -> None:
    """A thread for a page that nobody watches would slow down the others."""
    app = asked(gate, 98)
    gate.wide_open.set()
    assert learned(ended(ask(app, 3))) == 3
    assert learned(ended(ask(app, 98))) == 98
    assert not app.warning
    assert gate.begun == 2


def test_a_session_remembers_eight_trainings_that_were_stopped(gate: Gate) -> None:
    gate.wide_open.set()
    never = Pace(wait=0.2, preview=0.0, abandoned=-1.0)  # each ends at its first merge
    app = AppTest.from_function(
        page, default_timeout=60, kwargs={"corpus": LONG, "pace": never, "begin": gate.begin}
    )
    for merges in range(60, 68):
        ended(ask(app, merges))
        assert learned(app) == 1
    assert gate.begun == training.MOST_REMEMBERED == 8
    ended(ask(app, 60))
    assert gate.begun == 8  # the first of them is remembered
    ended(ask(app, 68))
    ended(ask(app, 61))
    assert gate.begun == 9
    ended(ask(app, 60))
    assert gate.begun == 10  # it made room for the ninth


def test_ten_recipes_of_one_page_are_each_trained_once(gate: Gate) -> None:
    """A page may need more trainings than a session remembers."""
    many = tuple(range(60, 70))
    app = AppTest.from_function(
        page, default_timeout=60, kwargs={"corpus": LONG, "pace": Pace(wait=0.0), "begin": gate.begin}
    )
    for _ in range(3):
        ask(app, *many)
    gate.wide_open.set()
    ended(app)
    assert gate.begun == len(many) > training.MOST_REMEMBERED
    assert [int(tile.value) for tile in app.metric] == list(many)


def test_equal_recipes_of_one_page_share_a_training_that_ends_at_any_moment(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here it ends between the two looks at it."""
    gate.wide_open.set()
    look = Job.look

    def end_and_look(job: Job) -> None:
        look(job)
        looks.append(job)
        if len(looks) == 3:  # the start, and two recipes
            job.ended.wait(10)

    looks: list[Job] = []
    monkeypatch.setattr(Job, "look", end_and_look)
    app = AppTest.from_function(
        page, default_timeout=60, kwargs={"corpus": LONG, "pace": Pace(wait=-9.0), "begin": gate.begin}
    )
    ask(app, 71, 71)
    assert [tile.value for tile in app.metric] == ["71", "71"]
    assert gate.begun == 1


def test_an_abandoned_training_keeps_what_was_learned() -> None:
    """It ends when no page has looked for a while, as after its tab was closed."""
    recipe = Recipe("paper", "char-eow", "first", 500)
    running = RunningTraining(LONG, recipe, Pace(abandoned=-1.0))
    running.start()
    assert running.job.ended.wait(10)
    assert running.cancelled
    assert running.learned < recipe.merges


def test_an_error_is_one_sentence_and_not_a_wait() -> None:
    """It is the core's message."""
    app = open_app({"vocab_size": "2"})
    assert len(app.error) == 1
    assert not app.get("progress")


def test_sessions_share_a_trace_by_content_alone() -> None:
    """The same text and recipe give the very same trace; a text of another session cannot be requested."""
    one = training.cached_trace("test-name", lambda: bpe.train("low lower", merges=3))
    assert training.cached_trace("test-name", lambda: pytest.fail("it was learned twice")) is one
    first, second = type_text(open_app(), "secret words"), open_app()
    choose_source(second, "paste")
    assert numbers(first)
    assert not numbers(second)


def test_an_unfinished_training_is_not_kept_for_others(gate: Gate) -> None:
    """Only complete traces are shared."""
    first = asked(gate, 90)
    first.button(key="training_stop").click()
    run(first)
    gate.open_for = 21
    assert learned(ended(first)) == 21
    gate.wide_open.set()
    assert learned(ended(asked(gate, 90))) == 90


def test_every_training_of_a_page_has_its_own_stop(gate: Gate) -> None:
    app = run(asked(gate, 96, 97))
    assert not app.exception
    assert {button.key for button in app.button if button.label == "Stop"} == {
        "training_stop",
        "training_stop_1",
    }
