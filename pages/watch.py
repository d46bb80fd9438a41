"""Watch: train on a text and watch every merge, forwards and backwards."""

import streamlit as st

from bpe import Trace
from ui.choices import choices
from ui.gaps.first_frame import first_frame, later
from ui.page_parts.watch import details, notes, stage
from ui.page_parts.watch.notes import draw_notes, draw_nothing_to_watch
from ui.shown import frames, navigation, same_text
from ui.shown.saving import draw_share
from ui.shown.token_count import draw_way_to_rows
from ui.trainings import training
from ui.trainings.memory_budget import fragment


@fragment
def _follow(trace: Trace, choice: choices.Choice) -> int:
    """Draw the stage and everything that depends on the step at which it rests, and return that step."""
    step = stage.draw(trace, choice)
    if count := notes.token_count(trace, choice):
        draw_way_to_rows(count, "watch")
    if first_frame("watch"):
        details.draw(trace, choice, step)
    return step


navigation.enter()
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
same_text.draw(choice.corpus.reading_text, same_text.TOKENIZERS, same_text.ENCODE, same_text.BYTES)
