"""Training for the pages: progress while it runs, Stop, and traces shared only by content."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe.checkpoints import checkpoint
from tests.app import choose_source, numbers, open_app, run, type_text
from ui import running_training, traces
from ui.jobs import StoppedError
from ui.running_training import Pace, RunningTraining, Steps
from ui.sidebar.corpus import Corpus, from_text
from ui.sidebar.recipe import Recipe
from ui.training_watch import Watch

LONG = from_text(" ".join(f"{number:b}" for number in range(3_000)))
PACE = Pace(wait=0.2, preview=0.0)


class Gate:
    """A gate that lets trainings go on merge by merge, so that tests can observe them. `begun` counts trainings.

    Who is stopped before it goes on by one merge, and notices.
    """

    def __init__(self) -> None:
        self.passed = 0
        self.begun = 0
        self.open_for = 20
        self.wide_open = threading.Event()

    def begin(self, corpus: Corpus, recipe: Recipe) -> Steps:
        self.begun += 1
        return GatedSteps(self, running_training.begin(corpus, recipe))


class GatedSteps:
    """The steps of a training that waits at the gate."""

    def __init__(self, gate: Gate, steps: Steps) -> None:
        self.gate = gate
        self.steps = steps
        self.passed = 0

    def __iter__(self) -> Iterator[bpe.Step]:
        gate = self.gate
        while True:
            while self.passed >= gate.open_for and not gate.wide_open.is_set():
                try:
                    checkpoint()
                except StoppedError:
                    break
                time.sleep(0.005)
            self.passed += 1
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


def page(corpus: "Corpus", pace: "Pace", begin: "Callable[..., Steps]") -> None:
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
    ended(app)
    assert "Stopped after 21 of 99 merges" in app.warning[0].value
    assert learned(app) == 21
    app.button(key="training_go_on").click()
    gate.wide_open.set()
    run(app)
    assert learned(ended(app)) == 99
    assert gate.passed == 100  # one of them reached the end


def test_stop_answers_while_words_are_counted() -> None:
    """The first step comes after that, however long the text is."""
    ended_at_a_checkpoint = threading.Event()

    def count_without_end(corpus: Corpus, recipe: Recipe) -> Steps:
        try:
            while True:
                checkpoint()
                time.sleep(0.005)
        finally:
            ended_at_a_checkpoint.set()

    app = AppTest.from_function(
        page, default_timeout=60, kwargs={"corpus": LONG, "pace": PACE, "begin": count_without_end}
    )
    assert ask(app, 94).progress[0].text.startswith("Counting the words of the text")
    app.button(key="training_stop").click()
    run(app)
    assert app.warning[0].value == "Stopped before the first merge."
    assert ended_at_a_checkpoint.wait(10)


def test_who_waits_sees_how_many_are_ahead_and_can_leave_the_line(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_training, "SHORT_TEXT", 0)  # none of them may overtake
    asked(gate, 95, 79)
    last = asked(gate, 78)
    assert last.progress[0].text == "Waiting: 2 trainings are ahead of yours."
    last.button(key="training_stop").click()
    run(last)
    assert last.warning[0].value == "Stopped before the first merge."
    last.button(key="training_go_on").click()
    gate.wide_open.set()
    run(last)
    assert learned(ended(last)) == 78


def test_another_recipe_ends_the_training_and_coming_back_resumes_it(gate: Gate) -> None:
    """A thread for a page that nobody watches would slow down the others."""
    app = asked(gate, 98)
    gate.wide_open.set()
    assert learned(ended(ask(app, 3))) == 3
    assert learned(ended(ask(app, 98))) == 98
    assert not app.warning
    assert gate.begun == 2


def test_a_session_remembers_the_last_training_that_it_left(gate: Gate) -> None:
    """Each one may hold hundreds of megabytes."""
    app = asked(gate, 60)
    for merges in (61, 62, 61):
        ask(app, merges)
    assert gate.begun == 3  # the one before is remembered
    gate.wide_open.set()
    assert learned(ended(ask(app, 60))) == 60
    assert gate.begun == 4
    assert len(app.session_state["_trainings"]) == 1


def test_ten_recipes_of_one_page_are_each_trained_once(gate: Gate) -> None:
    """A page may need more trainings than a session remembers."""
    many = tuple(range(160, 170))
    app = AppTest.from_function(
        page, default_timeout=60, kwargs={"corpus": LONG, "pace": Pace(wait=0.0), "begin": gate.begin}
    )
    for _ in range(3):
        ask(app, *many)
    gate.wide_open.set()
    ended(app)
    assert gate.begun == len(many)
    assert [int(tile.value) for tile in app.metric] == list(many)


def test_equal_recipes_of_one_page_share_a_training_that_ends_at_any_moment(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here it ends when it is asked for a second time."""
    ask_for = Watch.ask
    asks: list[Watch] = []

    def ask_and_end(watch: Watch) -> None:
        ask_for(watch)
        asks.append(watch)
        if len(asks) == 2:
            gate.wide_open.set()
            watch.training.job.ended.wait(10)

    monkeypatch.setattr(Watch, "ask", ask_and_end)
    app = AppTest.from_function(
        page, default_timeout=60, kwargs={"corpus": LONG, "pace": Pace(wait=-9.0), "begin": gate.begin}
    )
    ask(app, 71, 71)
    assert [tile.value for tile in app.metric] == ["71", "71"]
    assert gate.begun == 1


