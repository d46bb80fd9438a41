"""Where a talk is. The address holds it, so that a reload continues: the path's minutes as `talk`, the stop as `stop`.

Within a visit the session holds it too: what a browser sends just after a move still names the stop before, and what a
key or a link opens names no talk. A page that is not the stop is a detour: its line and its address keep the talk, and
one key leads back. Only "Leave the talk" ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

import streamlit as st

from ui.gaps.run_context import came_by_history
from ui.page_parts.compare import lanes
from ui.page_parts.encode import controls
from ui.page_parts.lessons import choosing, to_watch
from ui.page_parts.lessons.curriculum import LessonPath, Stop, address, paths
from ui.page_parts.lessons.lesson import Lesson
from ui.page_parts.lessons.stages import GROUP
from ui.shown import navigation
from ui.view import component as message
from ui.view import token_grid, visit
from ui.view.component import COMPONENTS, component
from ui.view.text_field import put
from ui.view.visit import Slot, nothing, whole_number

# Parameters of the address: the path, the stop, and on a detour the beat at which the stop waits, from 1
_TALK, _STOP, _WAITS = "talk", "stop", "waits"
_BAR = "talk_bar"  # key of the line of a talk
_COMPONENT = component("talk", COMPONENTS / "talk")
_LESSONS = "lessons"

# Page of a stop -> the group of its grids.
_GROUPS = {"": GROUP, "watch": "watch", "compare": "compare", "encode": "encode"}
# What the card asks for in place of a lesson, with the stop that it leaves: what comes twice must not skip a stop
_WAYS = {"talk back": -1, "talk on": 1, "talk return": 0}

# Where the talk of this visit is
_HERE: Slot[_Position | None] = Slot("_talk_position", nothing)

# The stop that the next run of the app opens
_NEXT_STOP: Slot[_Position | None] = Slot("_talk_next", nothing)


def go_back(page: str) -> None:
    """Prepare the stop that Back or Forward leads to. Call it before the choices are drawn.

    page: the name in its address. A detour has the talk in its address too, and is no stop.
    """
    position = _linked() if came_by_history() else None
    if position is None or position == _HERE.read() or (position.stop.page or _LESSONS) != page:
        return
    lesson = position.stop.lesson.slug
    if st.query_params.get(choosing.KEY, lesson) == lesson:
        _prepare(position, "left" if page == _LESSONS else "start")


def begin_on_lessons() -> None:
    """Open the stop that a link to the page Lessons names. Call it before the lesson is chosen."""
    address = _linked()
    is_new = address is not None and choosing.KEY not in st.query_params  # a link was followed
    if is_new:
        _hold(address)
    _catch_up("")
    if address is None or not is_new:
        return
    if address.stop.page:
        _prepare(address, "start")
        _open_stop(address)
    visit.write(address.parameters)
    lesson = address.stop.lesson.slug
    choosing.ask_for(lesson, choosing.beat_shown_last(lesson))


def _read(parameters: dict[str, str]) -> _Position | None:
    """Return the position that an address names; None without a talk. A stop that does not exist is the first.

    >>> _read({"talk": "45", "stop": "2"}).number, _read({"talk": "45"}).number, _read({"talk": "44"})
    (1, 0, None)
    """
    path = next((path for path in paths() if path.slug == parameters.get(_TALK)), None)
    if path is None:
        return None
    number = whole_number(1, len(path.stops))(parameters.get(_STOP, "1"))
    return _Position(path, (number or 1) - 1)


def _linked() -> _Position | None:
    """Return the position that the address of this run names; None without a talk."""
    return _read(st.query_params.to_dict())


def _hold(position: _Position | None) -> None:
    """Record where the talk of this visit is."""
    _HERE.write(position)


def _request(by: int) -> None:
    """Ask for another stop, and prepare its page. A callback, since the choices are drawn before the page.

    by: 0 asks for the stop that a detour left, as it was left.
    """
    position = _current()
    target = position.moved(by) if position else None
    if target is None:
        return
    _prepare(target, _BEGINS[by])
    _NEXT_STOP.write(target)


def _end() -> None:
    """Leave the talk: session and address forget it. A callback."""
    _hold(None)
    for name in (_TALK, _STOP, _WAITS):
        if name in st.query_params:
            del st.query_params[name]


def draw_above(page: str) -> None:
    """Draw the line of the talk above a page, or on Watch without a talk the way back to the lesson that opened it.

    Lessons draws the line itself, below the menu with which a lesson is chosen.
    """
    if page == _LESSONS:
        return
    if page == "watch" and _current() is None:
        to_watch.draw_way_back()
    draw(page)


def draw(page: str) -> None:
    """Draw the line of the talk, after going to another stop if the viewer asked for it.

    page: its name; "" is a lesson, which has been chosen.
    """
    _follow()
    _catch_up(page)
    position = _current()
    if position is not None:
        slug = position.stop.lesson.slug
        waits = None if _is_at(position, page) else choosing.beat_shown_last(slug) + 1
        visit.write(position.parameters | {_WAITS: waits})
        _draw_at(position, page)


def beside(lesson: Lesson) -> dict[str, dict[str, str] | None]:
    """Return what is before and after a lesson as data for its card: the stops of the talk, or the next lesson."""
    position = _current()
    if position is None:
        return choosing.beside(lesson)
    if not _is_at(position, ""):
        return {"before": None, "next": _way(position, 0)}
    return {"before": _way(position, -1), "next": _way(position, 1)}


def _way(position: _Position, by: int) -> dict[str, str] | None:
    target = position.moved(by)
    slug = next(name for name, way in _WAYS.items() if way == by)
    return {"slug": f"{slug} from {position.number + 1}", "title": target.stop.title} if target else None


def is_stop(page: str) -> bool:
    """Return whether the page is the stop at which a talk is."""
    position = _current()
    return position is not None and _is_at(position, page)


def leave() -> None:
    """Go where the card has asked to, if it has: to a stop of the talk, or to a lesson."""
    asked = choosing.left_for()
    if asked is None:
        return
    name, _, left = asked.partition(" from ")
    position = _current()
    target = None
    if position is None or name not in _WAYS:
        choosing.ask_for(asked)
    elif left == str(position.number + 1):
        target = position.moved(_WAYS[name])
        if target is not None:
            _prepare(target, _BEGINS[_WAYS[name]])
    choosing.has_left()
    if target is not None and target.stop.page:
        _open_stop(target)
    if target is not None:
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
    """Return the position of the talk; None without one. The address begins a talk, and does not end it."""
    address, position = _linked(), _HERE.read()
    if position is None or (address is not None and position.path.slug != address.path.slug):
        _hold(address)
        if address is not None:
            _recall_beat(address)
        return address
    return position


def _recall_beat(position: _Position) -> None:
    """Take the beat of the stop from the address of a detour, which a visit may begin with."""
    beat = visit.whole_number(1, choosing.MOST_BEATS)(st.query_params.get(_WAITS, ""))
    if beat is not None:
        choosing.recall_beat(position.stop.lesson.slug, beat - 1)


def _is_at(position: _Position, page: str) -> bool:
    """Return whether a page is the stop, and no detour; "" is the lesson that has been chosen."""
    stop = position.stop
    return stop.page == page and (
        bool(page) or st.session_state.get(choosing.KEY) in (None, stop.lesson.slug)
    )


# Where a stop opens: at its start, at its end if the talk comes back to it, or as a detour left it
_Begins = Literal["start", "end", "left"]
_BEGINS: dict[int, _Begins] = {1: "start", -1: "end", 0: "left"}


def _prepare(position: _Position, begins: _Begins) -> None:
    """Put what a stop needs into the session. Call it before the controls of the choices are drawn."""
    _hold(position)
    stop = position.stop
    if not stop.page:
        to_watch.put_back()
        lesson = stop.lesson
        beats = {"start": 0, "end": len(lesson.beats) - 1, "left": choosing.beat_shown_last(lesson.slug)}
        choosing.ask_for(lesson.slug, beats[begins])
        return
    base = to_watch.carry(stop.lesson)
    if stop.page == "watch":
        if begins != "left":
            merges = stop.merges or int(
                stop.lesson.recipe.values.get("merges") or 0
            )  # that the keys make there
            token_grid.begin_at("watch", base, merges if begins == "end" else 0)
    elif stop.page == "compare":
        lanes.request_lanes(stop.lanes)
    else:
        put(controls.TEXT, stop.text)


def _follow() -> None:
    """Switch to the stop that was asked for, if one was."""
    target = _NEXT_STOP.read()
    if target is not None:
        _NEXT_STOP.forget()
        _open_stop(target)


def _catch_up(page: str) -> None:
    """Open the page of the talk's stop if this run belongs to the stop before it, whose page this is."""
    position, address = _current(), _linked()
    if position and address and position.stop.page != page == address.stop.page:
        _open_stop(position)


