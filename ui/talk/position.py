"""Where a talk is. The address alone holds it: the path's minutes as `talk`, and the number of the stop as `stop`."""

from dataclasses import dataclass

import streamlit as st

from ui.lessons.overview.curriculum import LessonPath, Stop, address, paths
from ui.visit.page_link import whole_number

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


def current() -> Position | None:
    """Return the position of the talk; None without one."""
    return read(st.query_params.to_dict())


def on_page(page: str) -> Position | None:
    """Return the position of the talk if its stop is on this page; "" is a lesson."""
    position = current()
    return position if position is not None and position.stop.page == page else None
