"""One sentence where a page, or a part of it, needs more memory than the app may use."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import streamlit as st

from bpe import BPEError

Parameters = ParamSpec("Parameters")
T = TypeVar("T")
SENTENCE = "This page needs more memory than the app may use. Use a shorter text."


def says_when_full(draw: Callable[Parameters, T]) -> Callable[Parameters, T | None]:
    """Return a function that draws the same. If memory does not suffice, it shows one sentence and returns None."""

    @wraps(draw)
    def guarded(*arguments: Parameters.args, **named: Parameters.kwargs) -> T | None:
        try:
            return draw(*arguments, **named)
        except MemoryError as error:
            st.error(str(error) or SENTENCE)
        except BPEError as error:  # such as a pattern that takes too long on the text of the grid
            st.error("This cannot be drawn for this text.")
            st.text(str(error))  # literally: it may quote the visitor's pattern
        return None

    return guarded


def fragment(
    draw: Callable[Parameters, T], *, run_every: float | None = None
) -> Callable[Parameters, T | None]:
    """Return a part of a page that runs alone. If memory does not suffice, it shows one sentence.

    Streamlit would show no reason.
    """
    part: Callable[Parameters, T | None] = st.fragment(says_when_full(draw), run_every=run_every)
    return part
