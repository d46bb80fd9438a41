"""Encode: new text cut with the learned merges, step by step, and back."""

import streamlit as st

from ui import navigation, page_link, training
from ui.encode import controls, result, views
from ui.encode.encoded_text import encoded
from ui.sidebar import sidebar

navigation.enter()
page_link.read("encode", controls.LINK | views.LINK)
st.title("Encode new text")
choice = sidebar.required()
trace = training.required_trace(choice.corpus, choice.recipe)
setting = controls.draw(trace, choice)
if setting is None:
    st.stop()
if not setting.text.strip():
    st.info(
        "Type a text above. It is cut into pre-tokens, spelled in symbols, and merged by the rules learned."
    )
    st.stop()
result.play(setting)
encoding = encoded(setting)
if encoding is None:
    st.stop()
result.tiles(encoding)
result.ids(setting, encoding)
views.draw(trace, choice, setting, encoding)
page_link.link_popover(of_sample=choice.source == "sample")
