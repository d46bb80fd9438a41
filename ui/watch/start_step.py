"""The step at which Watch first shows a training. Afterwards the grid remembers its step."""

from bpe import Trace
from ui.sidebar.links import linked_step
from ui.sidebar.sidebar import Choice


def start_step(trace: Trace, choice: Choice) -> int:
    """Return the link's step, else 0: the first tie is best seen before anything is merged."""
    return min(linked_step.step_of(choice.base) or 0, len(trace.steps))
