"""The link to what is on the page, read off the browser's address bar, so that neither can say more than the other."""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("address", Path(__file__).parent)


def address(key: str) -> None:
    """Draw the address as it stands, with the step of the page's grid, and a button that copies it."""
    _COMPONENT(key=key, data={})
