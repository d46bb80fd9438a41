"""Merge by Merge: byte pair encoding, one merge at a time. Start it with `streamlit run app.py`."""

from pathlib import Path

import streamlit as st
from streamlit import runtime

from ui.gaps.first_frame import first_screen_first
from ui.gaps.message_checks import check_messages
from ui.page_parts import first_page, talk
from ui.shown import navigation
from ui.trainings import limits, memory_budget
from ui.view.styles import add_styles
from ui.view.text import in_markdown

UI = Path(__file__).parent / "ui"

check_messages()
if not runtime.exists():  # `streamlit run` asks how the app is served, and then runs this for each visitor
    app = st.App(__file__, routes=first_page.routes(), middleware=navigation.middleware())
else:
    memory_budget.keep_within()
    st.set_page_config(
        page_title="Merge by Merge",
        page_icon=str(UI / "icon.png"),
        layout="wide",
        menu_items={"About": "Merge by Merge: watch byte pair encoding. Nothing leaves this machine."},
    )
    if problems := limits.problems():  # the host must see a mistyped limit before the class does
        st.error(in_markdown(" ".join(problems), most=2_000))
        st.stop()
    add_styles()
    st.logo(str(UI / "logo.svg"))
    page = navigation.navigation()
    talk.go_back(page.url_path or navigation.START)
    with first_screen_first():
        navigation.draw_head(page.url_path)
        navigation.run(page, above=talk.draw_above)
