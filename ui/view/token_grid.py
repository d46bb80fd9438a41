"""The token grid: a Components v2 component that plays a feed in the browser and reports to Python where it rests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from bpe import Trace
from film.feed import Feed, TrainingFeed
from film.labels import token_number
from film.modules import BROWSER
from film.pair_rows import pair_table
from ui.view import component as message
from ui.view.component import component
from ui.view.visit import Slot

__all__ = [
    "Around",
    "GridState",
    "Pick",
    "grid_data",
    "tell_ties",
    "token_grid",
    "window_start",
]

# {key of a grid: its memory}
_GRIDS: Slot[dict[str, _GridMemory]] = Slot("_grids", dict)

_COMPONENT = component("token_grid", BROWSER / "token_grid")
_TIES = component("token_grid_ties", BROWSER / "tied_pairs")
_LONGEST_TEXT = 1 << 31  # characters; a window cannot start later
_MOST_TIED = 2_000  # tied pairs sent at rest, 20 KB; of more, the first in the text


def token_grid(
    feed: Feed,
    *,
    key: str,
    step: int = 0,
    group: str | None = None,
    options: Mapping[str, str | bool] | None = None,
    trace: Trace | None = None,
    remembered_as: str = "",
    linked: bool = False,
    numbers: bool = False,
    rail: Mapping[str, object] | None = None,
    subject: str = "",
    around: Around | None = None,
) -> GridState:
    """Draw the grid and return its step, which the browser reports when it rests. Call it inside a fragment.

    step: where to begin a corpus and recipe that this key has not shown yet. Afterwards the grid remembers its step,
        even when the page changes, under the name `remembered_as` or, by default, a name of corpus and recipe.
    group: what shares the playhead of the grid.
    options: how to draw at first (view, drawing, colour, glyphs, motion). The viewer's earlier choices take precedence.
    linked: whether the browser writes the step at which the grid rests into the address, as `step`.
    numbers: whether a line below the grid counts tokens, vocabulary and ties.
    rail: what has been learned, for the grid of an encoding: {title, rows: [{parts, id, name}], hides}.
    subject: a name of what is trained on. With it the element stays when another feed comes, and so does its step while
        the subject is the same: the chips then move from how they were to how they are.
    trace: the trace of the feed. With it a grid that cannot count all pairs receives those that tie where it rests.
    around: what stands around it, for the component that draws a whole stage.
    """
    memory = _of(key)
    name = remembered_as or feed["family"]
    last = int(feed["last"])
    mounted = key if subject else f"{key}-{feed['family']}"
    if mounted not in st.session_state:
        # A new element in the browser needs a first step. That stays the same, or a rerun would send the feed again.
        memory.starts[mounted] = min(memory.steps.get(name, step), last)
        memory.outdated.pop(mounted, None)
    elif memory.subjects.get(mounted, subject) != subject:
        memory.starts[mounted] = min(memory.steps.get(name, step), last)
        memory.outdated[mounted] = _reported(st.session_state[mounted])
    elif (before := memory.names.get(mounted, name)) != name:
        memory.steps[name] = memory.steps.get(before, step)
    memory.subjects[mounted], memory.names[mounted] = subject, name

    def moved() -> None:
        start = message.read(st.session_state.get(mounted), "window", message.whole_number(0, _LONGEST_TEXT))
        memory.window = memory.window if start is None else start

    result = (around.component if around else _COMPONENT)(
        key=mounted,
        data={
            **grid_data(
                feed,
                start=memory.starts.setdefault(mounted, min(step, last)),
                group=group or key,
                subject=subject,
                options=options,
                linked=linked,
                numbers=numbers,
            ),
            "rail": dict(rail) if rail else None,
            **(around.data if around else {}),
        },
        on_step_change=lambda: None,
        on_window_change=moved,
        on_pick_change=lambda: None,
        **{f"on_{event}_change": lambda: None for event in (around.events if around else ())},
    )
    reported = _reported(result)
    if memory.outdated.get(mounted, -1) == reported:
        reported = -1
    else:
        memory.outdated.pop(mounted, None)
    now = memory.starts[mounted] if reported < 0 else min(reported, last)
    _remember(key, name, now, last)
    if trace is not None:
        table = bool(around and around.data.get("table"))
        tell_ties(key, group or key, [(feed, trace)], now, table=table)
    return GridState(now, message.read(result, "pick", _read_pick), result)


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a grid."""

    component: Callable[..., Any]  # draws it all as one stage
    data: Mapping[str, object]  # that the component receives beside the grid's
    events: Collection[str] = ()  # what the viewer asks for there


