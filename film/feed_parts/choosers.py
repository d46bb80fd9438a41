"""Choosers: a film of merges of which each was chosen by one of several texts. No file lists them."""

from collections.abc import Sequence

from film.feed import TrainingFeed
from film.feed_parts.packing import packed


def with_choosers(feed: TrainingFeed, choosers: Sequence[str]) -> TrainingFeed:
    """Return the feed of a replay with the name of what chose each merge, which its headlines then say."""
    names = list(dict.fromkeys(choosers))
    number = {name: at for at, name in enumerate(names)}
    chosen = packed([number[name] for name in choosers])
    return {**feed, "replay": {**feed["replay"], "choosers": names, "chosen": chosen}}
