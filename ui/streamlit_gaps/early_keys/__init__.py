"""Keys pressed while a page loads: a grid gets them as soon as it is there.

Call `early_keys` before anything else is drawn, so that it listens first.
"""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("early_keys", Path(__file__).parent)


def early_keys(key: str) -> None:
    """Store keys that no grid is there to hear, and send them to the next one."""
    _COMPONENT(key=key, data={}, height=1)
