"""Jobs: work in a thread goes on while a page watches it, and ends when it is stopped, abandoned or fails."""

import threading
import time
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from bpe import BPEError
from ui import training
from ui.compare import luck
from ui.jobs import ABANDONED, Job
from ui.sidebar.corpus import from_text
from ui.sidebar.recipe import Recipe

RECIPE = Recipe("paper", "char-eow", "first", 5)
TEXT = from_text("low lower lowest")


def work_of(job: Job) -> None:
    while not job.must_end:
        time.sleep(0.005)


def test_stop_ends_the_work_and_it_can_start_again() -> None:
    job = Job()
    for _ in range(2):
        job.start(lambda: work_of(job), "test")
        assert job.is_running
        assert not job.must_end
        job.stop()
        assert job.ended.wait(10)
        assert not job.is_running


def test_work_that_nobody_watches_ends() -> None:
    job = Job(patience=0.05)
    job.start(lambda: work_of(job), "test")
    assert job.ended.wait(10)
    assert not job.is_stopped


def test_a_minute_without_a_look_is_too_long() -> None:
    assert Job().patience == luck.Draws("", TEXT, RECIPE, 2).job.patience == ABANDONED == 60
    assert training.Pace().abandoned == ABANDONED


def test_every_look_gives_the_work_its_whole_patience_again() -> None:
    job = Job(patience=2.0)
    job.start(lambda: work_of(job), "test")
    until = time.monotonic() + 3
    while time.monotonic() < until:
        job.look()
        time.sleep(0.05)
    assert job.is_running
    job.stop()


def test_an_error_of_the_core_is_the_problem() -> None:
    def fail() -> None:
        raise BPEError("This cannot be.")

    def run_out() -> None:
        raise MemoryError

    job = Job()
    job.start(fail, "test")
    assert job.ended.wait(10)
    assert job.problem == "This cannot be."
    job.start(run_out, "test")
    assert job.ended.wait(10)
    assert "memory" in job.problem
    job.start(lambda: None, "test")
    assert job.ended.wait(10)
    assert not job.problem


def draw_training(watched: "training.RunningTraining") -> None:
    from ui import training

    training.draw_progress(watched)


def draw_luck(watched: "luck.Draws") -> None:
    from ui.compare import luck

    luck.draw_progress(watched)


def wait_for(release: threading.Event) -> None:
    release.wait(10)


def test_a_page_that_asks_for_a_running_training_looks_at_it() -> None:
    release = threading.Event()
    running = training.RunningTraining(TEXT, RECIPE)
    running.job.patience = 0.5
    running.job.start(partial(wait_for, release), "test")
    time.sleep(0.6)
    must_end = [running.job.must_end]  # nobody has looked
    finish = training._finisher({"asked for": running}, "asked for", running, until=0)
    with pytest.raises(training.StillTrainingError):
        finish()
    must_end.append(running.job.must_end)
    release.set()
    assert must_end == [True, False]


def test_the_progress_on_the_page_is_a_look() -> None:
    """A training that is watched for longer than its patience is not abandoned, and neither are draws."""
    for script, watched in (
        (draw_training, training.RunningTraining(TEXT, RECIPE)),
        (draw_luck, luck.Draws("", TEXT, RECIPE, 2)),
    ):
        release = threading.Event()
        job = watched.job
        job.patience = 0.5
        job.start(partial(wait_for, release), "test")
        time.sleep(0.6)
        must_end = [job.must_end]  # nobody has looked
        app = AppTest.from_function(script, kwargs={"watched": watched}).run()
        must_end.append(job.must_end)
        release.set()
        assert not app.exception
        assert must_end == [True, False]
