"""Compare: tie-breaking rules and real trainers side by side on the same text."""

import streamlit as st

from bpe.comparison.lanes import FEWEST
from ui.choices import choices
from ui.choices.held_out_choice import LINK
from ui.choices.link import began_on_this_page
from ui.gaps.first_frame import first_frame
from ui.page_parts.compare import answer, held_out_text, lane_menu, stage
from ui.page_parts.compare.comparison import comparison_of
from ui.page_parts.compare.details import details
from ui.page_parts.compare.lane_menu import choose_lanes
from ui.page_parts.compare.lanes import put_requested_lanes
from ui.page_parts.compare.stage import finished, shared_parts
from ui.shown import navigation, same_text
from ui.shown.saving import draw_share
from ui.trainings import training
from ui.view import visit

navigation.enter()
visit.read("compare", LINK)
choice = choices.required()
put_requested_lanes()
lanes = choose_lanes(choice, navigation.own_menu())
if len(lanes) < FEWEST:
    answer.introduction()
    st.stop()
corpus, held_out = held_out_text.split_corpus(choice.corpus, lanes)
visit.write(held_out_text.linked(choice.corpus, lanes))
progress = training.progress_of(corpus, [lane.recipe for lane in lanes])
traces = finished(corpus, lanes, progress)
if traces is None:
    st.stop()
lanes = lane_menu.with_names(lanes, traces)
comparison = comparison_of(corpus, lanes, traces, held_out)
# Measuring can take a second and would slow down the server while the browser loads the scripts of the lanes. So the
# answer comes after their first frame, into a place that is there before it.
verdict = answer.place(comparison)
linked = choice.step if began_on_this_page() else None
stage.draw(comparison, linked)
if not first_frame("compare"):
    st.stop()
with verdict:
    answer.verdict_section(comparison, choice.recipe)
lane_menu.branch_controls(lanes, traces)
answer.named_texts(comparison)
details(comparison, choice)
with navigation.share_place():
    draw_share("compare", shared_parts(comparison, choice, linked))
same_text.draw(choice.corpus.reading_text, same_text.TOKENIZERS, same_text.ENCODE, same_text.BYTES)
