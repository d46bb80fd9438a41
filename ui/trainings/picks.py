"""Picks: merges that the viewer decided by hand, stored as numbers of tied pairs, so that a link can hold them."""

import re
from collections.abc import Callable

from bpe import BPEError
from ui.view.visit import Slot, nothing

MOST_PICKS = 50
_WRITTEN = re.compile(r"\d{1,5}\.\d{1,5}(-\d{1,5}\.\d{1,5})*")

Picks = tuple[tuple[int, int], ...]  # (rank, number among the pairs tied there, in order of first occurrence)

# The picks by base
_PICKS: Slot[dict[str, Picks]] = Slot("_picks", dict)
# Those of a link or a share file, until their base is known
_OPENED_PICKS: Slot[Picks | None] = Slot("_link_picks", nothing)


def write_picks(picks: Picks) -> str:
    """Return the picks as the value of a link's parameter.

    >>> write_picks(((0, 2), (4, 1)))
    '0.2-4.1'
    """
    return "-".join(f"{rank}.{number}" for rank, number in picks)


def read_picks(text: str) -> Picks:
    """Return the picks of a link, by rank. Raises BPEError for anything else.

    >>> read_picks("0.2-4.1")
    ((0, 2), (4, 1))
    """
    if not _WRITTEN.fullmatch(text) or text.count("-") >= MOST_PICKS:
        raise BPEError("picks must be rank.number, at most 50 of them joined by “-”")
    numbers = [pick.partition(".") for pick in text.split("-")]
    return tuple(sorted({int(rank): int(number) for rank, _, number in numbers}.items()))


def picks_for(base: str) -> Picks:
    """Return the picks made under this base, which names corpus, variant and rule.

    Picks of a link or a share file belong to the first base requested.
    """
    opened = _OPENED_PICKS.read()
    if opened is not None:
        _PICKS.read()[base] = opened
        _OPENED_PICKS.forget()
    return _PICKS.read().get(base, ())


def open_picks(picks: Picks) -> None:
    """Store the picks of a link or a share file until its text and recipe are known."""
    _OPENED_PICKS.write(picks)


def pick(base: str, rank: int, number: int) -> None:
    """Pick the tied pair of this number at this merge. Drops later picks, since their ties may no longer occur."""
    undo(base, rank)
    _PICKS.read()[base] = (*picks_for(base), (rank, number))


def take_picks(base: str, picks: Picks) -> Callable[[], None]:
    """Set the picks under this base, and return a function that restores the former ones."""
    before = picks_for(base)
    _PICKS.read()[base] = picks
    return lambda: _PICKS.read().update({base: before})


def undo(base: str, rank: int) -> None:
    """Drop the pick of this merge and all later ones, so that the rule decides again."""
    _PICKS.read()[base] = tuple(pick for pick in picks_for(base) if pick[0] < rank)
