"""The link to what is on the page, read off the browser's address bar, so that neither can say more than the other."""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("address", Path(__file__).parent)


def address(key: str) -> None:
    """The address as it stands, with a button that copies it; where a grid leads the page, its step as well."""
    _COMPONENT(key=key, data={})
