"""The question that a link or a share file asks about one step of its training, until it is answered and left."""

from bpe import BPEError
from ui import session
from ui.components import message
from ui.sidebar.settings import MOST_MERGES

KINDS = ("pair", "count")  # of ui.exercises.kinds: what can be asked about any step
PARAMETER = "ask"


def ask(kind: str, step: int) -> None:
    """Ask about a step of the training that is opened next."""
    session.ASKED.write(kind)
    session.ASKED_TRAINING.forget()
    session.LINKED_TRAINING.forget()
    session.LINKED_STEP.write(step)


def read_asked(field: object) -> tuple[str, int] | None:
    """Return (kind, step) of a share file's field; None without one. Raises BPEError for anything else.

    >>> read_asked({"kind": "pair", "step": 3})
    ('pair', 3)
    """
    if field is None:
        return None
    kind = message.read(field, "kind", message.one_of(KINDS))
    step = message.read(field, "step", message.whole_number(0, MOST_MERGES))
    if kind is None or step is None:
        raise BPEError(f"The share file's field “ask” must hold a kind, {' or '.join(KINDS)}, and a step.")
    return kind, step
