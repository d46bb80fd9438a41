"""Vocabulary: every token at a step, where it comes from and where it is used."""

import streamlit as st

from ui import at_step, navigation, page_link, state, training, watching
from ui.vocabulary import curves, table, token

navigation.enter()
page_link.read("vocabulary", table.LINK | curves.LINK | at_step.LINK)
st.title("The vocabulary")
choice = state.chosen()
if choice.corpus is None:
    watching.teach(choice.problem)
    st.stop()
trace = training.required_trace(choice.corpus, choice.recipe)
step = at_step.at_step(trace)
found = table.vocabulary(trace, choice, step)
table.draw(trace, choice, found, step)
token.draw(trace, found, step)
curves.draw(trace, choice, found, step)
page_link.write(table.linked() | curves.linked(choice) | at_step.linked(trace, step))
page_link.offer(of_sample=choice.source == "sample")
