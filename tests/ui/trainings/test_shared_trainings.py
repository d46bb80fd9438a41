"""Trainings that pages and sessions share: one for each content, kept while somebody asks for it."""

import pytest

from tests.app import choose_source, open_app, run, tokens_shown, type_text
from tests.ui.gate import Gate, ended, learned, press
from tests.ui.trainings.training_page import ask, asked, opened
from tests.waiting import LONG
from ui.trainings.running_training import Pace, Watch
from ui.work.byte_cache import forget_all


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
    ask_for = Watch.ask
    asks: list[Watch] = []

    def ask_and_end(watch: Watch) -> None:
        ask_for(watch)
        asks.append(watch)
        if len(asks) == 2:
            gate.wide_open.set()
            watch.training.job.ended.wait(LONG)

    monkeypatch.setattr(Watch, "ask", ask_and_end)
    app = opened(gate.begin, 71, 71, pace=Pace(wait=-9.0))
    assert [tile.value for tile in app.metric] == ["71", "71"]
    assert gate.begun == 1


def test_a_text_of_another_session_cannot_be_requested() -> None:
    first, second = type_text(open_app(), "secret words"), open_app()
    choose_source(second, "paste")
    assert tokens_shown(first)
    assert not tokens_shown(second)


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
        forget_all()
        run(app)
    assert gate.begun == 2


def test_an_unfinished_training_is_not_kept_for_others(gate: Gate) -> None:
    """Only complete traces are shared."""
    first = asked(gate, 90)
    assert learned(ended(press(first, "training_stop"))) == 21
    gate.wide_open.set()
    assert learned(ended(opened(gate.begin, 90))) == 90
