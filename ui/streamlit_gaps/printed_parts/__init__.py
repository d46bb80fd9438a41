"""Streamlit's own tables and charts on paper: as wide as a sheet, and light.

Streamlit lacks styles for paper: it paints tables and charts for the window, and cuts them off at the sheet's edge
(https://github.com/streamlit/streamlit/issues/10852). It can go when they are laid out anew for printing.
"""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("printed_parts", Path(__file__).parent)


def printed_parts(key: str) -> None:
    """Let the page's tables and charts be printed whole and light. Call it on every page."""
    _COMPONENT(key=key, data={}, height=1)
