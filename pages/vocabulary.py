"""Vocabulary: every token at a step, where it comes from and where it is used."""

import streamlit as st

from ui import navigation, step_slider, visit
from ui.saving import export_tokenizer
from ui.sidebar import sidebar
from ui.sidebar.links import shown_link
from ui.streamlit_gaps.first_frame import first_frame
from ui.trainings import training
from ui.vocabulary import held_out_text, token_search, trimming_tab
from ui.vocabulary.audit import reference
from ui.vocabulary.chart_tabs import chart_tabs
from ui.vocabulary.token_details import token_details
from ui.vocabulary.token_table import token_table, vocabulary_at

navigation.enter()
visit.read(
    "vocabulary",
    token_search.LINK | held_out_text.LINK | trimming_tab.LINK | reference.LINK | step_slider.LINK,
)
st.title("The vocabulary")
choice = sidebar.required()
trace = training.required_trace(choice.corpus, choice.recipe)
step = step_slider.at_step(trace)
vocabulary = vocabulary_at(trace, choice, step)
token_table(trace, choice, vocabulary, step)
token_details(trace, vocabulary, step)
if first_frame("vocabulary", grid=False):
    chart_tabs(trace, choice, vocabulary, step)
visit.write(
    token_search.linked()
    | held_out_text.linked()
    | trimming_tab.linked()
    | reference.linked()
    | step_slider.linked(trace, step)
)
with st.container(horizontal=True):
    shown_link.link_popover(fragment=choice.fragment)
    export_tokenizer(trace, step)
