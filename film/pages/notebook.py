"""A trace in a notebook: its film in a frame of its own, which works wherever a notebook shows HTML."""

from collections.abc import Mapping

from bpe import Trace
from film.live import live_recipe
from film.pages.page import MOST_CHARACTERS, Lane, lanes_page, notebook_frame
from film.training_feed import training_feed

MOST_PAGE = 1_000_000  # characters of a film that is stored in a notebook; 50,000 merges need about half


def trace_frame(
    trace: Trace, *, most_characters: int = MOST_CHARACTERS, most_page: int = MOST_PAGE
) -> str | None:
    """Return a frame with the film of a trace, from the first merge on; None if the film would be too large.

    A trace does not store the running text, so the film shows the distinct words with their frequencies.
    """
    words = dict(zip(trace.pre_tokens, trace.frequencies, strict=True))
    frequent = most_frequent(words, most_characters)
    note = (
        f"This film shows the {len(frequent):,} most frequent of {len(words):,} distinct words."
        if len(frequent) < len(words)
        else ""
    )
    lane = Lane(training_feed(trace, frequent), recipe=live_recipe(trace))
    page = lanes_page([lane], title=f"{trace.variant.title}, {trace.tie_break.title.lower()}", note=note)
    return notebook_frame(page) if len(page) <= most_page else None


def most_frequent(words: Mapping[str, int], most: int) -> dict[str, int]:
    """Return the most frequent words, of `most` characters together, in their given order.

    >>> most_frequent({"low": 1, "new": 3, "est": 2}, most=7)
    {'new': 3, 'est': 2}
    """
    chosen: set[str] = set()
    size = 0
    for word in sorted(words, key=words.__getitem__, reverse=True):
        size += len(word)
        if size > most:
            break
        chosen.add(word)
    return {word: frequency for word, frequency in words.items() if word in chosen}
