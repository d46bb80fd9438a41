"""The keyboard's focus on Streamlit's tabs: a tab that a key has opened keeps it while its contents are loaded.

Streamlit lacks this: it hides tabs for a moment while it loads what a new one needs. No issue of Streamlit's is known
to us. It can go when `tests/browser/access/test_streamlit_focus.py` passes without it.
"""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("kept_focus", Path(__file__).parent)


def kept_focus(key: str) -> None:
    """Keep the focus on tabs. Call it on every page."""
    _COMPONENT(key=key, data={}, height=1)