def tell_ties(
    key: str, group: str, lanes: Sequence[tuple[Feed, Trace]], step: int, *, table: bool = False
) -> None:
    """Send the grids of a group the pairs that tie at this step, for those feeds that cannot count all pairs.

    table: whether the rows of the pair table of the whole text are sent as well.
    """
    told = [
        {
            "id": feed["id"],
            "step": (at := min(step, len(trace.steps))),
            "pairs": _tied(trace, feed, at),
            "table": pair_table(trace, at) if table else None,
        }
        for feed, trace in lanes
        if feed["training"] and not feed["whole"]
    ]
    if told:
        _TIES(key=f"grid-ties-{key}", data={"group": group, "lanes": told}, height=1)


def grid_data(
    feed: Feed,
    *,
    start: int,
    group: str,
    subject: str,
    options: Mapping[str, str | bool] | None,
    linked: bool,
    numbers: bool,
) -> dict[str, object]:
    """Return what a grid alone receives: film/browser/token_grid/types.js has the types."""
    return {
        "feed": feed,
        "start": start,
        "subject": subject,
        "group": group,
        "transport": True,
        "lane": None,
        "options": dict(options or {}),
        "beatwise": False,
        "linked": linked,
        "numbers": numbers,
        "rail": None,
    }


def _of(key: str) -> _GridMemory:
    """Return the memory of a grid."""
    return _GRIDS.read().setdefault(key, _GridMemory())


def begin_at(key: str, name: str, step: int) -> None:
    """Make a grid that is not on the page begin this feed at `step` and at the first character."""
    memory = _of(key)
    memory.steps[name] = step
    memory.window = 0


def window_start(key: str) -> int:
    """Return the first character of the window that the viewer moved the grid to; for `training_feed(start=…)`."""
    return _of(key).window


@dataclass(frozen=True, slots=True)
class Pick:
    """A tied pair of merge `rank` that the viewer picks instead."""

    rank: int
    left: bytes
    right: bytes


@dataclass(frozen=True, slots=True)
class GridState:
    """The step that the grid rests at, and what the viewer picked since the last run."""

    step: int
    pick: Pick | None
    reported: object  # by the component, in this run; for what stands around the grid


@dataclass(slots=True)
class _GridMemory:
    """The memory of one grid.

    Streamlit drops a component's own state when another page is shown.

    A grid is identified by its key. Its memory holds a step for every feed it has shown, under a name that the caller
    gives.
    """

    steps: dict[str, int] = field(default_factory=dict)  # {name of a feed: step at which the viewer left it}
    starts: dict[str, int] = field(default_factory=dict)  # {element in the browser: the step sent to it}
    subjects: dict[str, str] = field(default_factory=dict)  # {element: the subject that it shows}
    # {element: the name under which its step is remembered}.
    names: dict[str, str] = field(default_factory=dict)
    # {element: the step that it reported of another subject, until it reports one of this one}
    outdated: dict[str, int] = field(default_factory=dict)
    window: int = 0  # first character of the shown part of the text


def _remember(key: str, name: str, step: int, last: int) -> None:
    """Remember that the grid rests at `step` of `last`. Resting at the end of a shorter training changes nothing."""
    steps = _of(key).steps
    if name not in steps or min(steps[name], last) != step:
        steps[name] = step


def _reported(result: object) -> int:
    """Return the step that the browser has reported; -1 if it has reported none."""
    step = message.read(result, "step", message.whole_number(0, _LONGEST_TEXT))
    return -1 if step is None else step


def _tied(trace: Trace, feed: TrainingFeed, step: int) -> list[tuple[int, int]]:
    """Return the ids of the pairs that tie for the next merge, unless the feed holds them; empty without a tie."""
    steps_in_feed = feed["ties"]["steps"] if feed["ties"] else 0
    if not steps_in_feed <= step < len(trace.steps) or trace.steps[step].tied < 2:
        return []
    pairs = trace.tie(step, _MOST_TIED).pairs
    return [(token_number(trace, left), token_number(trace, right)) for left, right in pairs]


def _read_pick(picked: object) -> Pick | None:
    """Return the pick that the browser reported; None if it is no pick.

    >>> _read_pick({"rank": 3, "left": [108], "right": [111]})
    Pick(rank=3, left=b'l', right=b'o')
    """
    rank = message.read(picked, "rank", message.whole_number(0, _LONGEST_TEXT))
    left, right = (message.read(picked, side, message.octets) for side in ("left", "right"))
    return None if rank is None or left is None or right is None else Pick(rank, left, right)
