"""What is not on the first screen waits until that is alive, so that its scripts load afterwards.

Streamlit loads a chart's code, 4.7 MB, as soon as it hears of a chart. So a page draws its grid, then this component,
and the rest only when the browser has said that the grid has drawn a frame. On the first page of a visit the sidebar
and the menus beside a title wait, too: `later_parts` holds them back.

Streamlit lacks an order of loading, and no issue of Streamlit's asks for one. This can go when it has one.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import streamlit as st

from ui.components import message
from ui.components.component import component
from ui.streamlit_gaps.first_frame.later_parts import held_back
from ui.visit.slot import Slot

# Whether a page is drawn in one run, since no browser is there to draw a first frame.
DRAWS_AT_ONCE: Slot[bool] = Slot("_draws_at_once", bool)
# Whether a first screen of this visit has been alive, with the other parts or about to get them
WAS_ALIVE: Slot[bool] = Slot("_was_alive", bool)
# Whether the run's page waits for its first frame
WAITS: Slot[bool] = Slot("_waits_for_first_frame", bool)
# Whether the browser has not received the other parts yet
LACKS_PARTS: Slot[bool] = Slot("_lacks_parts", bool)
# What sends the parts of this run that wait; None if none has to
_SENDERS: ContextVar[list[Callable[[], None]] | None] = ContextVar("_senders", default=None)
_COMPONENT = component("first_frame", Path(__file__).parent)


def first_frame(key: str, *, grid: bool = True) -> bool:
    """Return whether the browser has drawn what is above; it asks for another run as soon as it has.

    `key` is the page's: another page waits for its own first frame. `grid`: whether there is a grid above.
    """
    if DRAWS_AT_ONCE.read():
        return True
    result = _COMPONENT(key=f"first_frame_{key}", data={"grid": grid}, on_drawn_change=_note_alive, height=1)
    drawn = message.read(result, "drawn", _true) is True
    WAITS.write(not drawn)
    if drawn and LACKS_PARTS.read():  # a fragment of the page was asked for; the sidebar is outside of it
        st.rerun()
    return drawn


def _note_alive() -> None:
    WAS_ALIVE.write(True)


@contextmanager
def first_screen_first() -> Iterator[None]:
    """Draw a page in the `with`. On the first page of a visit, what is drawn in `later` is not sent at first.

    If that page does not wait for a first frame, or ends before it, the other parts are sent when it has been drawn.
    """
    if DRAWS_AT_ONCE.read() or WAS_ALIVE.read():
        yield
        return
    WAITS.write(False)
    senders: list[Callable[[], None]] = []
    before = _SENDERS.set(senders)
    try:
        yield
    finally:
        _SENDERS.reset(before)
        LACKS_PARTS.write(WAITS.read())
        if not WAITS.read():
            WAS_ALIVE.write(True)
            for send in senders:
                send()


@contextmanager
def later() -> Iterator[Callable[[], None]]:
    """Draw parts of a page that its first frame need not wait for. Yield a function that sends them nevertheless."""
    senders = _SENDERS.get()
    if senders is None:
        yield lambda: None
        LACKS_PARTS.write(False)
        return
    with held_back() as send:
        senders.append(send)
        yield send


def lacks_parts() -> bool:
    """Return whether an earlier run has drawn the sidebar and the browser has not received it yet."""
    return LACKS_PARTS.read()


def _true(value: object) -> bool | None:
    return True if value is True else None
