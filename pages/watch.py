"""Watch: train on a text and see every merge happen."""

import streamlit as st

from bpe import Trace
from ui import frames, navigation, same_text, talk
from ui.choices import choices
from ui.components.token_grid import grid_transport, token_grid, window_start
from ui.saving import draw_share
from ui.streamlit_gaps.first_frame import first_frame, later
from ui.trainings import training
from ui.watch import details, notes, what_if
from ui.watch.grid_feed import first_options, grid_feed, remembered_as, start_step, subject
from ui.watch.notes import draw_notes, draw_nothing_to_watch
from ui.work.memory_budget import fragment


@fragment
def _follow(trace: Trace, choice: choices.Choice) -> int:
    """Draw the grid and everything that depends on the step at which it rests, and return that step."""
    text, transport, table, ways = details.stage(trace, choice)
    with text:
        grid = token_grid(
            grid_feed(trace, choice, window_start("watch")),
            key="watch",
            step=start_step(trace, choice),
            trace=trace,
            remembered_as=remembered_as(trace, choice),
            linked=True,
            numbers=True,
            options=first_options(choice),
            subject=subject(trace, choice),
        )
    with transport:
        grid_transport("watch", key="watch_transport")
    with table:
        pair = details.beside(trace, choice, grid.step)
    what_if.take(trace, choice, grid.pick or pair)
    if first_frame("watch"):
        details.draw(trace, choice, grid.step, ways)
    return grid.step


navigation.enter()
talk.draw_on_watch()
choice = choices.required()
trace = training.required_trace(choice.corpus, choice.recipe)
if not trace.pre_tokens:
    choices.offer_sample("There is nothing to merge, because the pattern matches none of the text.")
    st.stop()
notes.draw_replay(trace, choice)
draw_nothing_to_watch(trace)
step = _follow(trace, choice)
draw_notes(trace, choice)
frames.open_asked()
if step is not None:
    # Opening it runs the whole page, so its parts are of the step at which the grid then rests.
    with navigation.share_place(), later():
        draw_share("watch", details.shared_parts(trace, choice, step))
same_text.draw(choice.corpus.reading_text, same_text.ENCODE, same_text.BYTES)
