"""Bytes: from characters to code points, bytes and tokens."""

from functools import partial

import streamlit as st

from ui.bytes import byte_recipe, normal_forms, spectrum_section, text_field
from ui.bytes.unicode_rows import unicode_rows
from ui.shell import navigation, step_slider
from ui.sidebar import sidebar
from ui.sidebar.links import shown_link
from ui.trainings import training
from ui.visit import page_link

navigation.enter()
page_link.read("bytes", text_field.LINK | normal_forms.LINK | spectrum_section.LINK | step_slider.LINK)
st.title("From characters to bytes to tokens")
choice = sidebar.required()
trace = training.required_trace(choice.corpus, choice.recipe)
typed = text_field.text_field()
left, right = st.columns([3, 2], gap="medium")  # at 1024 pixels all five forms are beside each other
with left:
    form = normal_forms.choose_form()
with right:
    step = step_slider.at_step(trace)
tokenizer = step_slider.tokenizer(trace, choice, step)
if typed:
    part = text_field.window(normal_forms.in_form(typed, form))
    unicode_rows(part, tokenizer, partial(byte_recipe.switch, choice.recipe))
    normal_forms.form_table(typed, tokenizer)
else:
    st.info("Type a text above, or choose an example. Every character is one or more bytes.")
spectrum_section.spectrum_section(trace, tokenizer)
page_link.write(text_field.linked() | normal_forms.linked() | step_slider.linked(trace, step))
shown_link.link_popover(fragment=choice.fragment)
