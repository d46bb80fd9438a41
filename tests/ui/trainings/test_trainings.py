"""Training for the pages: progress while it runs, Stop and Go on."""

import gc
import threading
import time

import pytest
from tokenizers import Tokenizer

import bpe
from bpe.checkpoints import checkpoint
from bpe.formats import FORMATS
from film.page import film_page
from tests.app import choose_source, open_app, run, text_in, tokens_shown, type_text
from tests.film.readers import data_of
from tests.material.trained_tokenizers import hugging_face
from tests.ui.choices.tokenizer_uploads import JSON, MORE, UPLOADED_TEXT
from tests.ui.gate import LONG_TEXT, TEXT, Gate, ended, learned, press
from tests.ui.training_page import ask, asked, opened
from tests.waiting import LONG
from ui.shown.saving import _refusals
from ui.trainings import running_training, tokenizer_files
from ui.trainings.byte_cache import _forget_all
from ui.trainings.corpus import Corpus, from_text
from ui.trainings.recipe import Recipe
from ui.trainings.running_training import Pace, RunningTraining, TrainingWatch, _Steps, replay

NOTHING_YET = "Stopped before the first merge."


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

    def count_without_end(corpus: Corpus, recipe: Recipe) -> _Steps:
        try:
            while True:
                checkpoint()
                time.sleep(0.005)
        finally:
            ended_at_a_checkpoint.set()

    app = opened(count_without_end, 94, pace=Pace(wait=0.2))
    assert app.progress[0].text.startswith("Counting the words of the text")
    assert press(app, "training_stop").warning[0].value == NOTHING_YET
    assert ended_at_a_checkpoint.wait(LONG)


def test_who_waits_sees_how_many_are_ahead_and_can_leave_the_line(gate: Gate) -> None:
    asked(gate, 95, 79, corpus=LONG_TEXT)
    last = opened(gate.begin, 78, corpus=LONG_TEXT)
    assert last.progress[0].text == "Waiting: 2 trainings are ahead of yours."
    press(last, "training_stop")
    assert last.warning[0].value == NOTHING_YET
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


def test_what_the_cache_drops_for_one_training_is_still_shown_beside_it() -> None:
    """Two trainings may be too large for it together, and the page shows both."""

    def forget_all_others(corpus: Corpus, recipe: Recipe) -> _Steps:
        if recipe.merges == 12:
            _forget_all()
        return running_training.begin(corpus, recipe)

    app = opened(forget_all_others, 13)
    assert learned(ended(app)) == 13
    app.session_state["asked"] = ()
    run(app)  # the page shows it no more, and only the cache holds it
    gc.collect()
    app = ended(ask(app, 12, 13))
    assert [metric.value for metric in app.metric] == ["12", "13"]


def test_a_stop_that_comes_before_the_page_shows_a_change_is_for_the_new_training(gate: Gate) -> None:
    """Until then the page shows the button of the training before."""
    app = asked(gate, 53)
    app.session_state["asked"] = (54,)
    assert press(app, "training_stop").warning[0].value == NOTHING_YET
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


# Trainings that pages and sessions share: one for each content, kept while somebody asks for it.


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
        gate.wait_for(merges)
    assert gate.begun == 3  # the one before is remembered
    gate.wide_open.set()
    assert learned(ended(ask(app, 60))) == 60
    assert gate.begun == 4
    assert len(app.session_state["_trainings"]) == 1


def test_ten_recipes_of_one_page_are_each_trained_once(gate: Gate) -> None:
    """A page may need more trainings than a session remembers."""
    many = tuple(range(160, 170))
    app = opened(gate.begin, *many, pace=Pace(wait=0.0))
    for _ in range(2):
        ask(app, *many)
    gate.wide_open.set()
    ended(app)
    assert gate.begun == len(many)
    assert [int(tile.value) for tile in app.metric] == list(many)


