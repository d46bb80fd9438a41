"""Bytes: from characters to code points, bytes and tokens."""

import streamlit as st

from ui import navigation, page_link, step_slider, training
from ui.bytes import inspected_text, sections
from ui.sidebar import sidebar

navigation.enter()
page_link.read("bytes", inspected_text.LINK | sections.LINK | step_slider.LINK)
st.title("From characters to bytes to tokens")
choice = sidebar.required()
trace = training.required_trace(choice.corpus, choice.recipe)
typed = inspected_text.draw()
left, right = st.columns(2, gap="large")
with left:
    form = inspected_text.choose_form()
with right:
    step = step_slider.at_step(trace)
tokenizer = step_slider.tokenizer(trace, choice, step)
if typed:
    sections.rows(inspected_text.window(inspected_text.in_form(typed, form)), tokenizer)
    sections.forms(typed, tokenizer)
else:
    st.info(
        "Type a text above, or take an example: every character is one or more bytes, and merges join bytes."
    )
sections.spectrum_part(trace, tokenizer)
page_link.write(inspected_text.linked() | step_slider.linked(trace, step))
page_link.link_popover(of_sample=choice.source == "sample")
