"""Streamlit's own tables and charts on paper: as wide as a sheet, and light."""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("printed_parts", Path(__file__).parent)


def printed_parts(key: str) -> None:
    """Let the page's tables and charts be printed whole and light. Call it on every page."""
    _COMPONENT(key=key, data={}, height=1)