def _open_stop(position: _Position) -> NoReturn:
    """Switch to the page of a stop, with its position in the address."""
    page = position.stop.page or _LESSONS
    st.switch_page(navigation.file_of(page), query_params=position.parameters)


def _draw_at(position: _Position, page: str) -> None:
    """Draw the line on a page: of the stop, or of a detour with the way back to it."""
    stop, following = position.stop, position.moved(1)
    is_away = not _is_at(position, page)
    data = {
        "away": is_away,
        "title": stop.title,
        "number": position.number + 1,
        "of": len(position.path.stops),
        "minutes": position.path.minutes,
        "before": sum(other.minutes for other in position.path.stops[: position.number]),
        "notes": stop.speech,
        "next": following.stop.title if following else "",
        "group": _GROUPS.get(page, page),
        "merges": 0 if is_away else stop.merges,
        "keys": bool(stop.page) and not is_away,
    }
    _draw_bar(data, _request, _end)


def _draw_bar(data: Mapping[str, Any], move: Callable[[int], None], leave: Callable[[], None]) -> None:
    """Draw the line of a talk: where it is, and what takes the keys from stop to stop.

    data: {away, title, number, of, minutes, before, notes, next, group, merges, keys}; `away` says whether the page is
        a detour, `keys` whether it takes the keys of the group on: a lesson's card does so itself.
    move: called with 1 or −1 before the next run if the viewer goes on or back, with 0 if a detour ends.
    leave: called if the viewer ends the talk.
    """

    def moved() -> None:
        ways = {f"{way} from {data['number']}": by for way, by in (("next", 1), ("back", -1), ("return", 0))}
        asked = message.read(st.session_state.get(_BAR), "move", message.one_of(ways))
        if asked is not None:
            move(ways[asked])

    _COMPONENT(key=_BAR, data=dict(data), on_move_change=moved, on_leave_change=leave, height="content")
