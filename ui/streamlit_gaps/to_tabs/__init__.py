"""A button that leads to tabs further down the page, and opens the first of them."""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("to_tabs", Path(__file__).parent)


def to_tabs(label: str, tabs: str, *, key: str) -> None:
    """Draw the button. `tabs` is the key of the tabs."""
    _COMPONENT(key=key, data={"label": label, "tabs": tabs}, width="content")
