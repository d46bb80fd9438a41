"""What is below the first screen waits until the first screen is alive, so that its scripts load afterwards.

Streamlit loads a chart's code, 4.7 MB, as soon as it hears of a chart. So a page draws its grid, then this component,
and the rest only when the browser has said that the grid has drawn a frame.
"""

from pathlib import Path

from ui.components import message
from ui.components.component import component
from ui.visit.slot import Slot

# Whether a page is drawn in one run, since no browser is there to draw a first frame.
DRAWS_AT_ONCE: Slot[bool] = Slot("_draws_at_once", bool)
_COMPONENT = component("first_frame", Path(__file__).parent)


def first_frame(key: str, *, grid: bool = True) -> bool:
    """Return whether the browser has drawn what is above; it asks for another run as soon as it has.

    `key` is the page's: another page waits for its own first frame. `grid`: whether there is a grid above.
    """
    if DRAWS_AT_ONCE.read():
        return True
    result = _COMPONENT(key=f"first_frame_{key}", data={"grid": grid}, on_drawn_change=lambda: None, height=1)
    return message.read(result, "drawn", _true) is True


def _true(value: object) -> bool | None:
    return True if value is True else None
