"""Every way to break the ties, as a picture below the grid: listed in a thread, cached, and drawn by the browser."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

import bpe
from bpe import BPEError, Pair, Trace
from bpe.analysis.tie_graph import picks_for_way
from bpe.text.display import counted, listed, merge_number
from film.every_way import every_way_of, listed_ways, rows_of
from film.feed import EveryWay
from ui.trainings.byte_cache import ByteCache, digest_of
from ui.trainings.corpus import Corpus
from ui.trainings.long_work import Says, SharedWork, shown
from ui.trainings.picks import MOST_PICKS, Picks
from ui.trainings.recipe import Recipe, signature
from ui.view.component import browser_component, read, whole_number
from ui.view.text import in_markdown
from ui.view.visit import Slot

__all__ = ["WatchedTraining", "draw_every_way", "press", "taken", "undo", "way_at_a_glance"]

# What can be seen at a glance.
_MOST_WORDS, _MOST_CHARACTERS = 12, 48
_MOST_STRANDS = 90
_MOST_ROWS = 13  # splits that fit one below the other

# Trainings that find the picks for a pressed node, in characters of the distinct words: some two seconds
_MOST_WORK = 2_000_000
_ONE_TRAINING, _WORK_OF_MERGE = 2_000, 10

_WAIT = 0.4  # seconds for which the page waits before it shows progress
_SAYS = Says(
    lambda: "Listing every way to break the ties …", "Stopped before all ways were listed.", "List all ways"
)

_COMPONENT = browser_component("every_way")


@dataclass(frozen=True, slots=True)
class WatchedTraining:
    """A training whose line is in the picture."""

    title: str
    recipe: Recipe
    trace: Trace


# Gives a training these picks instead of its own, and returns the function that undoes it.
TakesPicks = Callable[[WatchedTraining, Picks], Callable[[], None]]


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a pressed node did."""

    sentence: str
    undo: Callable[[], None] | None  # None if nothing changed


# By group: what the last pressed node did
_TAKEN: Slot[dict[str, _Taken]] = Slot("_every_way_taken", dict)

# Pictures, or the sentences why there is none.
_PICTURES: ByteCache[EveryWay | str] = ByteCache(4_000_000)

# By name of a picture: whether it can be seen at a glance
_GLANCES: ByteCache[bool] = ByteCache(200_000)


def draw_every_way(
    corpus: Corpus,
    trainings: list[WatchedTraining],
    *,
    group: str,
    takes: TakesPicks,
    who: str = "“{}”",
    low: bool = False,
) -> None:
    """Draw every way to break the ties of the first training, and the lines of those that share its ways.

    If the viewer presses a node, the chosen line goes there, by picks.

    group: that of the grids whose playhead the dots follow.
    takes: gives a training other picks.
    who: the name of what gets these picks, with a gap for the training's title.
    low: whether a tall picture begins small, so that what is below it stays in sight.
    """
    if not any(one.trace.origin.breaks_ties for one in trainings):
        return
    name = _name(corpus, trainings)
    listing = partial(_list, {one.title: one.trace for one in trainings})
    picture = shown(f"every_way_{group}", name, listing, _SAYS, cache=_PICTURES, wait=_WAIT)
    if isinstance(picture, str):
        st.info(in_markdown(picture, most=500))
    if picture is None or isinstance(picture, str):
        return
    pressed = _COMPONENT(
        key=f"every_way_{group}",
        data={**picture, "name": name, "group": group, "takes": True, "low": low},
        height="content",
        on_pressed_change=lambda: None,
    )
    press(pressed, corpus, trainings, picture, group=group, takes=takes, who=who)
    _draw_taken(group)
    lines = [line["title"] for line in picture["lines"]]
    left_out = [one.title for one in trainings if one.title not in lines]
    if left_out:
        names, have = in_markdown(", ".join(left_out), most=300), "has" if len(left_out) == 1 else "have"
        st.caption(f"{names} {have} no line here: more than the rule for ties is different.")


def press(
    reported: object,
    corpus: Corpus,
    trainings: Sequence[WatchedTraining],
    picture: EveryWay,
    *,
    group: str,
    takes: TakesPicks,
    who: str = "“{}”",
) -> None:
    """Let the line that the viewer has chosen go to the node that was pressed, if the component reports one."""
    lines = [line["title"] for line in picture["lines"]]
    place = read(reported, "pressed", _node_and_line)
    if place is None or place[1] >= len(lines):
        return
    node, line = place
    training = next(one for one in trainings if one.title == lines[line])
    _TAKEN.write({**_TAKEN.read(), group: _take(corpus, training, node, takes, who)})
    st.rerun()


