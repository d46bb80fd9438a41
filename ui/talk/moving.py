"""From stop to stop of a talk: put a lesson's text and settings into the sidebar, and switch to the stop's page."""

from typing import NoReturn

import streamlit as st

from ui.compare.choice import lane_state
from ui.components import grid_memory
from ui.encode import controls
from ui.lessons import choosing, own_settings, to_watch
from ui.lessons.overview.curriculum import Stop
from ui.shell import navigation
from ui.talk.position import STOP, TALK, Position, current, hold, linked
from ui.visit import page_link
from ui.visit.slot import Slot, nothing

# The stop that the next run of the app opens
NEXT_STOP: Slot[Position | None] = Slot("_talk_next", nothing)

LESSONS = "lessons"


def request(by: int) -> None:
    """Ask for another stop, and prepare its page. A callback, since the sidebar is drawn before the page."""
    position = current()
    target = position.moved(by) if position else None
    if target is None:
        return
    prepare(target, backwards=by < 0)
    NEXT_STOP.write(target)


def prepare(position: Position, *, backwards: bool = False) -> None:
    """Put what a stop needs into the session. Call it before the sidebar's controls are drawn.

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
        grid_memory.begin_at("watch", base, merges_of(stop) if backwards else 0)
    elif stop.page == "compare":
        lane_state.request_lanes(stop.lanes)
    else:
        controls.set_text(stop.text)


def merges_of(stop: Stop) -> int:
    """Return how many merges the keys make on the page of a stop."""
    return stop.merges or int(stop.lesson.recipe.values.get("merges") or 0)


def follow() -> None:
    """Switch to the stop that was asked for, if one was."""
    target = NEXT_STOP.read()
    if target is not None:
        NEXT_STOP.forget()
        open_stop(target)


def catch_up(page: str) -> None:
    """Open the page of the talk's stop if this run belongs to the stop before it, whose page this is."""
    position, address = current(), linked()
    if position and address and position.stop.page != page == address.stop.page:
        open_stop(position)


def open_stop(position: Position) -> NoReturn:
    """Switch to the page of a stop, with its position in the address."""
    page = position.stop.page or LESSONS
    st.switch_page(navigation.file_of(page), query_params=position.parameters)


def begin_on_lessons() -> Position | None:
    """Return the talk's position on the page Lessons, after opening the stop that a link names; None without a talk."""
    is_new = "lesson" not in st.query_params  # a link was followed, and no lesson is drawn yet
    if is_new:
        hold(linked())
    position = current()
    if position is None:
        return None
    if position.stop.page:
        prepare(position)
        open_stop(position)
    page_link.write(position.parameters)
    if is_new:
        choosing.ask_for(position.stop.lesson.slug, choosing.beat_shown_last(position.stop.lesson.slug))
    return position


def end() -> None:
    """Leave the talk: the address forgets it. A callback."""
    for name in (TALK, STOP):
        if name in st.query_params:
            del st.query_params[name]
