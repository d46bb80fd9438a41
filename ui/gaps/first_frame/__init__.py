"""What is not on the first screen waits until that is alive, so that its scripts load afterwards.

Streamlit loads the code of each kind of element as soon as it hears of one. So a page draws its grid, then this
component, and the rest only when the browser has said that the grid has drawn a frame. On the first page of a visit the
menus of the choices and those beside a title wait, too: what draws them runs first, since Python needs their values
before it can draw the page, and what it sends is held back. Where the names below are gone, nothing is held back.

Streamlit lacks an order of loading, and one of sending other than that of drawing; no issue of Streamlit's asks for
them. This can go when it has both.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from ui.gaps.held_address import keep_history
from ui.gaps.put_before import log_missing
from ui.view import component as message
from ui.view.component import component
from ui.view.visit import OPENING_SAMPLES, Slot

# Whether a page is drawn in one run, since no browser is there to draw a first frame.
DRAWS_AT_ONCE: Slot[bool] = Slot("_draws_at_once", bool)

# Whether a first screen of this visit has been alive, with the other parts or about to get them
WAS_ALIVE: Slot[bool] = Slot("_was_alive", bool)

# Whether the browser has not received the other parts yet
LACKS_PARTS: Slot[bool] = Slot("_lacks_parts", bool)
_HELD: ContextVar[_HeldParts | None] = ContextVar("held", default=None)
_COMPONENT = component("first_frame", Path(__file__).parent)


def first_frame(key: str, *, grid: bool = True) -> bool:
    """Return whether the browser has drawn what is above; it asks for another run as soon as it has.

    `key` is the page's: another page waits for its own first frame. `grid`: whether there is a grid above.
    """
    if DRAWS_AT_ONCE.read():
        return True
    data = {"grid": grid, "naming": list(OPENING_SAMPLES)}
    result = _COMPONENT(key=f"first_frame_{key}", data=data, on_drawn_change=_note_alive, height=1)
    drawn = message.read(result, "drawn", lambda value: value if value is True else None) is True
    if not drawn and (held := _HELD.get()):
        held.wait = True
        WAS_ALIVE.write(False)
        LACKS_PARTS.write(True)
    if drawn and LACKS_PARTS.read():  # a fragment of the page was asked for; the menus are outside of it
        st.rerun()
    return drawn


def wait_once_drawn(key: str) -> None:
    """Let the parts that are held back wait until the page is drawn, if they wait for nothing else on it.

    The browser asks for another run then in any case, since it keeps the history.
    """
    if (held := _HELD.get()) and not held.wait:
        first_frame(key, grid=False)


def draws_at_once() -> bool:
    """Return whether a page is drawn in one run."""
    return DRAWS_AT_ONCE.read()


@contextmanager
def first_screen_first() -> Iterator[None]:
    """Draw a page in the `with`. On the first page of a visit, what is drawn in `later` is not sent at first.

    If that page does not wait for a first frame, or ends before it, the other parts are sent when it has been drawn.
    """
    if DRAWS_AT_ONCE.read() or WAS_ALIVE.read():
        with TURNS.turn() if LACKS_PARTS.read() else nullcontext():
            yield
        return
    WAS_ALIVE.write(True)  # after `st.stop`, Streamlit lets nobody write
    held = _HeldParts()
    before = _HELD.set(held)
    try:
        with TURNS.turn():
            yield
    finally:
        _HELD.reset(before)
        if not held.wait:
            for send in held.senders:
                send()


@contextmanager
def later() -> Iterator[Callable[[], None]]:
    """Draw parts of a page that its first frame need not wait for. Yield a function that sends them nevertheless."""
    held = _HELD.get()
    if held is None:
        yield lambda: None
        LACKS_PARTS.write(False)
        return
    with _held_back() as send:
        held.senders.append(send)
        yield send


@dataclass(slots=True)
class _Turns:
    """Turns to draw a first screen: of many visitors who come at once, a few are drawn at a time.

    Else whoever is there already would wait for each step as long as for sixty pages.
    """

    at_once: int = 2
    most: float = 1.0  # seconds until somebody else may begin anyway, since a page may wait for a training
    patience: float = 8.0  # seconds; whoever has waited so long waits no more
    _ends: dict[object, float] = field(default_factory=dict)  # of the turns, on the monotonic clock
    _waiting: int = 0  # visitors
    _ended: threading.Condition = field(default_factory=threading.Condition)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and have it in the `with`."""
        turn = object()
        with self._ended:
            now = time.monotonic()
            until = now + self.patience
            self._waiting += 1
            while now < until and len(others := self._running(now)) >= self.at_once:
                self._ended.wait(min(*others, until) - now)
                now = time.monotonic()
            self._waiting -= 1
            self._ends[turn] = now + self.most
        try:
            yield
        finally:
            with self._ended:
                del self._ends[turn]
                self._ended.notify_all()

    def stand_back(self, until: float) -> None:
        """Wait while visitors wait for their turn, at most until this time on the monotonic clock.

        For work that no first screen needs.
        """
        with self._ended:
            self._ended.wait_for(lambda: not self._waiting, max(0.0, until - time.monotonic()))

    def _running(self, now: float) -> list[float]:
        return [end for end in self._ends.values() if end > now]


TURNS = _Turns()  # of all visitors


@dataclass(slots=True)
class _HeldParts:
    """The parts of a run that are held back."""

    senders: list[Callable[[], None]] = field(default_factory=list)
    wait: bool = False  # for the first frame; else they are sent when the page has been drawn


def _note_alive() -> None:
    WAS_ALIVE.write(True)
    keep_history()


@contextmanager
def _held_back() -> Iterator[Callable[[], None]]:
    """Hold back what is drawn in the `with`. Yield a function that sends it, if it is still to come in this run."""
    context = _context()
    if context is None:
        yield lambda: None
        return
    messages: list[Any] = []
    pass_on = context._enqueue
    runner = pass_on.__self__

    def send() -> None:
        # A run that `st.stop` has ended would end again at the first message, as if it were still executing the page.
        executing, runner._execing = runner._execing, False
        try:
            while messages:
                pass_on(messages.pop(0))
        finally:
            runner._execing = executing

    def hold(message: Any) -> None:
        # Everything but elements, such as a change of the address, is no part of the page.
        (messages.append if message.WhichOneof("type") in ("delta", "ref_hash") else pass_on)(message)

    context._enqueue = hold
    try:
        yield send
    finally:
        context._enqueue = pass_on


def _context() -> Any:
    """Return the run's context, which passes messages on; None if it has another form, or without a run."""
    try:
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        context: Any = get_script_run_ctx(suppress_warning=True)
        return (
            context if context is not None and isinstance(context._enqueue.__self__._execing, bool) else None
        )
    except (ImportError, AttributeError) as error:
        _log_once(str(error))
        return None


@cache
def _log_once(problem: str) -> None:
    log_missing("an order in which the grid comes first", AttributeError(problem))
