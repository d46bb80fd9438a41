"""Draw a chart: a plain dict as plotly's JSON has it, without plotly's checks."""

from typing import Any, Literal

import streamlit as st
from plotly.basedatatypes import BaseFigure

from ui.show.charts import Figure


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


def draw_chart(figure: Figure, key: str, *, on_select: Literal["ignore", "rerun"] = "ignore") -> Any:
    """Draw the chart. Return the box that the viewer drew over it, if `on_select` is "rerun"."""
    return st.plotly_chart(
        _UncheckedFigure(figure),
        theme=None,
        config={"displayModeBar": False},
        key=key,
        height=figure["layout"]["height"],
        on_select=on_select,
        selection_mode="box",
    )
