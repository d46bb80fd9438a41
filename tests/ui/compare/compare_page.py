"""The page Compare for its tests."""

from streamlit.testing.v1 import AppTest

from tests import ROOT
from tests.app import LONGEST_RUN
from ui.streamlit_gaps.first_frame import DRAWS_AT_ONCE

SCRIPT = f"""
import runpy
from ui.sidebar import sidebar
from ui.sidebar import link

sidebar.draw()
link.show_warnings()
runpy.run_path({str(ROOT / "pages" / "compare.py")!r})
"""  # like app.py, with the page chosen


def page(**link: str) -> AppTest:
    app = AppTest.from_string(SCRIPT, default_timeout=LONGEST_RUN)
    app.session_state[DRAWS_AT_ONCE.key] = True
    for key, value in link.items():
        app.query_params[key] = value
    return app.run()
