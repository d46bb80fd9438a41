"""Bytes: from characters to code points, bytes and tokens."""

from functools import partial

import streamlit as st

from ui.choices import choices
from ui.choices.share_file import draw_link
from ui.page_parts import bytes_page
from ui.shown import navigation, same_text, step_slider
from ui.shown.saving import draw_share
from ui.trainings import training
from ui.trainings.corpus import MOST_IN_BYTES
from ui.view import visit

navigation.enter()
visit.read("bytes", bytes_page.TEXT_LINK | bytes_page.FORM_LINK | step_slider.LINK)
choice = choices.required()
trace = training.required_trace(choice.corpus, choice.recipe) if choice.finished is None else None
with navigation.page_field():
    typed = bytes_page.text_field(choice)
beginning = typed[:MOST_IN_BYTES]
bytes_page.draw_examples()
rows = st.container()
left, right = st.columns([3, 2], gap="medium")  # at 1024 pixels all five forms are beside each other
with left:
    form = bytes_page.choose_form(beginning)
with right:
    tokenizer, step = bytes_page.choose_tokenizer(trace, choice)
if typed:
    with rows:
        shown = bytes_page.window(bytes_page.in_form(beginning, form), is_cut=beginning != typed)
        bytes_page.draw_text(shown, tokenizer, choice, step)
else:
    rows.info("Type a text above, or choose an example. Every character is one or more bytes.")
bytes_page.link_text()
visit.write(bytes_page.linked_form() | {"k": step})
with navigation.share_place():
    draw_share("bytes", {"Link": partial(draw_link, choice.corpus, choice.recipe, choice.fragment)})
same_text.draw(typed, same_text.TRAIN, same_text.TOKENIZERS, same_text.ENCODE)
