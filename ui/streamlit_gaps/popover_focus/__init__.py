"""The keyboard's focus and popovers: an open popover takes it, and gives it back to its button.

Streamlit lacks this: it puts a popover's contents at the end of the document, tens of presses of Tab away from their
button. No issue of Streamlit's is known to us. It can go when `tests/browser/access/test_popover_focus.py` passes
without it.
"""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("popover_focus", Path(__file__).parent)


def popover_focus(key: str) -> None:
    """Move the focus into popovers and back. Call it on every page."""
    _COMPONENT(key=key, data={}, height=1)