def test_an_abandoned_training_keeps_nothing() -> None:
    """It ends when no page has looked for a while, as after its tab was closed."""
    recipe = Recipe("paper", "char-eow", "first", 500)
    running = RunningTraining("abandoned", LONG, recipe, Pace(abandoned=-1.0))
    running.start()
    assert running.job.ended.wait(10)
    assert running.learned < recipe.merges
    assert (running.trace, running.so_far, running.steps) == (None, None, None)


def test_an_error_is_one_sentence_and_not_a_wait() -> None:
    """It is the core's message."""
    app = open_app({"vocab_size": "2"})
    assert len(app.error) == 1
    assert not app.get("progress")


def test_a_text_of_another_session_cannot_be_requested() -> None:
    first, second = type_text(open_app(), "secret words"), open_app()
    choose_source(second, "paste")
    assert numbers(first)
    assert not numbers(second)


@pytest.mark.slow
def test_twelve_sessions_with_one_text_share_one_training(gate: Gate) -> None:
    """Whichever of them leave, it goes on for the others; then all have the very same trace."""
    sessions = [asked(gate, 92) for _ in range(12)]
    sessions[0].button(key="training_stop").click()
    run(sessions[0])
    ask(sessions[1], 2)
    gate.wide_open.set()
    assert [learned(ended(app)) for app in sessions[2:]] == [92] * 10
    assert gate.begun == 2  # the other one has two merges
    visible = [next(iter(app.session_state["_traces"].values())) for app in sessions[2:]]
    assert all(trace is visible[0] for trace in visible)


def test_who_stops_a_shared_training_sees_what_was_learned_till_then(gate: Gate) -> None:
    first, second = asked(gate, 93), asked(gate, 93)
    first.button(key="training_stop").click()
    run(first)
    gate.open_for = 30  # it goes on for the second session, and tells the first one at its next merge
    ended(first)
    assert 20 <= learned(first) <= 30
    assert f"Stopped after {learned(first)} of 93 merges" in first.warning[0].value
    assert run(second).get("progress")
    gate.wide_open.set()
    assert learned(ended(second)) == 93
    first.button(key="training_go_on").click()
    assert learned(run(first)) == 93
    assert gate.begun == 1


def test_the_page_keeps_its_traces_when_the_cache_drops_them(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a full cache would train again at every run of the page."""
    monkeypatch.setattr(traces._CACHE, "_most", 0)
    gate.wide_open.set()
    app = ended(asked(gate, 40, 41))
    for _ in range(2):
        run(app)
    assert gate.begun == 2


def test_an_unfinished_training_is_not_kept_for_others(gate: Gate) -> None:
    """Only complete traces are shared."""
    first = asked(gate, 90)
    first.button(key="training_stop").click()
    run(first)
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


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click()
    return run(app)


def test_stop_go_on_and_changes_in_any_order_end_with_a_result(gate: Gate) -> None:
    app = asked(gate, 50)
    for merges in (51, 52):
        assert "Stopped" in press(app, "training_stop").warning[0].value
        press(app, "training_go_on")
        assert ask(app, merges).get("progress")
    assert "Stopped" in press(app, "training_stop").warning[0].value
    assert ask(app, 51).get("progress")  # the Stop was for the training before
    gate.wide_open.set()
    assert learned(ended(app)) == 51
    assert "Stopped" in ask(app, 52).warning[0].value
    assert learned(ended(press(app, "training_go_on"))) == 52


def test_a_stop_that_comes_before_the_page_shows_a_change_is_for_the_new_training(gate: Gate) -> None:
    """Until then the page shows the button of the training before."""
    app = asked(gate, 53)
    app.session_state["asked"] = (54,)
    assert press(app, "training_stop").warning[0].value == "Stopped before the first merge."
    gate.wide_open.set()
    assert learned(ended(press(app, "training_go_on"))) == 54
