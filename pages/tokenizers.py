"""Tokenizers: how GPT-4o, Qwen, DeepSeek and others read your words, and what texts cost in fourteen languages."""

from functools import partial

import streamlit as st

from ui.choices import choices
from ui.choices.share_file import draw_link
from ui.gaps.first_frame import first_frame
from ui.page_parts import tokenizers_page
from ui.page_parts.languages import choices as asked
from ui.page_parts.languages import curves, results
from ui.shown import navigation
from ui.shown.saving import draw_share
from ui.view import visit

navigation.enter()
visit.read("tokenizers", tokenizers_page.TEXT_LINK | asked.LINK)
choice = choices.last_choice()
with navigation.page_field():
    text = tokenizers_page.text_field(choice)
is_whole = tokenizers_page.draw_rows(text, choice)
if choice:
    with navigation.share_place():
        draw_share("tokenizers", {"Link": partial(draw_link, choice.corpus, choice.recipe, choice.fragment)})
if not first_frame("tokenizers", grid=False) or not asked.begins(is_whole):
    st.stop()
st.header("What the same text costs in fourteen languages", anchor=False)
finding = st.container()
chosen = asked.draw(choice)
if chosen.uses_choice:
    # Then the line is shown that opens to the viewer's own text and training.
    st.container(key="trains_here").empty()
named = asked.opened(chosen.tokenizers, choice)
if not chosen.tokenizers:
    st.info("Choose at least one tokenizer. Files that you open on other pages are offered here too.")
    st.stop()
if not named:
    st.info("There is no tokenizer to train with: open its file above, or choose another one.")
    st.stop()
results.draw(chosen, named, results.measured_texts(named, chosen.texts), finding)
curves.draw(chosen, choice)
