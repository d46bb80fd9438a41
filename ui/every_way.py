"""Every way to break the ties, as a picture below the grid: listed in a thread, cached, and drawn by the browser."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from bpe import BPEError, Trace
from bpe.analysis.tie_graph import tie_graph
from film.every_way import every_way, shade_of
from film.feed import EveryWay
from ui.components.component import browser_component
from ui.show.text import in_markdown
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe, signature
from ui.work.byte_cache import ByteCache, digest_of
from ui.work.long_work import Says, SharedWork, shown

__all__ = ["draw_every_way"]

MOST_SECONDS = 2.0  # for the list of all ways
WAIT = 0.4  # seconds for which the page waits before it shows progress
SAYS = Says(
    lambda: "Listing every way to break the ties …", "Stopped before all ways were listed.", "List all ways"
)

_COMPONENT = browser_component("every_way")


@dataclass(frozen=True, slots=True)
class WatchedTraining:
    """A training whose line is in the picture."""

    title: str
    recipe: Recipe
    trace: Trace


# Pictures, or the sentences why there is none. Names are hashes of all that they depend on.
_PICTURES: ByteCache[EveryWay | str] = ByteCache(4_000_000)


def draw_every_way(corpus: Corpus, trainings: list[WatchedTraining], *, group: str) -> None:
    """Draw every way to break the ties of the first training, and the lines of those that share its ways.

    group: that of the grids whose playhead the dots follow.
    """
    trained = [one for one in trainings if one.trace.replayed is None]
    if not trained:
        return
    shared = [one for one in trained if _without_ties(one.recipe) == _without_ties(trained[0].recipe)]
    name = digest_of(
        "every way",
        *(f"{signature(corpus, one.recipe)} {one.title} {len(one.trace.steps)}" for one in trainings),
    )
    listing = partial(_list, corpus, trainings, shared)
    picture = shown(f"every_way_{group}", name, listing, SAYS, cache=_PICTURES, wait=WAIT)
    if isinstance(picture, str):
        st.info(in_markdown(picture, most=500))
    if picture is None or isinstance(picture, str):
        return
    _COMPONENT(key=f"every_way_{group}", data={**picture, "name": name, "group": group}, height="content")
    left_out = [one.title for one in trainings if one not in shared]
    if left_out:
        verb = "has" if len(left_out) == 1 else "have"
        others = in_markdown(", ".join(left_out), most=300)
        st.caption(
            f"{others} {verb} no line here: other words or another end of the training make other ways."
        )


def _without_ties(recipe: Recipe) -> dict[str, Any]:
    """Return the settings that decide which ways there are."""
    settings = recipe.settings
    for key in ("tie_break", "seed", "picks"):
        settings.pop(key, None)
    return settings


def _list(
    corpus: Corpus,
    trainings: list[WatchedTraining],
    shared: list[WatchedTraining],
    work: SharedWork[EveryWay | str],
) -> None:
    try:
        graph = tie_graph(corpus.training_text, most_seconds=MOST_SECONDS, **_without_ties(shared[0].recipe))
    except BPEError as error:  # such as too many ways: the answer, and not a failure
        work.report(1.0, str(error))
        return
    lanes = {one.title: one.trace for one in shared}
    work.report(1.0, every_way(graph, lanes, shade_of([one.trace for one in trainings], shared[0].trace)))
