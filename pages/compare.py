"""Compare: rules and real trainers side by side on one text, and whether the difference matters."""

import streamlit as st

from ui import navigation, page_link, training
from ui.compare import controls, sections
from ui.compare.comparison import compared
from ui.compare.lanes import FEWEST
from ui.sidebar import sidebar

navigation.enter()
choice = sidebar.required(title="Does the tie-break matter here?")
controls.take_over()
lanes = controls.chosen(choice)
if len(lanes) < FEWEST:
    sections.teach()
    st.stop()
traces = training.required_traces(choice.corpus, [lane.recipe for lane in lanes])
lanes = controls.named(lanes, traces)
comparison = compared(choice.corpus, lanes, traces, controls.test_text())
sections.verdicts(comparison)
controls.branches(lanes, traces)
sections.lanes(comparison, choice.step if page_link.began_on_this_page() else None)
sections.became(comparison)
sections.details(comparison, choice.recipe)
