"""The stage beside a lesson's card: what a beat is about, as one component with one player."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import streamlit as st

from bpe import Trace
from film.feed import EncodingFeed, TrainingFeed
from ui.components.aligned_rows import aligned_rows
from ui.components.lane_stage import lane_stage
from ui.components.lesson_subject import lesson_subject
from ui.components.models_table import models_table
from ui.components.token_grid import token_grid
from ui.every_way import picture_of_ways
from ui.lessons import Beat, Lesson, evidence
from ui.lessons.card import GROUP
from ui.lessons.evidence import name_of
from ui.lessons.stages import (
    SPELLED,
    BeatContent,
    content_of,
    feed_beside,
    feed_of_encoding,
    own_feed,
    rail_of,
    spelled,
    subject_of,
    ways_of,
)
from ui.lessons.stages import SUBJECT_KINDS as SUBJECTS
from ui.show.first_view import first_view
from ui.work.byte_cache import ByteCache

T = TypeVar("T")


def grid_key(lesson: Lesson) -> str:
    """Return the key of a lesson's grid. Two lessons with one corpus and recipe have grids at different steps."""
    return f"lesson-{lesson.slug}"


_MADE: ByteCache[tuple[Any]] = ByteCache(6_000_000)  # all lessons together take some 3 MB


def cached(lesson: Lesson, trace: Trace, what: object, make: Callable[[], T]) -> T:
    """Return what is made of a lesson's training. All sessions share it, since lessons hold no user's text.

    what: tells apart what is made of one training, such as a beat's number. Its key says how much of the training
    there is too, so that nobody gets what was made of a part of it.
    """
    made: tuple[T] = _MADE.get(f"{lesson.slug} {len(trace.steps)} {trace.stopped} {what}", lambda: (make(),))
    return made[0]


def feed_of(lesson: Lesson, trace: Trace) -> TrainingFeed:
    """Return the grid's feed."""
    return cached(lesson, trace, "feed", lambda: own_feed(lesson, trace))


def cached_content(lesson: Lesson, trace: Trace) -> dict[str, Any]:
    """Return the card's data. Each beat names the feed on its stage, so that the card can wait for its grid."""

    def content() -> dict[str, Any]:
        card = content_of(lesson, trace)
        beats = [
            {**drawn, "family": _family(lesson, trace, beat)}
            for drawn, beat in zip(card["beats"], lesson.beats, strict=True)
        ]
        return {**card, "beats": beats}

    return cached(lesson, trace, "card", content)


def _encoding_of(lesson: Lesson, trace: Trace, beat: Beat) -> EncodingFeed:
    encoder = lesson.encoder_of(beat)
    what = ("encoding", beat.step, beat.encode, encoder.slug, encoder.values)
    return cached(lesson, trace, what, lambda: feed_of_encoding(lesson, trace, beat))


def _family(lesson: Lesson, trace: Trace, beat: Beat) -> str:
    """Return the family of the feed on a beat's stage."""
    if beat.stage == "encoding":
        return _encoding_of(lesson, trace, beat)["family"]
    return feed_of(lesson, trace)["family"]


def grids(lesson: Lesson, trace: Trace, beat: Beat) -> None:
    """Draw the stage of a beat. The card moves its grid."""
    DRAWN[beat.stage](lesson, trace, beat)


def _draw_training(
    lesson: Lesson, trace: Trace, beat: Beat, lane: Mapping[str, str | int] | None = None
) -> None:
    feed = feed_of(lesson, trace)
    options = {} if lane else first_view(lesson.corpus)
    token_grid(
        feed,
        key=grid_key(lesson),
        step=beat.step,
        group=GROUP,
        lane=lane,
        options=options,
        beatwise=True,
        trace=trace,
    )


def _draw_encoding(lesson: Lesson, trace: Trace, beat: Beat) -> None:
    encoding = _encoding_of(lesson, trace, beat)
    number = lesson.beats.index(beat)
    rail = cached(lesson, trace, ("rail", number), lambda: rail_of(BeatContent(lesson, trace, beat)))
    token_grid(encoding, key="lesson-encoding", group=GROUP, beatwise=True, rail=rail)


def _draw_bytes(lesson: Lesson, trace: Trace, beat: Beat) -> None:
    tokenizer, rows = spelled(lesson, trace, beat)
    aligned_rows(rows, tokenizer.ids, key="lesson_bytes", label=SPELLED, group=GROUP)
    _draw_unseen(lesson, trace, beat)


def _draw_models(lesson: Lesson, trace: Trace, beat: Beat) -> None:
    models_table(evidence.models_table(beat.models), key="lesson_models", group=GROUP)
    _draw_unseen(lesson, trace, beat)


def _draw_subject(lesson: Lesson, trace: Trace, beat: Beat) -> None:
    number = lesson.beats.index(beat)
    subject = cached(lesson, trace, ("subject", number), lambda: subject_of(BeatContent(lesson, trace, beat)))
    lesson_subject(subject, key="lesson_subject", group=GROUP, marker=trace.variant.marker_text)
    _draw_unseen(lesson, trace, beat)


def _draw_ways(lesson: Lesson, trace: Trace, beat: Beat) -> None:
    number = lesson.beats.index(beat)
    ways = cached(lesson, trace, ("ways", number), lambda: ways_of(BeatContent(lesson, trace, beat)))
    picture_of_ways(ways, key="lesson_every_way", group=GROUP)
    _draw_unseen(lesson, trace, beat)


def _draw_unseen(lesson: Lesson, trace: Trace, beat: Beat) -> None:
    """Draw the grid out of sight. It still listens to the keys."""
    with st.container(key="lesson_unseen_grid"):
        _draw_training(lesson, trace, beat)


def _draw_comparison(lesson: Lesson, trace: Trace, beat: Beat) -> None:
    beside = beat.beside
    assert beside is not None
    titles = [name_of(recipe, "words") for recipe in (lesson.recipe, beside)]
    lanes: list[dict[str, str | int]] = [
        {"title": title, "index": number, "of": 2, "beside": 2} for number, title in enumerate(titles)
    ]
    if beat.beside_step is not None:
        lanes[1]["ahead"] = beat.beside_step - beat.step
    lane_stage(GROUP, key="lesson_lanes", brief=True)
    with st.container(key="lesson_lane_elements"):  # empty: the grids move to the stage
        _draw_training(lesson, trace, beat, lanes[0])
        feed = cached(lesson, trace, ("beside", beside), lambda: feed_beside(beside, lesson, trace))
        key = f"{grid_key(lesson)}-beside"
        token_grid(feed, key=key, step=beat.step, group=GROUP, transport=False, lane=lanes[1], beatwise=True)


DRAWN: Mapping[str, Callable[[Lesson, Trace, Beat], None]] = {
    "grid": _draw_training,
    "encoding": _draw_encoding,
    "bytes": _draw_bytes,
    "compare": _draw_comparison,
    "models": _draw_models,
    "every-way": _draw_ways,
    **dict.fromkeys(SUBJECTS, _draw_subject),
}
