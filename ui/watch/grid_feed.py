"""The grid's feed on Watch, and the link to the step at which the grid rests."""

from bpe import Trace
from film.feed import TrainingFeed
from film.training_feed import MOST_FURTHER, training_feed
from ui.choices import link, share_file
from ui.choices import link as linked_step
from ui.choices.choices import Choice
from ui.choices.recipe import signature
from ui.work.byte_cache import ByteCache


def grid_feed(trace: Trace, choice: Choice, start: int) -> TrainingFeed:
    """Return the feed of the training, with a window of the text from character `start` on."""
    name = f"{signature(choice.corpus, choice.recipe)} {len(trace.steps)} {trace.stopped}"
    text = choice.corpus.training_text
    return _FEEDS.get(
        f"{name} {start}",
        lambda: training_feed(
            trace, text, start=start, picks=not trace.replayed, further=MOST_FURTHER, reasons=True
        ),
    )


_FEEDS: ByteCache[TrainingFeed] = ByteCache(8_000_000)


def link_to_step(choice: Choice, step: int) -> None:
    """Draw a link to this step, or the share file that holds a text which no link can hold."""
    share_file.draw_link(choice.corpus, choice.recipe, choice.fragment, link.current() | {"step": str(step)})


# The step at which Watch first shows a training. Afterwards the grid remembers its step.


def start_step(trace: Trace, choice: Choice) -> int:
    """Return the link's step, else 0: the first tie is best seen before anything is merged."""
    return min(linked_step.step_of(choice.base) or 0, len(trace.steps))
