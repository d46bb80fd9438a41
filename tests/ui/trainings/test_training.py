"""Training for the pages: progress while it runs, Stop and Go on."""

import threading
import time

from bpe.checkpoints import checkpoint
from tests.app import open_app, tokens_shown, type_text
from tests.ui.gate import LONG_TEXT, TEXT, Gate, ended, learned, press
from tests.ui.trainings.training_page import ask, asked, opened
from tests.waiting import LONG
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe
from ui.trainings.running_training import Pace, RunningTraining, Steps


def test_a_short_training_shows_no_progress() -> None:
    """The page waits for it."""
    app = type_text(open_app(), "low lower lowest")
    assert not app.get("progress")
    assert tokens_shown(app)


def test_a_long_training_shows_progress_and_its_first_merges(gate: Gate) -> None:
    """They can be watched while the rest is learned; then all of them."""
    app = asked(gate, 100)
    assert app.progress[0].text.startswith("Learning merges: 20 of 100.")
    assert 1 <= learned(app) <= 20
    gate.wide_open.set()
    assert learned(ended(app)) == 100


def test_go_on_after_stop_learns_the_rest_and_nothing_twice(gate: Gate) -> None:
    app = asked(gate, 99)
    ended(press(app, "training_stop"))
    assert "Stopped after 21 of 99 merges" in app.warning[0].value
    assert learned(app) == 21
    gate.wide_open.set()
    assert learned(ended(press(app, "training_go_on"))) == 99
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

    app = opened(count_without_end, 94, pace=Pace(wait=0.2))
    assert app.progress[0].text.startswith("Counting the words of the text")
    assert press(app, "training_stop").warning[0].value == "Stopped before the first merge."
    assert ended_at_a_checkpoint.wait(LONG)


def test_who_waits_sees_how_many_are_ahead_and_can_leave_the_line(gate: Gate) -> None:
    asked(gate, 95, 79, corpus=LONG_TEXT)
    last = opened(gate.begin, 78, corpus=LONG_TEXT)
    assert last.progress[0].text == "Waiting: 2 trainings are ahead of yours."
    press(last, "training_stop")
    assert last.warning[0].value == "Stopped before the first merge."
    gate.wide_open.set()
    assert learned(ended(press(last, "training_go_on"))) == 78


def test_every_training_of_a_page_has_its_own_stop(gate: Gate) -> None:
    app = asked(gate, 96, 97)
    assert not app.exception
    assert {button.key for button in app.button if button.label == "Stop"} == {
        "training_stop",
        "training_1_stop",
    }


def test_stop_go_on_and_changes_in_any_order_end_with_a_result(gate: Gate) -> None:
    app = asked(gate, 50)
    for merges in (51, 52):
        assert "Stopped" in ended(press(app, "training_stop")).warning[0].value
        press(app, "training_go_on")
        assert ask(app, merges).get("progress")
    assert "Stopped" in ended(press(app, "training_stop")).warning[0].value
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


def test_an_abandoned_training_keeps_nothing() -> None:
    """It ends when no page has looked for a while, as after its tab was closed."""
    recipe = Recipe("paper", "char-eow", "first", 500)
    running = RunningTraining("abandoned", TEXT, recipe, Pace(abandoned=-1.0))
    running.start()
    assert running.job.ended.wait(LONG)
    assert running.learned < recipe.merges
    assert (running.trace, running.so_far, running.steps) == (None, None, None)


def test_an_error_is_one_sentence_and_not_a_wait() -> None:
    """It is the core's message."""
    app = open_app({"vocab_size": "2"})
    assert len(app.error) == 1
    assert not app.get("progress")
