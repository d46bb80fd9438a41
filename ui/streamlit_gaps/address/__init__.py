"""The link to the current state of the page. It is read from the address bar, so the two always agree.

Streamlit lacks this: Python learns the address when a run begins, and the grid moves without one; no issue asks for it.
It can go when a component can set parameters of the link, and a run need not follow.
"""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("address", Path(__file__).parent)


def address(key: str, fragment: str = "") -> None:
    """Draw the current address, with the step of the page's grid and this fragment, and a button that copies it."""
    _COMPONENT(key=key, data={"fragment": fragment})
