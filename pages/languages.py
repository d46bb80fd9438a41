"""Languages: what the same text costs in many languages, under finished tokenizers and after every merge."""

from functools import partial

import streamlit as st

from ui import navigation, talk, visit
from ui.choices import choices
from ui.choices.share_file import draw_link
from ui.languages import choices as asked
from ui.languages import curves, results
from ui.saving import draw_share

navigation.enter()
visit.read("languages", asked.LINK)
talk.draw("languages")
choice = choices.last_choice()
finding = st.container()
chosen = asked.draw(choice)
if chosen.uses_choice:
    st.container(
        key="trains_here"
    ).empty()  # the line is shown that opens to the viewer's own text and training
named = asked.opened(chosen.tokenizers, choice)
if not chosen.tokenizers:
    st.info("Choose at least one tokenizer. Files that you open on other pages are offered here too.")
    st.stop()
if not named:
    st.info("There is no tokenizer to train with: open its file above, or choose another one.")
    st.stop()
results.draw(chosen, named, results.measured_texts(named, chosen.texts), finding)
curves.draw(chosen, choice)
if choice:
    with navigation.share_place():
        draw_share("languages", {"Link": partial(draw_link, choice.corpus, choice.recipe, choice.fragment)})
