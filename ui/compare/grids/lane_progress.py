"""The lanes while they are trained: the state of each in its position, and the grids of those that can be played."""

from collections.abc import Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe import Trace
from bpe.comparison.held_out import HeldOutText
from ui.compare.choice.lanes import Lane
from ui.compare.grids import branches
from ui.compare.grids.lane_grids import STAGE, grids_so_far
from ui.compare.grids.parts import GROUP
from ui.compare.measures.comparison import comparison_of
from ui.components.lane_stage import LaneState, lane_stage
from ui.show.text import in_markdown
from ui.sidebar.texts.corpus import Corpus
from ui.trainings import training
from ui.trainings.running_training import Watch
from ui.trainings.training import POLLING, Progress
from ui.work.memory_budget import fragment


def finished(corpus: Corpus, lanes: Sequence[Lane], progress: Sequence[Progress]) -> list[Trace] | None:
    """Return the traces of all lanes. While one is trained or missing, draw what there is and return None.

    Lanes that were stopped have the merges learned so far.
    """
    traces = [one.trace for one in progress if one.trace is not None]
    is_over = all(one.has_settled for one in progress)
    if is_over:
        _draw_ends(lanes, progress)
    if is_over and len(traces) == len(lanes):
        return traces
    _draw_lanes(corpus, lanes, progress, is_over)
    return None


def _draw_ends(lanes: Sequence[Lane], progress: Sequence[Progress]) -> None:
    """Draw why lanes have failed, which were stopped, and a button that lets these go on."""
    stopped: list[Watch] = []
    for lane, one in zip(lanes, progress, strict=True):
        if one.watch is None:
            continue
        if one.watch.is_stopped:
            stopped.append(one.watch)
        else:
            st.error(in_markdown(f"{lane.title}: {one.watch.training.job.problem}", most=500))
    if stopped:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.warning(_stopped_text(lanes, progress))
        row.button("Go on", key="lanes_go_on", on_click=_go_on, args=(stopped,))


def _stopped_text(lanes: Sequence[Lane], progress: Sequence[Progress]) -> str:
    ready = sum(one.watch is None for one in progress)
    text = f"Stopped. {ready} of {len(lanes)} lanes {'is' if ready == 1 else 'are'} ready."
    missing = sum(one.trace is None for one in progress)
    if missing:
        return f"{text} The answer needs all of them: go on, or remove the others."
    return f"{text} The others show the merges learned so far."


def _draw_lanes(corpus: Corpus, lanes: Sequence[Lane], progress: Sequence[Progress], is_over: bool) -> None:
    with st.container(key="verdict"):
        st.header("Does it matter?", anchor=False)
        st.caption("You get the answer when all lanes are ready. You can already play those that are.")
    if is_over:
        st.container(key="above_lanes")
        lane_stage(GROUP, key=STAGE, states=states(lanes, progress))
    else:
        follow_lanes(lanes, progress)
    # The first lane has the transport. It is trained first, so the others hardly ever wait for it.
    positions = [position for position, one in enumerate(progress) if one.trace is not None]
    if positions[:1] == [0]:
        traces = [one.trace for one in progress if one.trace is not None]
        playable = branches.with_names([lanes[position] for position in positions], traces)
        grids_so_far(comparison_of(corpus, playable, traces, HeldOutText("", ())), positions, len(lanes))


def follow_lanes(lanes: Sequence[Lane], progress: Sequence[Progress]) -> None:
    """Draw how far the lanes are, and a Stop for all."""
    watches = [one.watch for one in progress if one.watch is not None]
    with st.container(key="above_lanes"):
        row = st.container(horizontal=True, vertical_alignment="center")
        bar = row.progress(0.0)
        # Not in the fragment: its clicks wait until the page is drawn.
        row.button("Stop", key="lanes_stop", on_click=training.stop_all, args=(watches,))
    _follow(lanes, progress, watches, bar)


@partial(fragment, run_every=POLLING)
def _follow(
    lanes: Sequence[Lane], progress: Sequence[Progress], watches: Sequence[Watch], bar: DeltaGenerator
) -> None:
    """Draw how far the lanes are; run the page again when there is more to show."""
    for watch in watches:
        watch.look()
    now = states(lanes, progress)
    ready = sum(one.watch is None for one in progress)
    text = f"Training: {ready} of {len(lanes)} lanes {'is' if ready == 1 else 'are'} ready."
    bar.progress(sum(state.share for state in now) / len(now), text=text)
    lane_stage(GROUP, key=STAGE, states=now)
    stopped = [watch for watch in watches if watch.is_stopped]
    if stopped:
        training.wait_until_settled(stopped)
    settled_before = {id(one.watch) for one in progress if one.has_settled}
    if any(training.has_news(watch) for watch in watches if id(watch) not in settled_before):
        st.rerun()


def states(lanes: Sequence[Lane], progress: Sequence[Progress]) -> list[LaneState]:
    """Return how far each lane is."""
    return [
        LaneState(lane.title, *((("ready", 1.0)) if one.watch is None else _state(one.watch)))
        for lane, one in zip(lanes, progress, strict=True)
    ]


def _state(watch: Watch) -> tuple[str, float]:
    """Return the state of a training in words, and the share of its merges that is learned."""
    learning = watch.training
    most = max(1, training.most_merges(watch))
    share = min(1.0, learning.learned / most)
    if watch.is_stopped:
        return f"stopped at merge {learning.learned:,} of {most:,}", share
    if learning.job.ended.is_set():
        return ("failed", 0.0) if learning.job.problem else ("ready", 1.0)
    if learning.job.ahead:
        return "waiting", 0.0
    if learning.steps is None:
        return "counting words", 0.0
    return f"merge {learning.learned:,} of {most:,}", share


def _go_on(watches: Sequence[Watch]) -> None:
    for watch in watches:
        watch.go_on()
