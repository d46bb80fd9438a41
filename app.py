"""Merge by Merge: byte pair encoding, one merge at a time. Start it with `streamlit run app.py`."""

import streamlit as st
from streamlit import runtime

from ui.shell import whole_page
from ui.streamlit_gaps.early_keys.first_script import FIRST_SCRIPT

if runtime.exists():
    whole_page.draw()
else:  # `streamlit run` first asks this file how the app is served, and then runs it for each visitor
    app = st.App(__file__, middleware=[FIRST_SCRIPT])
