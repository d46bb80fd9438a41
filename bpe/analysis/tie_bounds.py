"""The bounds of a listing of every way: how much it may store, and when it must end."""

from collections.abc import Sized
from time import monotonic
from typing import Literal

from bpe.checkpoints import checkpoint

# What ended a listing; "" if nothing did. "figures": all is listed, but not all numbers are known.
Stopped = Literal["", "splits", "memory", "time", "work", "figures"]
# Entries that are stored at once. An entry takes about eight bytes: one number in a tuple. What takes more counts as
# several, as `Size` says.
MOST_STORED = 12_000_000
# Entries that are read or written between two looks at the clock, the memory and the checkpoint: some 5 ms of work.
BETWEEN_LOOKS = 20_000
_LOOK = 50  # entries that a look counts as: some work is done before each
# Numbers of segmentations and ways from here on are not computed: they have more than a thousand digits.
MOST_WAYS = 1 << 4096


class Bounds:
    """What a listing has stored, in entries, and what it may still do."""

    def __init__(self, most_splits: int, most_seconds: float, most_work: float) -> None:
        """Set the limits: how many segmentations a level may have, and what a listing may take: seconds from now, and
        entries that are read or written. The latter end it at the same place on every machine, however busy.
        """
        self.most_splits = most_splits
        self.most_work = most_work
        self.work = 0  # entries read or written before the last look
        self._deadline = monotonic() + most_seconds
        # What is stored of the level, of what is drawn, and of forms and symbols that merges made.
        self.stored = self.drawn = self.made = 0
        self.pairs: Sized = ()  # pairs of the text, with their counts
        self.since_look = 0

    def spend(self, entries: int) -> None:
        """Count entries that were read or written, and check now and then whether the listing must end."""
        self.since_look += entries
        if self.since_look >= BETWEEN_LOOKS:
            self.look()

    def look(self) -> None:
        """Raise ListingEndError if time or work is up, or too much is stored; end where the caller wants to stop."""
        self.work += _LOOK + self.since_look
        self.since_look = 0
        checkpoint()
        if monotonic() > self._deadline:
            raise ListingEndError("time")
        if self.work > self.most_work:
            raise ListingEndError("work")
        if self.is_full:
            raise ListingEndError("memory")

    @property
    def is_full(self) -> bool:
        """Whether more is stored than may be."""
        return self.stored + self.drawn + self.made + Size.PAIR * len(self.pairs) > MOST_STORED


class Size:
    """How many entries things take besides the numbers in their tuples."""

    PAIR = 64  # of the text, with its count and its words
    FORM = 32
    MERGE = 16  # of a form, with 8 for each pair whose count changes
    SYMBOL = 48
    LOCAL = 64
    NODE = 64
    EDGE = 64
    STATE = 64
    ITEM = 12  # of a dict


class ListingEndError(Exception):
    """Raised where the listing must end."""

    def __init__(self, stopped: Stopped) -> None:
        self.stopped: Stopped = stopped
