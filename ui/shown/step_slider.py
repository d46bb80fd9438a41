"""The step slider of every page that shows the vocabulary at a step, and the tokenizer at that step."""

import streamlit as st

from bpe import Trace
from bpe.encoding.tokenizer import Tokenizer
from ui.choices.choices import Choice
from ui.trainings.recipe import signature
from ui.trainings.settings import MOST_MERGES
from ui.view import visit
from ui.view.origin import words_of
from ui.view.visit import Slot, nothing

# The number of merges that the slider ended at when it was last drawn
_SLIDER_END: Slot[int | None] = Slot("_at_step_last", nothing)

_KEY = "at_step"
LINK = {"k": (_KEY, visit.whole_number(0, MOST_MERGES))}


def chosen_step(trace: Trace) -> int:
    """Return the step before the slider is drawn. It follows the last merge until the viewer moves it from the end."""
    last = len(trace.steps)
    before = _SLIDER_END.read()
    step = st.session_state.get(_KEY, last)
    st.session_state[_KEY] = last if before is not None and step == before else min(step, last)
    _SLIDER_END.write(last)
    return int(st.session_state[_KEY])


def at_step(trace: Trace) -> int:
    """Draw the slider and return the step."""
    chosen_step(trace)
    last = len(trace.steps)
    if not last:
        st.caption("No merges yet: the vocabulary is the alphabet, the smallest pieces of the text.")
        return 0
    return int(
        st.slider(
            "Number of merges used",
            0,
            last,
            key=_KEY,
            persist_state="session",
            help=words_of(trace.origin).slider,
        )
    )


def linked(trace: Trace, step: int) -> dict[str, str | int | None]:
    """Return the link parameters for the step; empty at the last merge."""
    return {"k": None if step == len(trace.steps) else step}


def cache_key(trace: Trace, choice: Choice, step: int) -> tuple[str, int, int]:
    """Return a cache key for anything derived from the trace at a step."""
    return signature(choice.corpus, choice.recipe), len(trace.steps), step


def tokenizer(trace: Trace, choice: Choice, step: int) -> Tokenizer:
    """Return the trace's tokenizer at a step."""
    return _tokenizer(cache_key(trace, choice, step), trace)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _tokenizer(key: tuple[str, int, int], _trace: Trace) -> Tokenizer:
    """Build the tokenizer. A session caches the last one, since building it reads the whole vocabulary."""
    return _trace.tokenizer(key[-1])
