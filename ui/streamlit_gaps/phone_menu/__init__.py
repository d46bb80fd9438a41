"""The menu of pages on a phone, where it covers the page: it closes when a page is chosen.

Streamlit lacks a way to close the sidebar from code: https://github.com/streamlit/streamlit/issues/4483. It can go
when there is one.
"""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("phone_menu", Path(__file__).parent)


def phone_menu(key: str) -> None:
    """Close the menu after a choice in it. Call it in the sidebar."""
    _COMPONENT(key=key, data={}, height=1)
