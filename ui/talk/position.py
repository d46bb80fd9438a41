"""Where a talk is. The address holds it, so that a reload continues: the path's minutes as `talk`, the stop as `stop`.

Within a visit the session holds it too: what a browser sends just after a move still names the stop before.
"""

from dataclasses import dataclass

import streamlit as st

from ui.lessons.overview.curriculum import LessonPath, Stop, address, paths
from ui.visit.page_link import whole_number
from ui.visit.slot import Slot, nothing

TALK, STOP = "talk", "stop"  # parameters of the address


@dataclass(frozen=True, slots=True)
class Position:
    """A stop of a path, counted from 0."""

    path: LessonPath
    number: int

    @property
    def stop(self) -> Stop:
        """The stop."""
        return self.path.stops[self.number]

    @property
    def is_last(self) -> bool:
        """Whether the talk ends here."""
        return self.number == len(self.path.stops) - 1

    def moved(self, by: int) -> "Position | None":
        """Return the stop so many further; None before the first and after the last."""
        number = self.number + by
        return Position(self.path, number) if 0 <= number < len(self.path.stops) else None

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the address."""
        return address(self.path, self.number)


# Where the talk of this visit is
HERE: Slot[Position | None] = Slot("_talk_position", nothing)


def read(parameters: dict[str, str]) -> Position | None:
    """Return the position that an address names; None without a talk. A stop that does not exist is the first.

    >>> read({"talk": "45", "stop": "2"}).number, read({"talk": "45"}).number, read({"talk": "44"})
    (1, 0, None)
    """
    path = next((path for path in paths() if path.slug == parameters.get(TALK)), None)
    if path is None:
        return None
    number = whole_number(1, len(path.stops))(parameters.get(STOP, "1"))
    return Position(path, (number or 1) - 1)


def linked() -> Position | None:
    """Return the position that the address of this run names; None without a talk."""
    return read(st.query_params.to_dict())


def current() -> Position | None:
    """Return the position of the talk; None without one. The address only says that there is a talk, or begins it."""
    address, position = linked(), HERE.read()
    if address is None or position is None or position.path.slug != address.path.slug:
        hold(address)
        return address
    return position


def hold(position: Position | None) -> None:
    """Record where the talk of this visit is."""
    HERE.write(position)


def on_page(page: str) -> Position | None:
    """Return the position of the talk if its stop is on this page; "" is a lesson."""
    position = current()
    return position if position is not None and position.stop.page == page else None
