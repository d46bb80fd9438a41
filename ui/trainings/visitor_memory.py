"""How much memory the texts, tokenizers and trainings of one visitor take, and the sentence if it is too much.

It is counted where a session stores them, before a long training begins. What several visitors share counts for each.
"""

from ui.visit.slot import LARGE
from ui.work import limits
from ui.work.object_size import size_of

MOST = limits.VISITOR.value() * 10**6  # bytes


def refusal(others: object) -> str:
    """Return the sentence why this session may not begin a long training; "" if it may.

    `others` is what it holds besides all that is `large`.
    """
    size = size_of([others, *(slot.read() for slot in LARGE)])
    if size <= MOST:
        return ""
    return (
        f"Your texts, tokenizers and trainings take {size // 10**6:,} MB of memory, and one visitor may take "
        f"{MOST // 10**6:,} MB. Use a shorter text or fewer lanes, or reload the page to start again."
    )
