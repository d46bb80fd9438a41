"""The grids beside a lesson's card: the training, and the new text or the bytes of a beat."""

from typing import Any

import streamlit as st

from bpe import Trace
from bpe.analysis.alignment import aligned_rows as rows_of
from film.encoding_feed import encoding_feed, encoding_window
from film.feed import EncodingFeed, TrainingFeed
from film.training_feed import training_feed
from ui.components.aligned_rows import aligned_rows
from ui.components.token_grid import token_grid, window_start
from ui.lessons import Beat, Lesson
from ui.lessons.card import GROUP
from ui.lessons.card_content import content_of

MOST_SPELLED = 40  # characters shown in bytes


def grid_key(lesson: Lesson) -> str:
    """Return the key of a lesson's grid. Two lessons with one corpus and recipe have grids at different steps."""
    return f"lesson-{lesson.slug}"


@st.cache_resource(max_entries=40, show_spinner=False)
def feed_of(slug: str, start: int, _lesson: Lesson, _trace: Trace) -> TrainingFeed:
    """Return the grid's feed. All sessions share it, since lessons hold no user's text."""
    return training_feed(_trace, _lesson.corpus.training_text, start=start)


@st.cache_resource(max_entries=40, show_spinner=False)
def cached_content(slug: str, _lesson: Lesson, _trace: Trace, _following: Lesson | None) -> dict[str, Any]:
    """Return the card's data."""
    return content_of(_lesson, _trace, _following)


@st.cache_resource(max_entries=40, show_spinner=False)
def _encoding_of(slug: str, step: int, text: str, _lesson: Lesson, _trace: Trace) -> EncodingFeed:
    tokenizer = _lesson.tokenizer(_trace, step)
    return encoding_feed(tokenizer, encoding_window(text, tokenizer), _lesson.encoder)[0]


def grids(lesson: Lesson, trace: Trace, beat: Beat) -> None:
    """Draw the grid of the training, which the card moves, and above it the beat's new text or bytes."""
    above = st.container()
    feed = feed_of(lesson.slug, window_start(grid_key(lesson)), lesson, trace)
    token_grid(feed, key=grid_key(lesson), step=beat.step, group=GROUP, beatwise=True, trace=trace)
    with above:
        if beat.encode:
            encoding = _encoding_of(lesson.slug, beat.step, beat.encode, lesson, trace)
            st.caption("The new text, step by step; below it what was learned.")
            token_grid(encoding, key="lesson-encoding")
        elif beat.show == "bytes":
            tokenizer = lesson.tokenizer(trace, beat.step)
            rows = rows_of(lesson.corpus.reading_text[:MOST_SPELLED], tokenizer)
            aligned_rows(rows, tokenizer.ids, key="lesson_bytes", label="The text from characters to tokens")
