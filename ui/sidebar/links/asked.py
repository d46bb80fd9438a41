"""The question that a link or a share file asks about one step of its training, until it is answered and left."""

from bpe import BPEError
from ui import session
from ui.components import message
from ui.sidebar.links import linked_step
from ui.sidebar.recipes.settings import MOST_MERGES

KINDS = ("pair", "count")  # of ui.exercises.kinds: what can be asked about any step
PARAMETER = "ask"
KEY = session.ASKED.key


def ask(kind: str, step: int) -> None:
    """Ask about a step of the training that is opened next."""
    session.ASKED.write(kind)
    session.ASKED_TRAINING.forget()
    linked_step.open_at(step)


def asked_kind(training: str) -> str:
    """Return the kind of the question; "" without one, and for every training but the first after it was asked."""
    kind = session.ASKED.read()
    if kind and session.ASKED_TRAINING.read() is None:
        session.ASKED_TRAINING.write(training)
    return kind if session.ASKED_TRAINING.read() == training else ""


def is_asked() -> bool:
    """Return whether there is a question, about whatever training."""
    return bool(session.ASKED.read())


def leave() -> None:
    """Ask nothing any more."""
    session.ASKED.forget()
    session.ASKED_TRAINING.forget()


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
