"""Where a talk is. The address holds it, so that a reload continues: the path's minutes as `talk`, the stop as `stop`.

Within a visit the session holds it too: what a browser sends just after a move still names the stop before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import streamlit as st

from ui import navigation, visit
from ui.compare import lanes
from ui.components import component as message
from ui.components import token_grid
from ui.components.component import COMPONENTS, component
from ui.encode import controls
from ui.lessons import choosing, to_watch
from ui.lessons import to_watch as own_settings
from ui.lessons.curriculum import LessonPath, Stop, address, paths
from ui.lessons.lesson import Lesson
from ui.lessons.stages import GROUP
from ui.streamlit_gaps.run_context import came_by_history
from ui.visit import Slot, nothing, whole_number

TALK, STOP = "talk", "stop"  # parameters of the address
BAR = "talk_bar"  # key of the line of a talk
_COMPONENT = component("talk", COMPONENTS / "talk")
LESSONS = "lessons"

# Page of a stop -> the group of its grids.
GROUPS = {"": GROUP, "watch": "watch", "compare": "compare", "encode": "encode"}
BACK, ON = "talk back", "talk on"  # what the card asks for in place of a lesson

# Where the talk of this visit is
HERE: Slot[_Position | None] = Slot("_talk_position", nothing)

# The stop that the next run of the app opens
NEXT_STOP: Slot[_Position | None] = Slot("_talk_next", nothing)


def read(parameters: dict[str, str]) -> _Position | None:
    """Return the position that an address names; None without a talk. A stop that does not exist is the first.

    >>> read({"talk": "45", "stop": "2"}).number, read({"talk": "45"}).number, read({"talk": "44"})
    (1, 0, None)
    """
    path = next((path for path in paths() if path.slug == parameters.get(TALK)), None)
    if path is None:
        return None
    number = whole_number(1, len(path.stops))(parameters.get(STOP, "1"))
    return _Position(path, (number or 1) - 1)


def linked() -> _Position | None:
    """Return the position that the address of this run names; None without a talk."""
    return read(st.query_params.to_dict())


def hold(position: _Position | None) -> None:
    """Record where the talk of this visit is."""
    HERE.write(position)


def request(by: int) -> None:
    """Ask for another stop, and prepare its page. A callback, since the choices are drawn before the page."""
    position = _current()
    target = position.moved(by) if position else None
    if target is None:
        return
    _prepare(target, backwards=by < 0)
    NEXT_STOP.write(target)


def go_back() -> None:
    """Prepare the stop that Back or Forward leads to. Call it before the choices are drawn."""
    position = linked() if came_by_history() else None
    if position is None or position == HERE.read():
        return
    lesson = position.stop.lesson.slug
    beat = choosing.beat_shown_last(lesson)
    _prepare(position)
    if not position.stop.page:
        choosing.ask_for(lesson, beat)


def begin_on_lessons() -> _Position | None:
    """Return the talk's position on the page Lessons, after opening the stop that a link names; None without a talk."""
    is_new = "lesson" not in st.query_params  # a link was followed, and no lesson is drawn yet
    if is_new:
        hold(linked())
    position = _current()
    if position is None:
        return None
    if position.stop.page:
        _prepare(position)
        _open_stop(position)
    visit.write(position.parameters)
    if is_new:
        choosing.ask_for(position.stop.lesson.slug, choosing.beat_shown_last(position.stop.lesson.slug))
    return position


def end() -> None:
    """Leave the talk: the address forgets it. A callback."""
    for name in (TALK, STOP):
        if name in st.query_params:
            del st.query_params[name]


def draw(page: str) -> None:
    """Draw the line on a page that is the talk's stop, after going to another stop if the viewer asked for it."""
    _follow()
    _catch_up(page)
    position = _on_page(page)
    if position is not None:
        _draw_at(position)


def draw_on_watch() -> None:
    """Draw the line on Watch, or without a talk the way back to the lesson that opened it."""
    if _on_page("watch") is None:
        to_watch.draw_way_back()
    draw("watch")


def beside(lesson: Lesson) -> dict[str, dict[str, str] | None]:
    """Return what is before and after a lesson as data for its card: the stops of the talk, or the next lesson."""
    position = _on_page("")
    if position is None:
        return choosing.beside(lesson)
    before, after = position.moved(-1), position.moved(1)
    return {
        "before": {"slug": BACK, "title": before.stop.title} if before else None,
        "next": {"slug": ON, "title": after.stop.title} if after else None,
    }


