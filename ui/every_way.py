"""Every way to break the ties, as a picture below the grid: listed in a thread, cached, and drawn by the browser."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from bpe import Symbol, Trace
from bpe.analysis.tie_graph import tie_graph
from film.every_way import every_way
from film.feed import EveryWay
from film.labels import Shades, token_number
from film.modules import BROWSER
from ui.components.component import component
from ui.show.text import in_markdown
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe, signature
from ui.visit import Slot
from ui.work.byte_cache import ByteCache, digest_of
from ui.work.jobs import WatchedWork, line, watch
from ui.work.memory_budget import fragment

__all__ = ["draw_every_way"]

MOST_SECONDS = 2.0  # for the list of all ways
WAIT = 0.4  # seconds for which the page waits before it shows progress
POLLING = 0.4  # seconds between two looks at the progress
PLACEHOLDER = "Listing every way to break the ties …"

_COMPONENT = component("every_way", BROWSER / "every_way")


@dataclass(frozen=True, slots=True)
class WatchedTraining:
    """A training whose line is in the picture."""

    title: str
    recipe: Recipe
    trace: Trace


# By group: the list on its way. Names are hashes of all that it depends on.
LISTINGS: Slot[dict[str, WatchedWork[EveryWay]]] = Slot("_every_way", dict)
_PICTURES: ByteCache[EveryWay] = ByteCache(4_000_000)


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
    picture = _PICTURES.find(name)
    if picture is None:
        picture = _listed(corpus, trainings, shared, name, group)
    if picture is None:
        return
    _COMPONENT(key=f"every_way_{group}", data={**picture, "group": group, "name": name})
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


def _listed(
    corpus: Corpus,
    trainings: list[WatchedTraining],
    shared: list[WatchedTraining],
    name: str,
    group: str,
) -> EveryWay | None:
    """Return the picture, if it is ready in a moment. Else draw how far it is, or why there is none."""
    listings = LISTINGS.read()
    listing = listings.get(group)
    if listing is None or listing.work.name != name:
        if listing is not None:
            listing.stop()
        listing = watch(name, partial(_list, corpus, trainings, shared, name))
        listing.work.job.is_short = True
        LISTINGS.write({**listings, group: listing})
        listing.start()
        listing.work.job.ended.wait(WAIT)
    if (picture := listing.work.result) is not None:
        return picture
    with st.container(key=f"every_way_state_{group}"):
        if listing.is_running:
            _follow(listing)
            st.button("Stop", key=f"every_way_stop_{group}", on_click=listing.stop)
        elif listing.problem:
            st.info(in_markdown(listing.problem, most=500))
        else:
            st.caption("Stopped before all ways were listed.")
            st.button("List all ways", key=f"every_way_again_{group}", on_click=listing.start)
    return None


def _list(
    corpus: Corpus,
    trainings: list[WatchedTraining],
    shared: list[WatchedTraining],
    name: str,
    report: Callable[[float, EveryWay | None], None],
) -> None:
    graph = tie_graph(corpus.training_text, most_seconds=MOST_SECONDS, **_without_ties(shared[0].recipe))
    lanes = {one.title: one.trace for one in shared}
    picture = every_way(graph, lanes, _shades([one.trace for one in trainings], shared[0].trace))
    _PICTURES.put(name, picture)
    report(1.0, picture)


def _shades(traces: list[Trace], first: Trace) -> Callable[[Symbol], int]:
    """Return the number by which a token is coloured: as in the grids, whose colours several lanes share."""
    if len(traces) == 1:
        return lambda symbol: token_number(first, symbol)
    shades = Shades(traces)
    name = shades.names[traces.index(first)]
    return lambda symbol: shades.of_name(name(symbol)) or token_number(first, symbol)


@partial(fragment, run_every=POLLING)
def _follow(listing: WatchedWork[EveryWay]) -> None:
    """Draw that the ways are being listed; run the page again when they are."""
    listing.look()
    ahead = listing.work.job.ahead
    st.caption(line(ahead) if ahead else PLACEHOLDER)
    if not listing.is_running:
        st.rerun()
