"""Languages: what the same text costs in many languages, under finished tokenizers and after every merge."""

import streamlit as st

from ui import navigation, visit
from ui.languages import choices, curves, results
from ui.languages import choices as tokenizers
from ui.languages import results as counting
from ui.sidebar import sidebar, text_link

navigation.enter()
visit.read("languages", choices.LINK)
choice = sidebar.last_choice()
finding = st.container()
chosen = choices.draw(choice)
if not chosen.tokenizers:
    st.info("Choose at least one tokenizer. Files that you open on other pages are offered here too.")
    st.stop()
named = tokenizers.opened(chosen.tokenizers, choice)
if not named:
    st.info("There is no tokenizer to train with: open its file above, or choose another one.")
    st.stop()
results.draw(chosen, named, counting.measured_texts(named, chosen.texts), finding)
curves.draw(chosen, choice)
text_link.link_popover(fragment=choice.fragment if choice else None)
