"""Vocabulary: every token at a step, where it comes from and where it is used."""

import streamlit as st

from ui import navigation, page_link, step_slider, training
from ui.sidebar import sidebar
from ui.vocabulary import curves, table, token

navigation.enter()
page_link.read("vocabulary", table.LINK | curves.LINK | step_slider.LINK)
st.title("The vocabulary")
choice = sidebar.required()
trace = training.required_trace(choice.corpus, choice.recipe)
step = step_slider.at_step(trace)
entries = table.vocabulary(trace, choice, step)
table.draw(trace, choice, entries, step)
token.draw(trace, entries, step)
curves.draw(trace, choice, entries, step)
page_link.write(table.linked() | curves.linked(choice) | step_slider.linked(trace, step))
page_link.link_popover(of_sample=choice.source == "sample")
