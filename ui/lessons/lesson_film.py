"""A lesson as a film: its beats, each with the stage that its text is about."""

from collections.abc import Mapping
from typing import Any

from bpe import Trace
from film.feed import Feed
from film.html_page import Site
from film.lesson_page import lesson_page
from film.live import live_recipe
from film.page import ALONE, field_text, way_of
from ui.lessons.card import beat_data
from ui.lessons.lesson import Beat, Lesson
from ui.lessons.stages import STAGES, BeatContent, own_feed

# The fields of a beat that the film has too.
_NAMES = ("step", "say", "question", "answer", "guess", "gives", "point", "tells", "named", "above")

_NOTHING: Mapping[str, Any] = {"lanes": [], "rail": None, "data": None}  # of a stage


def lesson_film(
    lesson: Lesson,
    trace: Trace,
    beat: Beat,
    *,
    note: str = "",
    site: Site = ALONE,
    shares_script: bool = False,
) -> str:
    """Return the lesson's film as an HTML file that begins at a beat; see `lesson_page`."""
    feeds: list[Feed] = [own_feed(lesson, trace)]
    stages = [{**_NOTHING, **STAGES["grid"].film(BeatContent(lesson, trace, beat), feeds)}]
    beats: list[dict[str, Any]] = []
    for one in lesson.beats:
        content = BeatContent(lesson, trace, one)
        stage = {**_NOTHING, **STAGES[one.stage].film(content, feeds)}
        if stage not in stages:
            stages.append(stage)
        data = beat_data(content)
        beats.append({**{name: data[name] for name in _NAMES}, "stage": stages.index(stage)})
    text, recipe = lesson.corpus.training_text, live_recipe(trace)
    return lesson_page(
        beats,
        stages,
        feeds,
        text,
        recipe,
        way_of({trace.tie_break.title: trace}) if recipe and field_text(text) else None,
        title=lesson.title,
        start=lesson.beats.index(beat),
        marker=trace.variant.marker_text,
        lights=not lesson.vocabulary,
        note=note,
        site=site,
        shares_script=shares_script,
    )
