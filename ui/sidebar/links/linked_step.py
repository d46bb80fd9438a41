"""The step that a link, or a share file with a question, opens: it belongs to the first training after it."""

from ui.visit import Slot, nothing

# The step of the link
LINKED_STEP: Slot[int | None] = Slot("_step", nothing)
# The training that the link opened, to which it belongs
LINKED_TRAINING: Slot[str | None] = Slot("_watch_linked", nothing)


def open_at(step: int | None) -> None:
    """Let the next training begin at this step; None for its usual beginning."""
    LINKED_STEP.write(step)
    LINKED_TRAINING.forget()


def linked_step() -> int | None:
    """Return the step, whatever training is drawn."""
    return LINKED_STEP.read()


def step_of(training: str) -> int | None:
    """Return the step for the training that was opened with it; None for every later one."""
    step = LINKED_STEP.read()
    if step is None:
        return None
    if LINKED_TRAINING.read() is None:
        LINKED_TRAINING.write(training)
    return step if LINKED_TRAINING.read() == training else None
