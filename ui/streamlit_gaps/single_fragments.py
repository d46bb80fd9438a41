"""Parts of a page that run alone, none of them inside another.

When a fragment begins to run, Streamlit 1.67 drops what that fragment has queued and not yet sent, but keeps what a
fragment inside it has queued (`ForwardMsgQueue.clear`). The browser then gets elements whose container never came, and
the page dies. So a part that is called inside another one belongs to that one: it runs when that one runs. If it should
run every few seconds, the one around it does, for as long as it contains such a part.

This can go when Streamlit drops the messages of inner fragments, too: docs/streamlit-faults.md has the fault in words.
"""

from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

import streamlit as st

from ui.streamlit_gaps.run_context import drawn_fragment, repeat_fragment
from ui.visit import Slot

_Parameters = ParamSpec("_Parameters")
_T = TypeVar("_T")

# The ids of the fragments that the browser runs again and again because of a part inside them
_REPEATED: Slot[set[str]] = Slot("_repeated_fragments", set)

# The shortest time, in seconds, after which a part inside the fragment that is drawn wants to run again; [] for none.
# None where no fragment is drawn.
_WISHES: ContextVar[list[float] | None] = ContextVar("wishes", default=None)


def fragment(draw: Callable[_Parameters, _T], *, run_every: float | None = None) -> Callable[_Parameters, _T]:
    """Return a part of a page that runs alone, and every `run_every` seconds. Inside another, it runs with that."""

    def draw_alone(*arguments: _Parameters.args, **named: _Parameters.kwargs) -> _T:
        wishes: list[float] = []
        before = _WISHES.set(wishes)
        try:
            result = draw(*arguments, **named)
        finally:
            _WISHES.reset(before)
        _repeat(min(wishes, default=None))
        return result

    alone: Callable[_Parameters, _T] = st.fragment(wraps(draw)(draw_alone), run_every=run_every)

    @wraps(draw)
    def part(*arguments: _Parameters.args, **named: _Parameters.kwargs) -> _T:
        wishes = _WISHES.get()
        if wishes is None:
            return alone(*arguments, **named)
        if run_every is not None:
            wishes.append(run_every)
        return draw(*arguments, **named)

    return part


def _repeat(seconds: float | None) -> None:
    """Let the browser run the fragment that is drawn now after so many seconds, again and again; None: no longer."""
    name, repeated = drawn_fragment(), _REPEATED.read()
    if seconds is None and name not in repeated:
        return
    (repeated.discard if seconds is None else repeated.add)(name)
    repeat_fragment(name, seconds)
