"""Keys pressed while a page loads: a grid gets them as soon as it is there.

Streamlit lacks a way to run a script before it has loaded and the server has answered. `first_script` writes one into
Streamlit's page, which notes the keys until the component here takes them over. Both can go if a page may bring a
script. No issue of Streamlit's is known to us.
"""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("early_keys", Path(__file__).parent)


def early_keys(key: str) -> None:
    """Store keys that no grid is there to hear, and send them to the next one."""
    _COMPONENT(key=key, data={}, height=1)
