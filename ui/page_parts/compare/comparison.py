"""A comparison of several lanes: their traces, the measures that the page shows, and the evidence.

A thread computes the evidence while the page is drawn, and all sessions share it. For a short text, trainings that
break the ties of the chosen recipe at random are part of it.
"""

import hashlib
import time
from dataclasses import dataclass
from functools import partial

import streamlit as st

from bpe import Trace
from bpe.comparison.comparison import Comparison
from bpe.comparison.evidence import Evidence, evidence, learned_here, with_random_draws
from bpe.comparison.held_out import HeldOutText
from bpe.comparison.random_draws import enough_draws
from ui.gaps.first_frame import TURNS
from ui.page_parts.compare.lanes import ChosenLane
from ui.trainings import long_work
from ui.trainings.byte_cache import ByteCache
from ui.trainings.corpus import Corpus
from ui.trainings.long_work import Says, SharedWork, WorkWatch, asked, asked_for
from ui.trainings.recipe import Recipe, signature


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


_PLACE = "evidence"
# Characters of a held-out text that is measured in seconds and does not wait for long work.
_SHORT_TEXT = 200_000
_MOST_DRAWN = 20_000  # characters of a corpus for which random draws are made without being asked for
_MOST_MERGES = 1_000  # the same for merges
_STAND_BACK = 30.0  # seconds that these draws wait at most for the first screens of others


# By the names of comparison and draws, so only a session that has the texts can get the evidence.
_EVIDENCE: ByteCache[Evidence] = ByteCache(4_000_000)


def measure(comparison: PageComparison, shared: Recipe) -> WorkWatch[Evidence]:
    """Ask for the evidence, and wait a moment for it. `shared` is the chosen recipe."""
    return asked(
        _PLACE,
        f"{comparison.name} {_name_of_draws(comparison, shared)}",
        partial(_measure, comparison, shared),
        is_short=len(comparison.test_text) <= _SHORT_TEXT,
        cache=_EVIDENCE,
    )


def _measure(comparison: PageComparison, shared: Recipe, work: SharedWork[Evidence]) -> None:
    result = evidence(
        comparison.traces,
        comparison.held_out.documents,
        comparison.corpus.training_text,
        on_progress=work.report,
    )
    if _is_short(comparison, shared):
        settings = _without_picks(shared).settings
        settings.pop("tie_break")
        settings.pop("seed", None)
        measured = result
        until = time.monotonic() + _STAND_BACK
        for measured in with_random_draws(result, comparison.text, **settings):
            work.report(
                measured.luck.draws / enough_draws(len(comparison.lanes)) if measured.luck else 0, result
            )
            TURNS.stand_back(until)
        result = measured
    work.report(1.0, result)


def _is_short(comparison: PageComparison, shared: Recipe) -> bool:
    """Return whether ties are drawn at random: if a lane has learned from the text, and it takes no long time."""
    is_short = comparison.corpus.characters <= _MOST_DRAWN and comparison.merges <= _MOST_MERGES
    return is_short and not shared.file and learned_here(comparison.traces)


def _name_of_draws(comparison: PageComparison, shared: Recipe) -> str:
    """Return the name of the draws of the chosen recipe: a hash of corpus, recipe and held-out text."""
    parts = (signature(comparison.corpus, _without_picks(shared)), *comparison.held_out.documents)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _without_picks(recipe: Recipe) -> Recipe:
    return recipe.changed(picks=(), seed=0)


def evidence_of(comparison: PageComparison) -> Evidence | None:
    """Return the evidence; None before it is measured."""
    measured = asked_for(_PLACE)
    return measured.result if measured and measured.work.name.startswith(comparison.name) else None


def draw_state(measured: WorkWatch[Evidence]) -> None:
    """Draw how far the measuring has come, or why there is no evidence."""

    def doing() -> str:
        no_evidence = measured.work.result is None
        return "Measuring the held-out text …" if no_evidence else "Drawing ties at random …"

    long_work.draw_state(_PLACE, measured, Says(doing, "Stopped before everything was measured."))
