"""The question that a link or a share file asks about one step of its training, until it is answered and left."""

from bpe import BPEError
from ui.components import message
from ui.sidebar.links import linked_step
from ui.sidebar.recipes.settings import MOST_MERGES
from ui.visit import Slot, nothing

# The kind of the question that the link or a file asks, "" for none
ASKED: Slot[str] = Slot("_asked", str)
# The training it is about
ASKED_TRAINING: Slot[str | None] = Slot("_asked_training", nothing)

KINDS = ("pair", "count")  # of ui.exercises: what can be asked about any step
PARAMETER = "ask"
KEY = ASKED.key


def ask(kind: str, step: int) -> None:
    """Ask about a step of the training that is opened next."""
    ASKED.write(kind)
    ASKED_TRAINING.forget()
    linked_step.open_at(step)


def asked_kind(training: str) -> str:
    """Return the kind of the question; "" without one, and for every training but the first after it was asked."""
    kind = ASKED.read()
    if kind and ASKED_TRAINING.read() is None:
        ASKED_TRAINING.write(training)
    return kind if ASKED_TRAINING.read() == training else ""


def is_asked() -> bool:
    """Return whether there is a question, about whatever training."""
    return bool(ASKED.read())


def leave() -> None:
    """Ask nothing any more."""
    ASKED.forget()
    ASKED_TRAINING.forget()


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
