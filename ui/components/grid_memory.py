"""The session's memory of its grids. Streamlit drops a component's own state when another page is shown.

A grid is identified by its key. Its memory holds a step for every feed it has shown, under a name that the caller
gives.
"""

from dataclasses import dataclass, field

from ui.visit import Slot


@dataclass(slots=True)
class GridMemory:
    """The memory of one grid."""

    steps: dict[str, int] = field(default_factory=dict)  # {name of a feed: step at which the viewer left it}
    starts: dict[str, int] = field(default_factory=dict)  # {element in the browser: the step sent to it}
    window: int = 0  # first character of the shown part of the text


# {key of a grid: its memory}
GRIDS: Slot[dict[str, GridMemory]] = Slot("_grids", dict)
# {group of grids: step of its playhead}
GROUP_STEPS: Slot[dict[str, int]] = Slot("_grid_group_steps", dict)


def of(key: str) -> GridMemory:
    """Return the memory of a grid."""
    return GRIDS.read().setdefault(key, GridMemory())


def remember(key: str, name: str, step: int, last: int) -> None:
    """Remember that the grid rests at `step` of `last`. Resting at the end of a shorter training changes nothing."""
    steps = of(key).steps
    if name not in steps or min(steps[name], last) != step:
        steps[name] = step


def begin_at(key: str, name: str, step: int) -> None:
    """Make a grid that is not on the page begin this feed at `step` and at the first character."""
    memory = of(key)
    memory.steps[name] = step
    memory.window = 0


def window_start(key: str) -> int:
    """Return the first character of the window that the viewer moved the grid to; for `training_feed(start=…)`."""
    return of(key).window


def group_steps() -> dict[str, int]:
    """Return {group: step of its playhead in this run}. The grid with the transport is drawn first and sets it."""
    return GROUP_STEPS.read()
