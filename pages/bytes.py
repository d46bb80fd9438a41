"""Bytes: from characters to code points, bytes and tokens."""

import streamlit as st

from ui import at_step, navigation, page_link, state, training, watching
from ui.bytes_view import parts, text

navigation.enter()
page_link.read("bytes", text.LINK | parts.LINK | at_step.LINK)
st.title("From characters to bytes to tokens")
choice = state.chosen()
if choice.corpus is None:
    watching.teach(choice.problem)
    st.stop()
trace = training.required_trace(choice.corpus, choice.recipe)
typed = text.draw()
left, right = st.columns(2, gap="large")
with left:
    form = text.choose_form()
with right:
    step = at_step.at_step(trace)
tokenizer = at_step.tokenizer(trace, choice, step)
if typed:
    parts.rows(text.window(text.in_form(typed, form)), tokenizer)
    parts.forms(typed, tokenizer)
else:
    st.info(
        "Type a text above, or take an example: every character is one or more bytes, and merges join bytes."
    )
parts.spectrum_part(trace, tokenizer)
page_link.write(text.linked() | at_step.linked(trace, step))
page_link.offer(of_sample=choice.source == "sample")
