"""The app as its next release: the scripts of its components have another folder."""

from dataclasses import replace

import streamlit as st

from tests import ROOT
from ui.gaps.message_checks import check_messages
from ui.page_parts import first_page
from ui.shown import navigation
from ui.view import served

check_messages()
NEXT = replace(served.release(), name="next")
vars(served)["release"] = lambda: NEXT
app = st.App(ROOT / "app.py", routes=first_page.routes(), middleware=navigation.middleware())
