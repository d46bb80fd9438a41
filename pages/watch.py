"""Watch: train on a text and see every merge happen."""

import streamlit as st

from bpe import Trace
from ui import navigation, training
from ui.components.pair_table import pair_table
from ui.components.token_grid import token_grid, window_start
from ui.show import tables
from ui.sidebar import sidebar
from ui.sidebar.sidebar import Choice
from ui.watch import details, watching


@st.fragment
def follow(trace: Trace, choice: Choice) -> None:
    """All that follows the step: the grid says where it rests, everything else is drawn for that step."""
    left, right = st.columns([13, 8], gap="medium")
    with left:
        feed = watching.feed(trace, choice, window_start("watch"))
        grid = token_grid(feed, key="watch", step=watching.step_to_begin_with(trace, choice), trace=trace)
    watching.remember(choice, grid.step)
    rows, total = tables.pair_rows(trace, grid.step)
    with right:
        pair = pair_table(rows, trace, grid.step, key="pairs", group="watch", total=total)
    watching.take(trace, grid.pick or pair)
    watching.picked(trace, choice.recipe)
    watching.what_if(trace, grid.step)
    details.tiles(trace, grid.step)
    details.curves(trace, rows, grid.step)
    details.details(trace, grid.step)
    watching.address(choice, grid.step)


navigation.enter()
st.title("Watch the merges")
choice = sidebar.chosen()
if choice.corpus is None:
    watching.teach(choice.problem)
    st.stop()
trace = training.required_trace(choice.corpus, choice.recipe)
if not trace.pre_tokens:
    watching.teach("There is nothing to merge: this pattern matches none of the text.")
    st.stop()
follow(trace, choice)
watching.notes(trace, choice)
