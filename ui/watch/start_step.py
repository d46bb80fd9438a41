"""The step at which Watch first shows a training. Afterwards the grid remembers its step."""

from bpe import Trace
from ui import session
from ui.sidebar.sidebar import Choice


def start_step(trace: Trace, choice: Choice) -> int:
    """Return the link's step; else the first tie after merge 0 for a sample, and 0 for a text of the viewer's own.

    A sample should show something at once; a text of one's own is best watched from the start.
    """
    linked = _linked_step(choice)
    if linked is not None:
        step = linked
    elif choice.source == "sample":
        ties = (step.rank for step in trace.steps if step.tied > 1 and step.rank >= 1)
        step = next(ties, len(trace.steps) // 3)
    else:
        step = 0
    return min(step, len(trace.steps))


def _linked_step(choice: Choice) -> int | None:
    """Return the link's step for the training that the link opened; None for every later one."""
    if choice.step is None:
        return None
    if session.LINKED_TRAINING.read() is None:
        session.LINKED_TRAINING.write(choice.base)
    return choice.step if session.LINKED_TRAINING.read() == choice.base else None
