"""A gate at which trainings pause, so that tests can look at them, and pages that draw such trainings."""

import threading
import time
from collections.abc import Iterator

from streamlit.testing.v1 import AppTest

import bpe
from bpe.checkpoints import checkpoint
from tests.app import run
from tests.waiting import LONG, until
from ui import running_training
from ui.jobs import StoppedError
from ui.running_training import Steps
from ui.sidebar.corpus import Corpus, from_text
from ui.sidebar.recipe import Recipe

TEXT = from_text(" ".join(f"{number:b}" for number in range(3_000)))


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

    def begin(self, corpus: Corpus, recipe: Recipe) -> Steps:
        self.begun += 1
        return GatedSteps(self, running_training.begin(corpus, recipe), recipe.merges)

    def wait_for(self, *merges: int) -> None:
        """Wait until trainings with so many merges rest at the gate; nothing that a page shows changes then."""
        expected = sorted(merges)
        until(lambda: sorted(one.merges for one in list(self.resting) if one.merges in expected) == expected)


class GatedSteps:
    """The steps of a training that waits at the gate."""

    def __init__(self, gate: Gate, steps: Steps, merges: int) -> None:
        self.gate = gate
        self.steps = steps
        self.merges = merges  # that the training was asked for
        self.passed = 0

    def __iter__(self) -> Iterator[bpe.Step]:
        gate = self.gate
        while True:
            self._rest()
            self.passed += 1
            gate.passed += 1
            step = next(iter(self.steps), None)
            if step is None:
                return
            yield step

    def _rest(self) -> None:
        """Wait while the gate is closed, unless the training is stopped."""
        gate = self.gate
        if self.passed < gate.open_for:
            return
        gate.resting.append(self)
        try:
            while self.passed >= gate.open_for and not gate.wide_open.is_set():
                checkpoint()
                time.sleep(0.005)
        except StoppedError:
            pass
        finally:
            gate.resting.remove(self)

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
