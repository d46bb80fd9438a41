"""The grid's feed on Watch, and the link to the step at which the grid rests."""

import streamlit as st

from bpe import Trace
from film.feed import TrainingFeed
from film.feed_parts.windows import WINDOW
from film.training_feed import MOST_FURTHER, training_feed
from ui.sidebar.links import link, shown_link
from ui.sidebar.recipes.recipe import signature
from ui.sidebar.sidebar import Choice
from ui.work.byte_cache import ByteCache

REPEATED = 2  # times that each word of a list occurs, on average
PART = 100_000  # characters of a text that are split into words at once
MOST_WORDS = 16  # different words that the grid shows without its text; `room.js` has the same number


def grid_feed(trace: Trace, choice: Choice, start: int, size: int = WINDOW) -> TrainingFeed:
    """Return the feed of the training, with `size` characters of the text from character `start` on."""
    name = f"{signature(choice.corpus, choice.recipe)} {len(trace.steps)} {trace.stopped}"
    text = choice.corpus.training_text
    return _FEEDS.get(
        f"{name} {start} {size}",
        lambda: training_feed(
            trace, text, start=start, size=size, picks=not trace.replayed, further=MOST_FURTHER
        ),
    )


def view_of(choice: Choice) -> dict[str, str | bool]:
    """Return how the grid is drawn at first: a list of words without the running text, which repeats each of them."""
    words = few_words(choice.corpus.reading_text)
    if words is None:
        return {}
    number, different = words
    is_list = choice.corpus.frequencies is not None or number >= REPEATED * different
    return {"view": "words"} if is_list else {}


def few_words(text: str, size: int = PART) -> tuple[int, int] | None:
    """Return how many words a text has and how many of them differ; None if more than MOST_WORDS do.

    The words of a text of 20 MB would take 200 MB at once, so it is read in parts of so many characters.
    """
    number, rest = 0, ""
    different: set[str] = set()
    for begin in range(0, len(text), size):
        part = rest + text[begin : begin + size]
        words = part.split()
        rest = words.pop() if words and not part[-1].isspace() else ""
        different.update(words)
        number += len(words)
        if len(different) > MOST_WORDS or len(rest) > size:
            return None
    different.update([rest] if rest else [])
    return (number + bool(rest), len(different)) if len(different) <= MOST_WORDS else None


_FEEDS: ByteCache[TrainingFeed] = ByteCache(8_000_000)


def link_to_step(choice: Choice, step: int) -> None:
    """Draw a link to this step, or why there is none."""
    with st.popover("Link to this step", icon=":material/link:"):
        shown_link.link_code(link.current() | {"step": str(step)}, fragment=choice.fragment)
