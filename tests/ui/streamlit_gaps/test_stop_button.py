"""Stop inside a fragment ends the work first, and then runs the whole page."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest


def page(stop: object) -> None:
    import streamlit as st

    from ui.streamlit_gaps.stop_button import stop_button

    stop_button(st.container(), "stop", stop)  # type: ignore[arg-type]  # AppTest runs this text without imports


def test_a_click_stops_the_work_and_runs_the_whole_page(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(st, "rerun", lambda: calls.append("page"))
    app = AppTest.from_function(page, args=(lambda: calls.append("stop"),)).run()
    assert calls == []
    app.button(key="stop").click().run()
    assert calls == ["stop", "page"]
