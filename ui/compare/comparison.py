"""A comparison of several lanes: their traces, the measures that the page shows, and the evidence.

A thread computes the evidence while the page is drawn, and all sessions share it. For a short text, trainings that
break the ties of the sidebar's recipe at random are part of it.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from bpe import Trace
from bpe.comparison.comparison import Comparison
from bpe.comparison.evidence import Evidence, evidence, with_random_draws
from bpe.comparison.held_out import HeldOutText
from bpe.comparison.random_draws import enough_draws
from ui.compare.lanes import ChosenLane
from ui.show.text import in_markdown
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe, signature
from ui.visit import Slot, nothing
from ui.work.byte_cache import ByteCache
from ui.work.jobs import WatchedWork, line, watch
from ui.work.memory_budget import fragment


@dataclass(frozen=True, eq=False)
class PageComparison(Comparison):
    """A comparison, and what the page needs to know about its lanes and its text."""

    lanes: tuple[ChosenLane, ...]
    name: str  # cache key: equal for equal lanes, traces and held-out text
    corpus: Corpus

    @property
    def has_files(self) -> bool:
        """Whether a lane is a tokenizer from a file."""
        return any(lane.recipe.file for lane in self.lanes)


def comparison_of(
    corpus: Corpus, lanes: list[ChosenLane], traces: list[Trace], held_out: HeldOutText
) -> PageComparison:
    """Return the comparison of these lanes. While nothing changes, it is the same object with its computed measures."""
    parts = [f"{signature(corpus, lane.recipe)} {lane.slug} {lane.title}" for lane in lanes]
    parts += [f"{len(trace.steps)} {trace.stopped}" for trace in traces] + [corpus.title, *corpus.named]
    parts += [held_out.title, *map(str, map(len, held_out.documents)), *held_out.documents]
    name = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    comparison = PageComparison(tuple(lanes), tuple(traces), corpus.training_text, held_out, name, corpus)
    if not any(lane.recipe.file for lane in lanes):
        comparison = _COMPARISONS.get(name, lambda: comparison)
    return _cached_for_session(name, comparison)


# The names hash texts, their titles and slugs, so only a session that has the texts can get a comparison.
_COMPARISONS: ByteCache[PageComparison] = ByteCache(8_000_000)


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _cached_for_session(name: str, _comparison: PageComparison) -> PageComparison:
    """Return the session's comparison. One that holds tokenizers from files is for this session alone."""
    return _comparison


# The evidence

WAIT = 0.8  # seconds for which the page waits before it shows progress
POLLING = 0.5  # seconds between two looks at the progress
# Characters of a held-out text that is measured in seconds and does not wait for long work.
SHORT_TEXT = 200_000
MOST_DRAWN = 20_000  # characters of a corpus for which random draws are made without being asked for
MOST_MERGES = 1_000  # the same for merges


@dataclass(frozen=True, slots=True)
class Measuring:
    """A session's watch of the evidence on the page. Names are hashes of all that they depend on."""

    comparison: str  # name of the comparison
    watched: WatchedWork[Evidence]


# The evidence of the comparison on the page, on its way or done
EVIDENCE: Slot[Measuring | None] = Slot("_evidence", nothing)


Report = Callable[[float, Evidence | None], None]

# By the names of comparison and draws, so only a session that has the texts can get the evidence.
_EVIDENCE: ByteCache[Evidence] = ByteCache(4_000_000)


def measure(comparison: PageComparison, shared: Recipe) -> None:
    """Begin to measure, unless the evidence is there, and wait a moment. `shared` is the sidebar's recipe."""
    before = EVIDENCE.read()
    name = f"{comparison.name} {_name_of_draws(comparison, shared)}"
    if before is not None and before.watched.work.name == name:
        watched = before.watched
    else:
        if before is not None:
            before.watched.stop()
        watched = watch(name, lambda report: _measure(comparison, shared, report, name))
        watched.work.job.is_short = len(comparison.test_text) <= SHORT_TEXT
        EVIDENCE.write(Measuring(comparison.name, watched))
    if _EVIDENCE.find(name) is None and not watched.is_stopped and not watched.problem:
        watched.start()
        watched.work.job.ended.wait(WAIT)


def _measure(comparison: PageComparison, shared: Recipe, report: Report, name: str) -> None:
    result = evidence(
        comparison.traces,
        comparison.held_out.documents,
        comparison.corpus.training_text,
        on_progress=lambda share: report(share, None),
    )
    if _is_short(comparison, shared):
        settings = _without_picks(shared).settings
        settings.pop("tie_break")
        settings.pop("seed", None)
        enough = enough_draws(len(comparison.lanes))
        measured = result
        for measured in with_random_draws(result, comparison.traces, comparison.text, **settings):
            report(measured.luck.draws / enough if measured.luck else 0, result)
        result = measured
    _EVIDENCE.put(name, result)
    report(1.0, result)


def _is_short(comparison: PageComparison, shared: Recipe) -> bool:
    return not shared.file and comparison.corpus.characters <= MOST_DRAWN and comparison.merges <= MOST_MERGES


def _name_of_draws(comparison: PageComparison, shared: Recipe) -> str:
    """Return the name of the draws of the sidebar's recipe: a hash of corpus, recipe and held-out text."""
    parts = (signature(comparison.corpus, _without_picks(shared)), *comparison.held_out.documents)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _without_picks(recipe: Recipe) -> Recipe:
    return recipe.changed(picks=(), seed=0)


def evidence_of(comparison: PageComparison) -> Evidence | None:
    """Return the evidence; None before it is measured."""
    measuring = EVIDENCE.read()
    if measuring is None or measuring.comparison != comparison.name:
        return None
    work = measuring.watched.work
    return _EVIDENCE.find(work.name) or work.result


def draw_state(comparison: PageComparison) -> None:
    """Draw how far the measuring has come, or why there is no evidence."""
    measuring = EVIDENCE.read()
    # Always there: a progress that arrives when the next run has begun still has its place.
    row = st.container(horizontal=True, vertical_alignment="center", key="measuring_state")
    if measuring is None:
        return
    watched = measuring.watched
    if watched.is_running:
        with row:
            _draw_progress(watched, evidence_of(comparison) is not None)
        # Not in the fragment: its clicks wait until the page is drawn.
        row.button("Stop", key="evidence_stop", on_click=watched.stop)
    elif watched.problem:
        row.error(in_markdown(watched.problem, most=500))
    elif watched.is_stopped:
        row.warning("Stopped before everything was measured.")
        row.button("Go on", key="evidence_go_on", on_click=watched.start)


@partial(fragment, run_every=POLLING)
def _draw_progress(watched: WatchedWork[Evidence], has_evidence: bool) -> None:
    """Draw the progress; run the page again when there is more to show."""
    watched.look()
    work = watched.work
    ahead = work.job.ahead
    doing = "Measuring the held-out text" if work.result is None else "Drawing ties at random"
    st.progress(min(1.0, work.share), text=line(ahead) if ahead else f"{doing} …")
    if not watched.is_running or (work.result is not None and not has_evidence):
        st.rerun()
