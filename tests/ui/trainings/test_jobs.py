"""Jobs: work in a thread goes on while a page watches it, and ends when it is stopped, abandoned or fails."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe import BPEError
from bpe.comparison.evidence import Evidence
from merge_by_merge.__main__ import main
from tests import ROOT
from tests.app import LONGEST_RUN, open_app
from tests.waiting import LONG, until
from ui.trainings import jobs, long_work, running_training
from ui.trainings.byte_cache import ByteCache
from ui.trainings.corpus import from_text
from ui.trainings.jobs import ABANDONED, Job, _WorkQueue
from ui.trainings.limits import LIMITS, TRAININGS, UPLOAD, problems
from ui.trainings.long_work import _watch as watch_work
from ui.trainings.recipe import Recipe
from ui.trainings.running_training import RunningTraining, TrainingWatch

RECIPE = Recipe("paper", "char-eow", "first", 5)
TEXT = from_text("low lower lowest")


class Now:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


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
        assert job.ended.wait(LONG)
        assert not job.is_running


def test_work_that_nobody_watches_ends() -> None:
    job = Job(patience=0.05)
    job.start(lambda: work_of(job), "test")
    assert job.ended.wait(LONG)
    assert not job.is_stopped


def test_a_minute_without_a_look_is_too_long() -> None:
    assert Job().patience == watch_work("", lambda work: None).work.job.patience == ABANDONED == 60
    assert running_training.Pace().abandoned == ABANDONED


def test_every_look_gives_the_work_its_whole_patience_again() -> None:
    now = Now()
    job = Job(patience=2.0, clock=now)
    job.start(lambda: work_of(job), "test")
    for _ in range(5):
        now.seconds += 1.9
        assert not job.must_end
        job.look()
    assert job.is_running
    now.seconds += 2.1
    assert job.ended.wait(LONG)


def test_an_error_of_the_core_is_the_problem() -> None:
    def fail() -> None:
        raise BPEError("This cannot be.")

    def run_out() -> None:
        raise MemoryError

    job = Job()
    job.start(fail, "test")
    assert job.ended.wait(LONG)
    assert job.problem == "This cannot be."
    job.start(run_out, "test")
    assert job.ended.wait(LONG)
    assert "memory" in job.problem
    job.start(lambda: None, "test")
    assert job.ended.wait(LONG)
    assert not job.problem


def draw_training(watched: "TrainingWatch") -> None:
    from ui.trainings import training

    training._draw_state(watched, has_settled=False)


def draw_measuring(watched: "long_work.WorkWatch[Evidence]") -> None:
    from ui.page_parts.compare import comparison

    comparison.draw_state(watched)


def wait_for(release: threading.Event) -> None:
    release.wait(LONG)


def test_a_page_that_asks_for_a_running_training_looks_at_it() -> None:
    release, now = threading.Event(), Now()
    running = RunningTraining("asked for", TEXT, RECIPE, job=Job(clock=now))
    watch = TrainingWatch(running)
    running.job.start(partial(wait_for, release), "test", watch.number)
    now.seconds += ABANDONED + 1
    must_end = [running.job.must_end]  # nobody has looked
    watch.ask()
    must_end.append(running.job.must_end)
    release.set()
    assert must_end == [True, False]


def test_the_progress_on_the_page_is_a_look() -> None:
    """A training that is watched for longer than its patience is not abandoned, and neither is evidence."""
    watch = TrainingWatch(RunningTraining("watched", TEXT, RECIPE))
    measured: long_work.WorkWatch[Evidence] = watch_work("evidence", lambda work: None)
    for script, watched, job, watcher in (
        (draw_training, watch, watch.training.job, watch.number),
        (draw_measuring, measured, measured.work.job, measured.number),
    ):
        release, now = threading.Event(), Now()
        job.clock = now
        job.start(partial(wait_for, release), "test", watcher)
        now.seconds += ABANDONED + 1
        must_end = [job.must_end]  # nobody has looked
        app = AppTest.from_function(script, kwargs={"watched": watched}, default_timeout=LONGEST_RUN).run()
        must_end.append(job.must_end)
        release.set()
        assert not app.exception
        assert must_end == [True, False]


class Line:
    """Works that wait in a queue that does one at a time, and the order in which they began."""

    def __init__(self) -> None:
        self.queue = _WorkQueue(at_once=1, short_at_once=1)
        self.open = threading.Event()
        self.began: list[str] = []

    def job(self, name: str, patience: float = ABANDONED, *, is_short: bool = False) -> Job:
        """Return a job of this name that has begun or waits for its turn. It works until all may end."""
        job = Job(patience, queue=self.queue, is_short=is_short)

        def work() -> None:
            self.began.append(name)
            while not (self.open.is_set() or job.must_end):
                time.sleep(0.005)

        job.start(work, name)
        if job.is_running and not job.ahead:
            until(lambda: name in self.began)
        return job


def test_work_begins_in_the_order_in_which_it_was_asked_for() -> None:
    waiting = Line()
    works = [waiting.job(name) for name in "abcd"]
    assert [job.ahead for job in works] == [0, 1, 2, 3]
    waiting.open.set()
    assert all(job.ended.wait(LONG) for job in works)
    assert waiting.began == list("abcd")


def test_short_work_overtakes_long_work_but_no_short_work_before_it() -> None:
    waiting = Line()
    works = {name: waiting.job(name, is_short=name.islower()) for name in "ABcdE"}
    assert {name: job.ahead for name, job in works.items()} == {"A": 0, "B": 1, "c": 0, "d": 1, "E": 3}
    waiting.open.set()
    assert all(job.ended.wait(LONG) for job in works.values())
    began = "".join(waiting.began)
    assert began.index("c") < began.index("d")
    assert began.startswith("Ac")
    assert [name for name in began if name.isupper()] == ["A", "B", "E"]


def test_short_work_without_end_does_not_keep_long_work_waiting() -> None:
    waiting = Line()
    short = [waiting.job(name, is_short=True) for name in "abc"]  # two run: one in each kind of slot
    long = waiting.job("L")
    assert (short[2].ahead, long.ahead) == (1, 2)
    short[0].stop()  # in the slot for all work
    assert short[0].ended.wait(LONG)
    short.append(waiting.job("d", is_short=True))
    short[2].stop()
    assert short[2].ended.wait(LONG)
    until(lambda: long.ahead == 0)  # soon after the end its slot is free
    waiting.open.set()
    assert long.ended.wait(LONG)


def test_a_training_on_a_short_text_is_short_work() -> None:
    for characters, is_short in ((200_000, True), (200_001, False)):
        corpus = from_text("a" * characters)
        assert RunningTraining("", corpus, RECIPE).job.is_short is is_short


def test_who_stops_or_goes_away_leaves_the_line_at_once_and_does_no_work() -> None:
    waiting = Line()
    works = [waiting.job(name, patience) for name, patience in zip("abcd", (60, 60, -1, 60), strict=True)]
    works[1].stop()
    assert works[1].ended.is_set()
    assert works[3].ahead == 1  # nobody looks at the third one
    assert works[2].ended.is_set()
    waiting.open.set()
    assert works[3].ended.wait(LONG)
    assert waiting.began == ["a", "d"]


def test_a_look_after_stop_does_not_let_the_work_go_on() -> None:
    """The page that draws the progress looks at it once more."""
    job = Job()
    job.start(lambda: work_of(job), "test")
    job.stop()
    job.look()
    assert job.must_end
    assert job.ended.wait(LONG)


def test_a_job_ends_when_the_last_of_its_watchers_has_stopped_it() -> None:
    job = Job()
    for watcher in (1, 2):
        job.start(lambda: work_of(job), "test", watcher)
    job.stop(1)
    assert not job.must_end
    job.stop(2)
    assert job.ended.wait(LONG)


def test_a_closed_tab_counts_for_some_seconds_only() -> None:
    """Its training would otherwise keep others waiting for a minute."""
    for session, age, counts in (
        ("open", 50, True),
        ("open", 70, False),
        ("closed", 5, True),
        ("closed", 15, False),
    ):
        look = jobs._Look(100.0 - age, session)
        assert look.is_valid(100.0, ABANDONED, is_connected="open".__eq__) is counts


def test_a_complete_result_is_computed_once_and_a_stopped_one_goes_on_from_what_there_is() -> None:
    cache: ByteCache[str] = ByteCache(1_000)
    computed: list[str | None] = []

    def compute(work: long_work.SharedWork[str]) -> None:
        computed.append(work.result)
        work.report(0.5, "half")
        if len(computed) == 1:
            work_of(work.job)
            work.job.check()
        work.report(1.0, "whole")

    def stop_and_go_on() -> None:
        watched = watch_work("once", compute, cache)
        watched.start()
        until(lambda: watched.result == "half")
        watched.stop()
        assert watched.work.job.ended.wait(LONG)
        assert (watched.work.is_complete, cache.find("once")) == (False, None)
        watched.go_on()
        assert watched.work.job.ended.wait(LONG)

    stop_and_go_on()
    assert computed == [None, "half"]
    long_work._WORKS.pop("once", None)  # only the cache has it now
    again = watch_work("once", compute, cache)
    assert (again.work.is_complete, again.result) == (True, "whole")


# Limits from the environment: each reaches the code that keeps it, and a wrong value gets one sentence.

# limit: (module, constant, its unit)
USED = {
    "MEMORY_MB": ("ui.trainings.memory_budget", "MOST", 10**6),
    "TRAININGS": ("ui.trainings.jobs", "_AT_ONCE", 1),
    "UPLOAD_MB": ("ui.trainings.corpus", "MOST_UPLOADED", 10**6),
}
WRONG = {
    "a word": "many",
    "too few": "0",
    "too many": "501",
    "a fraction": "2.5",
    "signed": "-3",
    "digits of another script": "٣",
    "endless": "9" * 5_000,
}


def used_with(variables: Mapping[str, str]) -> Any:
    """Return the constants of a process with these environment variables, by limit."""
    program = (
        "import importlib, json; used = lambda module, constant, unit: "
        "getattr(importlib.import_module(module), constant) // unit; "
        f"print(json.dumps({{name: used(*where) for name, where in {USED}.items()}}))"
    )
    environment = os.environ | variables
    return json.loads(subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, env=environment))


def test_without_variables_every_limit_is_its_default() -> None:
    assert [limit.value({}) for limit in LIMITS] == [limit.default for limit in LIMITS]
    assert all(limit.least <= limit.default <= limit.most for limit in LIMITS)


def test_every_limit_reaches_the_code_that_keeps_it() -> None:
    set_ = {limit: limit.least + 1 if limit.default != limit.least + 1 else limit.least for limit in LIMITS}
    set_ = {limit: min(value, limit.most) for limit, value in set_.items()}
    variables = {limit.variable: str(value) for limit, value in set_.items()}
    assert used_with(variables) == {limit.name: value for limit, value in set_.items()}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_wrong_value_gets_one_sentence_and_leaves_the_default(text: str) -> None:
    environment = {UPLOAD.variable: text}
    (problem,) = problems(environment)
    assert problem.startswith(
        "MERGE_BY_MERGE_MOST_UPLOAD_MB must be a whole number from 1 to 500, but it is '"
    )
    assert len(problem) < 130
    assert UPLOAD.value(environment) == UPLOAD.default


def test_an_empty_variable_is_the_default() -> None:
    assert problems({UPLOAD.variable: " "}) == []
    assert UPLOAD.value({UPLOAD.variable: " "}) == UPLOAD.default
    assert UPLOAD.value({UPLOAD.variable: " 7 "}) == 7


def test_a_mistyped_name_is_a_problem() -> None:
    (problem,) = problems({"MERGE_BY_MERGE_MOST_UPLAOD_MB": "5", "MERGE_BY_MERGE_SKIPS": "forbidden"})
    assert problem.startswith(
        "MERGE_BY_MERGE_MOST_UPLAOD_MB is not the name of a limit. The limits are MERGE_BY_"
    )


def test_the_command_and_the_app_refuse_to_begin_with_a_wrong_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TRAININGS.variable, "*two*")
    with pytest.raises(SystemExit, match=r"must be a whole number from 1 to 64, but it is '\*two\*'\."):
        main([])
    at = open_app()
    assert [error.value for error in at.error] == [
        r"MERGE\_BY\_MERGE\_MOST\_TRAININGS must be a whole number from 1 to 64, but it is '\*two\*'."
    ]
    assert not at.sidebar.selectbox
