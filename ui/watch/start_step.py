"""The step at which Watch first shows a training. Afterwards the grid remembers its step."""

from bpe import Trace
from ui import session
from ui.sidebar.sidebar import Choice


def start_step(trace: Trace, choice: Choice) -> int:
    """Return the link's step, else 0: the first tie is best seen before anything is merged."""
    return min(_linked_step(choice) or 0, len(trace.steps))


def _linked_step(choice: Choice) -> int | None:
    """Return the link's step for the training that the link opened; None for every later one."""
    if choice.step is None:
        return None
    if session.LINKED_TRAINING.read() is None:
        session.LINKED_TRAINING.write(choice.base)
    return choice.step if session.LINKED_TRAINING.read() == choice.base else None
