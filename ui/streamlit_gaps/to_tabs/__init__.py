"""A button that leads to tabs further down the page, and opens one of them.

Streamlit lacks a way to scroll to an element and give it the focus. The session can open a tab since
https://github.com/streamlit/streamlit/issues/6004, but only with another run of the page. It can go when a link can
lead to an element.
"""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("to_tabs", Path(__file__).parent)


def to_tabs(label: str, tabs: str, *, key: str, number: int = 0) -> None:
    """Draw the button. `tabs` is the key of the tabs, and `number` the position of the one that opens."""
    _COMPONENT(key=key, data={"label": label, "tabs": tabs, "number": number}, width="content")
