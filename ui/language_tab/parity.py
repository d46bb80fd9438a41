"""Parity-aware BPE in the tab “Languages”: trained in a thread, with progress and a Stop, and drawn as a lane."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from bpe.analysis.parity_aware import COSTS, ParityResult, ParityTraining, parity_aware_steps
from bpe.text.display import counted
from ui.language_tab.curves import Lane
from ui.language_tab.digest import digest_of
from ui.show.text import in_markdown
from ui.streamlit_gaps.stop_button import stop_button
from ui.visit import Slot, nothing
from ui.work.jobs import Job, line
from ui.work.memory_budget import fragment

TITLE = "Parity-aware BPE"
POLLING = 0.5  # seconds between two looks at the progress


@dataclass(slots=True)
class ParityRun:
    """One parity-aware training in a thread. `result` is there when it has ended, or was stopped."""

    name: str  # of lane, texts and cost
    documents: Mapping[str, str]
    cost: str  # slug of COSTS
    settings: Mapping[str, Any]
    like: str  # title of the lane whose settings it has
    job: Job = field(default_factory=Job)
    training: ParityTraining | None = None
    learned: int = 0
    result: ParityResult | None = None

    def start(self) -> None:
        """Begin to train."""
        self.job.start(self._train, "parity")

    def _train(self) -> None:
        self.training = parity_aware_steps(self.documents, self.cost, **self.settings)
        try:
            for step in self.training:
                self.learned = step.rank + 1
        finally:
            self.result = self.training.result()

    @property
    def lane(self) -> Lane | None:
        """The training as a lane of the charts; None if it has learned nothing."""
        if self.result is None or not self.result.steps:
            return None
        return Lane(TITLE, self.result.trace, f"parity {self.name}")


# The parity-aware training on its way, or ended
PARITY: Slot[ParityRun | None] = Slot("_parity", nothing)


def trained(lanes: Sequence[Lane], documents: Mapping[str, str]) -> ParityRun | None:
    """Return the session's training if it has these texts and the settings of the first lane that is a training."""
    run, like = PARITY.read(), _like(lanes)
    if run is None or like is None or run.job.is_running or run.name != _name(like, documents, run.cost):
        return None
    return run


def _like(lanes: Sequence[Lane]) -> Lane | None:
    """Return the first lane that is a training. The parity-aware training has its settings."""
    return next((lane for lane in lanes if lane.settings is not None), None)


def _name(like: Lane, documents: Mapping[str, str], cost: str) -> str:
    return digest_of(sorted((like.settings or {}).items()), cost, *documents, *documents.values())[:32]


def choose(lanes: Sequence[Lane], documents: Mapping[str, str]) -> Lane | None:
    """Draw what parity-aware BPE is, and the controls that train it; while it is trained, its progress and a Stop.

    Return the lane whose settings it has, if there is one.
    """
    like = _like(lanes)
    st.subheader("What if the text that pays most could choose?", anchor=False)
    st.caption(
        "Plain BPE merges the pair that is most frequent in all texts together. At each step, parity-aware BPE "
        "(Foroutan et al., ACL 2026) finds the text that is compressed worst and merges its most frequent pair."
    )
    if like is None or like.settings is None:
        st.caption(
            "These merges come from a file, so nothing is trained here. Choose “Train” in the sidebar."
        )
        return None
    run = PARITY.read()
    if run is not None and run.job.is_running:
        row = st.container(horizontal=True, vertical_alignment="center")
        with row:
            draw_progress(run)
        stop_button(row, "parity_stop", run.job.stop)
        return like
    with st.container(horizontal=True, vertical_alignment="bottom"):
        cost = str(
            st.selectbox(
                "Each merge is chosen by",
                tuple(COSTS),
                key="parity_cost",
                format_func=lambda slug: COSTS[slug].title,
                persist_state="session",
                width=320,
            )
        )
        new = ParityRun(_name(like, documents, cost), documents, cost, like.settings, like.title)
        st.button(f"Train {TITLE[0].lower()}{TITLE[1:]}", key="parity_start", on_click=_start, args=(new,))
    st.caption(f"{COSTS[cost].about} All other settings are the same as for {in_markdown(like.title)}.")
    if run is not None and run.job.problem:
        st.error(in_markdown(run.job.problem, most=500))
    return like


def _start(run: ParityRun) -> None:
    before = PARITY.read()
    if before is not None:
        before.job.stop()
    PARITY.write(run)
    run.start()


@partial(fragment, run_every=POLLING)
def draw_progress(run: ParityRun) -> None:
    """Draw how many merges are learned; run the page again when the training has ended."""
    run.job.look()
    run.job.ended.wait(0.3)  # a short training then needs no second run of the page
    if run.job.ended.is_set():
        st.rerun()
    ahead = run.job.ahead
    st.caption(line(ahead) if ahead else f"{counted(run.learned, 'merge')} learned …")
