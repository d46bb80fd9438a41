"""The step that a link, or a share file with a question, opens: it belongs to the first training after it."""

from ui import session


def open_at(step: int | None) -> None:
    """Let the next training begin at this step; None for its usual beginning."""
    session.LINKED_STEP.write(step)
    session.LINKED_TRAINING.forget()


def linked_step() -> int | None:
    """Return the step, whatever training is drawn."""
    return session.LINKED_STEP.read()


def step_of(training: str) -> int | None:
    """Return the step for the training that was opened with it; None for every later one."""
    step = session.LINKED_STEP.read()
    if step is None:
        return None
    if session.LINKED_TRAINING.read() is None:
        session.LINKED_TRAINING.write(training)
    return step if session.LINKED_TRAINING.read() == training else None
