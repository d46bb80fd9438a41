"""The grid's feed on Watch, and the link to the step at which the grid rests."""

from bpe import Trace
from film.feed import TrainingFeed
from film.training_feed import MOST_FURTHER, training_feed
from ui.choices import link, share_file
from ui.choices.choices import Choice
from ui.trainings.byte_cache import ByteCache
from ui.trainings.recipe import signature
from ui.view.first_view import first_view


def grid_feed(trace: Trace, choice: Choice, start: int) -> TrainingFeed:
    """Return the feed of the training, with a window of the text from character `start` on."""
    name = f"{signature(choice.corpus, choice.recipe)} {len(trace.steps)} {trace.stopped}"
    text = choice.corpus.training_text
    return _FEEDS.get(
        f"{name} {start}",
        lambda: training_feed(
            trace, text, start=start, picks=trace.origin.breaks_ties, further=MOST_FURTHER, reasons=True
        ),
    )


_FEEDS: ByteCache[TrainingFeed] = ByteCache(8_000_000)


def link_to_step(choice: Choice, step: int) -> None:
    """Draw a link to this step, or the share file that holds a text which no link can hold."""
    share_file.draw_link(choice.corpus, choice.recipe, choice.fragment, link.current() | {"step": str(step)})


def start_step(trace: Trace, choice: Choice) -> int:
    """Return the link's step. Without one, the end of a finished tokenizer's replay: its tokens are what one asks for.

    A training begins at its start: the first tie is best seen before anything is merged.
    """
    linked = link.step_of(choice.base)
    first = len(trace.steps) if _begins_at_end(trace, choice) else 0
    return min(first if linked is None else linked, len(trace.steps))


def first_options(choice: Choice) -> dict[str, str | bool]:
    """Return how the text is drawn at first. What a finished tokenizer makes of a text is read in reading order."""
    options = first_view(choice.corpus.reading_text, is_list=choice.corpus.frequencies is not None)
    return {"view": "text", **options} if choice.finished else options


def subject(trace: Trace, choice: Choice) -> str:
    """Return what the grid shows: a change of it begins at the start step, and not where the playhead was.

    That is the text, and with a finished tokenizer this, too, when its replay is complete: it begins at its end.
    """
    return f"{choice.corpus.digest} {choice.file.id if choice.file and _begins_at_end(trace, choice) else ''}"


def remembered_as(trace: Trace, choice: Choice) -> str:
    """Return the name under which the grid remembers its step. What is shown of a replay so far is soon forgotten."""
    return f"{choice.base} so far" if choice.finished and not _begins_at_end(trace, choice) else choice.base


def _begins_at_end(trace: Trace, choice: Choice) -> bool:
    return choice.finished is not None and trace.stopped != "cancelled"
