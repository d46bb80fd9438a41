"""A gate at which trainings pause, so that tests can inspect them and the pages that draw them."""

import threading
import time
from collections.abc import Iterator
from math import inf

from streamlit.testing.v1 import AppTest

import bpe
from bpe.checkpoints import checkpoint
from tests.app import run
from tests.waiting import LONG, until
from ui.trainings import byte_cache, running_training
from ui.trainings.corpus import Corpus, from_text
from ui.trainings.jobs import StoppedError
from ui.trainings.recipe import Recipe, signature
from ui.trainings.running_training import Pace, RunningTraining, _Steps

TEXT = from_text(" ".join(f"{number:b}" for number in range(3_000)))
LONG_TEXT = from_text(TEXT.reading_text * 7)  # its trainings wait in line: none overtakes another one


class Gate:
    """A gate that lets trainings go on merge by merge. `begun` counts trainings.

    Who is stopped before it goes on by one merge, and notices.
    """

    def __init__(self) -> None:
        self.passed = 0
        self.begun = 0
        self.open_for = 20
        self.wide_open = threading.Event()
        self.resting: list[GatedSteps] = []

    def begin(self, corpus: Corpus, recipe: Recipe) -> _Steps:
        self.begun += 1
        return GatedSteps(self, running_training.begin(corpus, recipe), recipe.merges)

    def hold(self, corpus: Corpus, recipe: Recipe) -> RunningTraining:
        """Begin a training that a page of the app asks for, and return it at the gate, with a preview.

        What the tests before have learned of it is forgotten.
        """
        name = signature(corpus, recipe)
        byte_cache._forget_all()
        running_training._IN_USE.pop(name, None)
        pace = Pace(preview=-1.0, abandoned=LONG, merge=LONG)
        running_training._TRAININGS[name] = running = RunningTraining(name, corpus, recipe, pace, self.begin)
        running.start()
        self.wait_for(recipe.merges)
        return running

    def wait_for(self, *merges: int) -> None:
        """Wait until trainings with these numbers of merges pause at the gate. Then pages no longer change."""
        expected = sorted(merges)
        until(
            lambda: sorted(one.merges for one in list(self.resting) if one.merges in expected) == expected,
            f"a rest at the gate after {expected} merges ({self.begun} begun)",
        )

    def let_through(self, training: "GatedSteps") -> None:
        """Return when the training may go on by one merge. It waits while the gate is closed, unless it is stopped."""
        if training.passed >= self.open_for:
            self.resting.append(training)
            owner = next(one for one in list(running_training._TRAININGS.values()) if one.steps is training)
            owner.stepped = -inf  # so that it can be stopped here
            try:
                while training.passed >= self.open_for and not self.wide_open.is_set():
                    checkpoint()
                    time.sleep(0.005)
            except StoppedError:
                pass
            finally:
                owner.stepped = time.monotonic()
                self.resting.remove(training)
        training.passed += 1
        self.passed += 1


class GatedSteps:
    """The steps of a training that waits at the gate.

    It holds a method instead of the gate: the app measures the memory of a stopped training, and must not measure
    others that are running.
    """

    def __init__(self, gate: Gate, steps: _Steps, merges: int) -> None:
        self.let_through = gate.let_through
        self.steps = steps
        self.merges = merges  # that the training was asked for
        self.passed = 0

    def __iter__(self) -> Iterator[bpe.Step]:
        while True:
            self.let_through(self)
            step = next(iter(self.steps), None)
            if step is None:
                return
            yield step

    def trace(self, stopped: str = "cancelled") -> bpe.Trace:
        return self.steps.trace(stopped)


def learned(app: AppTest) -> int:
    """Return how many merges the page shows."""
    return int(app.metric[0].value)


def ended(app: AppTest) -> AppTest:
    """Run the page again until nothing is being learned, and return it."""
    end = time.monotonic() + LONG
    while run(app).get("progress"):
        assert time.monotonic() < end, "the training did not end"
        time.sleep(0.02)
    return app


def press(app: AppTest, key: str) -> AppTest:
    """Press a button, and return the page."""
    app.button(key=key).click()
    return run(app)
