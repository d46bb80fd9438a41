"""After how many merges: one control for every page that looks at the vocabulary at a step, and its tokenizer."""

import streamlit as st

from bpe import Trace
from bpe.encoding.tokenizer import Tokenizer
from ui import page_link
from ui.sidebar.recipe import signature
from ui.sidebar.settings import MOST_MERGES
from ui.sidebar.sidebar import Choice

KEY = "at_step"
LINK = {"k": (KEY, page_link.whole_number(0, MOST_MERGES))}


def at_step(trace: Trace) -> int:
    """The slider; it follows the last merge until the viewer moves it, and again once moved to the end."""
    last = len(trace.steps)
    before = st.session_state.get("_at_step_last")
    chosen = st.session_state.get(KEY, last)
    st.session_state[KEY] = last if before is not None and chosen == before else min(chosen, last)
    st.session_state["_at_step_last"] = last
    if not last:
        st.caption("There is no merge yet: the vocabulary is the alphabet.")
        return 0
    step = st.slider(
        "After so many merges",
        0,
        last,
        key=KEY,
        persist_state="session",
        help="How much of the training counts: its first merges, in order. All of them to begin with.",
    )
    return int(step)


def linked(trace: Trace, step: int) -> dict[str, str | int | None]:
    """What the link says of it: nothing while all merges count."""
    return {"k": None if step == len(trace.steps) else step}


def name_of(trace: Trace, choice: Choice, step: int) -> tuple[str, int, int]:
    """What a thing made of the trace at a step is kept under: equal for the same training and step only."""
    return signature(choice.corpus, choice.recipe), len(trace.steps), step


def tokenizer(trace: Trace, choice: Choice, step: int) -> Tokenizer:
    """The trace's tokenizer at a step; the last one asked for is kept, as making one reads the whole vocabulary."""
    name = name_of(trace, choice, step)
    kept = st.session_state.get("_tokenizer")
    if kept is None or kept[0] != name:
        kept = (name, trace.tokenizer(step))
        st.session_state["_tokenizer"] = kept
    made = kept[1]
    assert isinstance(made, Tokenizer)
    return made
