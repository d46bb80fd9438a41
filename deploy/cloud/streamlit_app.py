"""The entry for Streamlit Community Cloud: the app itself, with the configuration beside this file."""

import runpy
import sys
from pathlib import Path

import streamlit as st
from streamlit import runtime

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
if not runtime.exists():  # as in app.py
    from ui.gaps.message_checks import check_messages
    from ui.page_parts import first_page
    from ui.shown import navigation

    check_messages()
    app = st.App(__file__, routes=first_page.routes(), middleware=navigation.middleware())
else:
    runpy.run_path(str(ROOT / "app.py"), run_name="__main__")
