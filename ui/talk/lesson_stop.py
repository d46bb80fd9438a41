"""A lesson as a stop of a talk: what is before and after it, and how its card goes there."""

import streamlit as st

from ui.lessons import Lesson, choosing
from ui.talk import moving
from ui.talk.position import on_page
from ui.visit import page_link

BACK, ON = "talk back", "talk on"  # what the card asks for in place of a lesson


def beside(lesson: Lesson) -> dict[str, dict[str, str] | None]:
    """Return what is before and after a lesson as data for its card: the stops of the talk, or the next lesson."""
    position = on_page("")
    if position is None:
        return choosing.beside(lesson)
    before, after = position.moved(-1), position.moved(1)
    return {
        "before": {"slug": BACK, "title": before.stop.title} if before else None,
        "next": {"slug": ON, "title": after.stop.title} if after else None,
    }


def leave(asked: str) -> None:
    """Go where the card asks to: to a stop of the talk, or to a lesson."""
    position = on_page("")
    if position is None or asked not in (BACK, ON):
        choosing.ask_for(asked)
        st.rerun()
    target = position.moved(1 if asked == ON else -1)
    if target is None:
        return
    moving.prepare(target, backwards=asked == BACK)
    if target.stop.page:
        moving.open_stop(target)
    page_link.write(target.parameters)
    st.rerun()