def way_at_a_glance(corpus: Corpus, training: WatchedTraining) -> tuple[str, EveryWay] | None:
    """Return the picture of a short text with few ways, and its name; None for other texts, and where no paths part.

    It lists a few ways itself, in some milliseconds. More ways are found here once `draw_every_way` has listed
    them: those of one word are often a single knot.
    """
    pre_tokens = training.trace.pre_tokens
    if (
        not training.trace.origin.breaks_ties
        or len(pre_tokens) > _MOST_WORDS
        or sum(map(len, pre_tokens)) > _MOST_CHARACTERS
    ):
        return None
    name = _name(corpus, [training])
    kept = _PICTURES.find(name)
    if kept is not None and not isinstance(kept, str) and _is_low(kept):
        return name, kept
    picture = _GLANCES.find(name) is not False and _listed_few(training)
    _GLANCES.put(name, bool(picture))
    if not picture:
        return None
    _PICTURES.put(name, picture)  # it is complete: with more splits it would be the same
    return name, picture


def _listed_few(training: WatchedTraining) -> EveryWay | None:
    """Return the same picture."""
    try:
        picture = every_way_of({training.title: training.trace}, _MOST_ROWS)
    except BPEError:
        return None
    return picture if picture and _is_low(picture) else None


def _is_low(picture: EveryWay) -> bool:
    """Return whether a picture shows all ways, and fits beside a text."""
    return len(picture["strands"]) <= _MOST_STRANDS and 2 <= rows_of(picture) <= _MOST_ROWS


def _name(corpus: Corpus, trainings: Sequence[WatchedTraining]) -> str:
    """Return the name of the picture of trainings: a hash of all that it depends on."""
    parts = (f"{signature(corpus, one.recipe)} {one.title} {len(one.trace.steps)}" for one in trainings)
    return digest_of("every way", *parts)


def _node_and_line(value: object) -> tuple[int, int] | None:
    """Return the pressed node of the tie graph, and the line that is to go there; None for anything else."""
    node, line = (read(value, name, whole_number(0, 10**6)) for name in ("node", "line"))
    return None if node is None or line is None else (node, line)


def _take(corpus: Corpus, training: WatchedTraining, node: int, takes: TakesPicks, who: str) -> _Taken:
    """Take a training to a node of its tie graph."""
    words = training.trace.pre_tokens
    one = _ONE_TRAINING + sum(map(len, words))  # what a training takes
    work = 0
    own = {
        key: value
        for key, value in training.recipe.settings.items()
        if key not in ("merges", "vocab_size", "picks")
    }

    def train(picks: Mapping[int, Pair]) -> Trace:
        nonlocal work
        work += one + _WORK_OF_MERGE * len(way)
        if work > _MOST_WORK:
            raise BPEError("Finding the picks that lead there would take too long.")
        return bpe.train(corpus.training_text, **own, merges=len(way), picks=picks)

    try:
        graph = listed_ways(training.trace)
        if node >= len(graph.nodes):
            raise BPEError("The picture has changed: press again.")
        way = graph.way_to(node, training.trace)
        pairs = picks_for_way(way, train, most=MOST_PICKS)
        trace = train(pairs)
    except BPEError as error:
        return _Taken(str(error), None)
    picks = tuple((rank, trace.tied_pairs(rank).index(pair)) for rank, pair in pairs.items())
    undo = takes(training, picks)
    if not picks:
        return _Taken(f"“{training.title}” gets there by itself, without picks.", undo)
    merges = listed([merge_number(rank) for rank, _ in picks])
    by_hand = counted(len(picks), "merge").partition(" ")[2]
    where = f"after {counted(len(way), 'merge')}"
    return _Taken(
        f"{who.format(training.title)} now gets there {where}, with picks at {by_hand} {merges}. "
        "The rule decides the rest.",
        undo,
    )


def _draw_taken(group: str) -> None:
    """Draw what the last pressed node did, with a button that takes it back."""
    if (did := taken(group)) is None:
        return
    sentence, undoes = did
    with st.container(horizontal=True, vertical_alignment="center", key=f"every_way_taken_{group}"):
        st.caption(in_markdown(sentence, most=400), width="content")
        if undoes:
            st.button(
                "Undo", key=f"every_way_undo_{group}", on_click=undo, args=(group,), icon=":material/undo:"
            )


def taken(group: str) -> tuple[str, bool] | None:
    """Return what the last pressed node did, as a sentence, and whether it can be undone; None if none was pressed."""
    did = _TAKEN.read().get(group)
    return None if did is None else (did.sentence, did.undo is not None)


def undo(group: str) -> None:
    """Take back what the last pressed node did."""
    did = _TAKEN.read().get(group)
    _TAKEN.write({name: one for name, one in _TAKEN.read().items() if name != group})
    if did is not None and did.undo is not None:
        did.undo()
    st.rerun()


def _list(traces: Mapping[str, Trace], work: SharedWork[EveryWay | str]) -> None:
    try:
        work.report(1.0, every_way_of(traces))
    except BPEError as error:  # such as two stages: the answer, and not a failure
        work.report(1.0, str(error))
