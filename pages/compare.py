"""Compare: rules and real trainers side by side on one text, and whether the difference matters."""

import streamlit as st

from ui import navigation, page_link, training
from ui.compare import controls, sections
from ui.compare.comparison import compared
from ui.compare.lanes import FEWEST
from ui.sidebar import sidebar
from ui.watch import watching

navigation.enter()
choice = sidebar.chosen()
if choice.corpus is None:
    st.title("Does the tie-break matter here?")
    watching.teach(choice.problem)
    st.stop()
controls.take_over()
lanes = controls.chosen(choice)
if len(lanes) < FEWEST:
    sections.teach()
    st.stop()
traces = training.required_traces(choice.corpus, [lane.recipe for lane in lanes])
lanes = controls.named(lanes, traces)
found = compared(choice.corpus, lanes, traces, controls.test_text())
sections.verdicts(found)
controls.branches(lanes, traces)
sections.lanes(found, choice.step if page_link.led_here() else None)
sections.became(found)
sections.details(found, choice.recipe)
