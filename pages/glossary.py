"""Glossary: every term of the app in two short sentences, with the lesson about it."""

import streamlit as st

from ui import navigation
from ui.lessons import glossary_page

navigation.enter()
st.title("Glossary")
st.caption(
    "The terms that lessons and pages use. In a lesson, press a word with a dotted line to read its meaning there."
)
glossary_page.draw()
