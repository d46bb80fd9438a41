"""A chart on a page. The browser is told of it when its place comes near the screen.

Streamlit loads the code of charts, 4.7 MB, as soon as it hears of one, and who never scrolls to it does not need it.
"""

from __future__ import annotations

import streamlit as st
from plotly.basedatatypes import BaseFigure

from ui.gaps.first_frame import draws_at_once
from ui.view.charts import Figure
from ui.view.component import COMPONENTS, component
from ui.view.visit import Slot

# Whether the browser of a visit has the code of charts: then nothing waits any more.
_HAS_CODE: Slot[bool] = Slot("_has_code_of_charts", bool)
_PLACE = component("near_screen", COMPONENTS / "near_screen")


def draw_chart(figure: Figure, key: str) -> None:
    """Draw the chart, or hold its place until that comes near the screen."""
    height = figure["layout"]["height"]
    if not (_HAS_CODE.read() or draws_at_once()):
        _PLACE(key=f"{key}_place", height=height, on_near_change=lambda: _HAS_CODE.write(True))
        return
    st.plotly_chart(
        _UncheckedFigure(figure), theme=None, config={"displayModeBar": False}, key=key, height=height
    )


class _UncheckedFigure(BaseFigure):  # type: ignore[misc]  # plotly has no types
    """A figure that Streamlit sends as it is.

    Streamlit copies and checks every other figure: 20 ms of the processor for each, at every step of every viewer. The
    tests check ours instead.
    """

    def __init__(self, figure: Figure) -> None:
        self.__dict__["figure"] = figure  # BaseFigure takes other attributes for plotly's own

    def to_dict(self) -> Figure:
        figure: Figure = self.__dict__["figure"]
        return figure
