"""Why a training or a replay ended, for the end of a sentence."""

from bpe.text.display import ENDINGS
from bpe.trace.trace import Trace

ALL_USED = "all merges of the tokenizer are used"


def ending(trace: Trace) -> str:
    """Return why the trace ended; "" if nothing is known. A replay that used its whole list has no other merge."""
    replayed = trace.replayed
    if (
        trace.stopped == "end of list"
        and replayed
        and len(replayed.list_ranks) == len(replayed.tokenizer.merges)
    ):
        return ALL_USED
    return ENDINGS.get(trace.stopped, "")