def test_equal_recipes_of_one_page_share_a_training_that_ends_at_any_moment(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here it ends when it is asked for a second time."""
    ask_for = TrainingWatch.ask
    asks: list[TrainingWatch] = []

    def ask_and_end(watch: TrainingWatch) -> None:
        ask_for(watch)
        asks.append(watch)
        if len(asks) == 2:
            gate.wide_open.set()
            watch.training.job.ended.wait(LONG)

    monkeypatch.setattr(TrainingWatch, "ask", ask_and_end)
    app = opened(gate.begin, 71, 71, pace=Pace(wait=-9.0))
    assert [tile.value for tile in app.metric] == ["71", "71"]
    assert gate.begun == 1


def test_a_text_of_another_session_cannot_be_requested() -> None:
    first, second = type_text(open_app(), "secret words"), open_app()
    choose_source(second, "paste")
    assert first.session_state["_choice"].corpus.documents == ("secret words",)
    assert second.session_state["_choice"].corpus.documents != ("secret words",)
    assert text_in(second, "corpus_text") == ""


@pytest.mark.slow
def test_twelve_sessions_with_one_text_share_one_training(gate: Gate) -> None:
    """Whichever of them leave, it goes on for the others; then all have the very same trace."""
    sessions = [asked(gate, 92) for _ in range(12)]
    press(sessions[0], "training_stop")
    ask(sessions[1], 2)
    gate.wide_open.set()
    assert [learned(ended(app)) for app in sessions[2:]] == [92] * 10
    assert gate.begun == 2  # the other one has two merges
    visible = [next(iter(app.session_state["_traces"].values())) for app in sessions[2:]]
    assert all(trace is visible[0] for trace in visible)


def test_who_stops_a_shared_training_sees_what_was_learned_till_then(gate: Gate) -> None:
    first, second = asked(gate, 93), asked(gate, 93)
    press(first, "training_stop")
    gate.open_for = 30  # it goes on for the second session, and tells the first one at its next merge
    ended(first)
    assert 20 <= learned(first) <= 30
    assert f"Stopped after {learned(first)} of 93 merges" in first.warning[0].value
    assert run(second).get("progress")
    gate.wide_open.set()
    assert learned(ended(second)) == 93
    assert learned(press(first, "training_go_on")) == 93
    assert gate.begun == 1


def test_the_page_keeps_its_traces_when_the_cache_drops_them(gate: Gate) -> None:
    """Otherwise a full cache would train again at every run of the page."""
    gate.wide_open.set()
    app = ended(opened(gate.begin, 40, 41))
    for _ in range(2):
        _forget_all()
        run(app)
    assert gate.begun == 2


def test_an_unfinished_training_is_not_kept_for_others(gate: Gate) -> None:
    """Only complete traces are shared."""
    first = asked(gate, 90)
    assert learned(ended(press(first, "training_stop"))) == 21
    gate.wide_open.set()
    assert learned(ended(opened(gate.begin, 90))) == 90


# Replays of a tokenizer from a file: saved as films and files, and stopped before their end.


def test_a_replay_can_be_saved_as_a_film_and_exported() -> None:
    file = tokenizer_files.open_files([("my.json", JSON)], "guess")
    trace = bpe.replay(UPLOADED_TEXT, file.tokenizer)
    feed = data_of(film_page(trace, UPLOADED_TEXT))["lanes"][0]["feed"]
    assert feed["replay"]["merges"] == len(file.tokenizer.merges)
    assert feed["rule"] == ""
    exported = FORMATS["tokenizer-json"].trace_content(trace, len(trace.steps)).decode()
    assert (
        Tokenizer.from_str(exported).encode(UPLOADED_TEXT).ids == hugging_face(MORE).encode(UPLOADED_TEXT).ids
    )
    reasons = _refusals(trace, 1)
    assert reasons["tokenizer-json"] is None
    assert "</w>" in str(reasons["subword-nmt"])
    assert _refusals(trace, 1) is reasons
    assert _refusals(trace, 0) is not reasons


def test_a_replay_shows_its_progress_and_can_be_stopped() -> None:
    file = tokenizer_files.open_files([("my.json", JSON)], "guess")
    training = RunningTraining(
        "a replay",
        from_text(UPLOADED_TEXT),
        Recipe.of({"preset": "none", "variant": "bytes", "tie_break": "first", "merges": 3}),
    )
    training.begin, training.listed = replay(file.tokenizer), len(file.tokenizer.merges)
    training.job.look()
    training.job.stop()
    training._learn()
    assert training.trace is None
    assert training.so_far
    assert training.so_far.replayed
    first = training.so_far.steps[0].list_rank
    assert first is not None
    assert training.learned == first + 1