def leave(asked: str) -> None:
    """Go where the card asks to: to a stop of the talk, or to a lesson."""
    position = _on_page("")
    if position is None or asked not in (BACK, ON):
        choosing.ask_for(asked)
        st.rerun()
    target = position.moved(1 if asked == ON else -1)
    if target is None:
        return
    _prepare(target, backwards=asked == BACK)
    if target.stop.page:
        _open_stop(target)
    visit.write(target.parameters)
    st.rerun()


@dataclass(frozen=True, slots=True)
class _Position:
    """A stop of a path, counted from 0."""

    path: LessonPath
    number: int

    @property
    def stop(self) -> Stop:
        """The stop."""
        return self.path.stops[self.number]

    def moved(self, by: int) -> _Position | None:
        """Return the stop so many further; None before the first and after the last."""
        number = self.number + by
        return _Position(self.path, number) if 0 <= number < len(self.path.stops) else None

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the address."""
        return address(self.path, self.number)


def _current() -> _Position | None:
    """Return the position of the talk; None without one. The address only says that there is a talk, or begins it."""
    address, position = linked(), HERE.read()
    if address is None or position is None or position.path.slug != address.path.slug:
        hold(address)
        return address
    return position


def _on_page(page: str) -> _Position | None:
    """Return the position of the talk if its stop is on this page; "" is a lesson."""
    position = _current()
    return position if position is not None and position.stop.page == page else None


def _prepare(position: _Position, *, backwards: bool = False) -> None:
    """Put what a stop needs into the session. Call it before the controls of the choices are drawn.

    backwards: whether the stop opens at its end, since the talk comes back to it.
    """
    hold(position)
    stop = position.stop
    if not stop.page:
        own_settings.put_back()
        choosing.ask_for(stop.lesson.slug, len(stop.lesson.beats) - 1 if backwards else 0)
        return
    base = to_watch.carry(stop.lesson)
    if stop.page == "watch":
        token_grid.begin_at("watch", base, _merges_of(stop) if backwards else 0)
    elif stop.page == "compare":
        lanes.request_lanes(stop.lanes)
    else:
        controls.set_text(stop.text)


def _merges_of(stop: Stop) -> int:
    """Return how many merges the keys make on the page of a stop."""
    return stop.merges or int(stop.lesson.recipe.values.get("merges") or 0)


def _follow() -> None:
    """Switch to the stop that was asked for, if one was."""
    target = NEXT_STOP.read()
    if target is not None:
        NEXT_STOP.forget()
        _open_stop(target)


def _catch_up(page: str) -> None:
    """Open the page of the talk's stop if this run belongs to the stop before it, whose page this is."""
    position, address = _current(), linked()
    if position and address and position.stop.page != page == address.stop.page:
        _open_stop(position)


def _open_stop(position: _Position) -> NoReturn:
    """Switch to the page of a stop, with its position in the address."""
    page = position.stop.page or LESSONS
    st.switch_page(navigation.file_of(page), query_params=position.parameters)


def _draw_at(position: _Position) -> None:
    """Draw the line of a stop."""
    stop, following = position.stop, position.moved(1)
    data = {
        "title": stop.title,
        "number": position.number + 1,
        "of": len(position.path.stops),
        "minutes": position.path.minutes,
        "before": sum(other.minutes for other in position.path.stops[: position.number]),
        "notes": stop.speech,
        "next": following.stop.title if following else "",
        "group": GROUPS[stop.page],
        "merges": stop.merges,
        "votes": stop.page == "watch",
        "keys": bool(stop.page),
    }
    _draw_bar(data, request, end)


def _draw_bar(data: Mapping[str, Any], move: Callable[[int], None], leave: Callable[[], None]) -> None:
    """Draw the line of a talk: where it is, and what takes the keys from stop to stop.

    data: {title, number, of, minutes, notes, next, group, merges, votes, keys}; `votes` says whether the room votes on
        the merges, `keys` whether it takes the keys of the group on: a lesson's card does so itself.
    move: called with 1 or −1 before the next run if the viewer goes on or back.
    leave: called if the viewer ends the talk.
    """

    def moved() -> None:
        ways = {f"{way} from {data['number']}": by for way, by in (("next", 1), ("back", -1))}
        asked = message.read(st.session_state.get(BAR), "move", message.one_of(ways))
        if asked is not None:
            move(ways[asked])

    _COMPONENT(key=BAR, data=dict(data), on_move_change=moved, on_leave_change=leave, height="content")
