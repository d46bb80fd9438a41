"""A lesson as a film: its beats, each with the stage that its text is about."""

from collections.abc import Callable, Mapping
from typing import Any

from bpe import Trace
from film.feed import Feed
from film.html_page import Site
from film.lesson_page import STAGES, lesson_page
from film.live import live_recipe
from film.page import ALONE
from ui.components.aligned_rows import rows_data
from ui.lessons import Beat, Lesson
from ui.lessons.evidence import models_table, name_of
from ui.lessons.stages import (
    SPELLED,
    SUBJECT_KINDS,
    BeatContent,
    beat_data,
    feed_beside,
    feed_of_encoding,
    own_feed,
    rail_of,
    spelled,
    subject_of,
    ways_of,
)

NAMES = (
    "step",
    "say",
    "question",
    "answer",
    "guess",
    "gives",
    "point",
    "tells",
    "named",
)  # of a beat, in the film too
NOTHING: Mapping[str, Any] = {
    "lanes": [],
    "rail": None,
    "subject": None,
    "rows": None,
    "table": None,
    "ways": None,
}


def is_told_by_film(lesson: Lesson) -> bool:
    """Return whether a film can show the stage of every beat of a lesson."""
    return all(kind_of(beat) in STAGES for beat in lesson.beats)


def kind_of(beat: Beat) -> str:
    """Return the kind of a beat's stage in a film."""
    return "subject" if beat.stage in SUBJECT_KINDS else beat.stage


def lesson_film(lesson: Lesson, trace: Trace, beat: Beat, *, note: str = "", site: Site = ALONE) -> str:
    """Return the lesson's film as an HTML file that begins at a beat."""
    feeds: list[Feed] = [own_feed(lesson, trace)]
    stages: list[dict[str, Any]] = [{**NOTHING, "kind": "grid", "lanes": [_lane(0)]}]
    beats: list[dict[str, Any]] = []
    for one in lesson.beats:
        content = BeatContent(lesson, trace, one)
        stage = _stage(content, feeds)
        if stage not in stages:
            stages.append(stage)
        data = beat_data(content)
        beats.append({**{name: data[name] for name in NAMES}, "stage": stages.index(stage)})
    return lesson_page(
        beats,
        stages,
        feeds,
        lesson.corpus.training_text,
        live_recipe(trace),
        title=lesson.title,
        start=lesson.beats.index(beat),
        marker=trace.variant.marker_text,
        lights=not lesson.vocabulary,
        note=note,
        site=site,
    )


def _lane(feed: int, title: str = "", ahead: int = 0) -> dict[str, Any]:
    return {"feed": feed, "title": title, "ahead": ahead}


def _stage(content: BeatContent, feeds: list[Feed]) -> dict[str, Any]:
    """Return the stage of a beat. Feeds that it needs are added to the film's."""
    kind = kind_of(content.beat)
    return {**NOTHING, "kind": kind, **PARTS[kind](content, feeds)}


def _number_of(feed: Feed, feeds: list[Feed]) -> int:
    """Return the number of a feed in the film, which holds each only once."""
    known = next((number for number, other in enumerate(feeds) if other["id"] == feed["id"]), None)
    if known is None:
        feeds.append(feed)
        return len(feeds) - 1
    return known


def _encoding(content: BeatContent, feeds: list[Feed]) -> dict[str, Any]:
    feed = feed_of_encoding(content.lesson, content.trace, content.beat)
    return {"lanes": [_lane(_number_of(feed, feeds))], "rail": rail_of(content)}


def _comparison(content: BeatContent, feeds: list[Feed]) -> dict[str, Any]:
    lesson, beat = content.lesson, content.beat
    assert beat.beside is not None
    other = _number_of(feed_beside(beat.beside, lesson, content.trace), feeds)
    ahead = 0 if beat.beside_step is None else beat.beside_step - beat.step
    titles = [name_of(recipe, "words") for recipe in (lesson.recipe, beat.beside)]
    return {"lanes": [_lane(0, titles[0]), _lane(other, titles[1], ahead)]}


def _bytes(content: BeatContent, feeds: list[Feed]) -> dict[str, Any]:
    tokenizer, rows = spelled(content.lesson, content.trace, content.beat)
    return {"rows": rows_data(rows, tokenizer.ids, SPELLED)}


def _models(content: BeatContent, feeds: list[Feed]) -> dict[str, Any]:
    table = models_table(content.beat.models)
    # A film has no Watch that a link could open.
    return {"table": {**table, "rows": [{**row, "preset": "", "link": ""} for row in table["rows"]]}}


# Kind of a stage -> what it holds.
PARTS: Mapping[str, Callable[[BeatContent, list[Feed]], dict[str, Any]]] = {
    "grid": lambda content, feeds: {"lanes": [_lane(0)]},
    "encoding": _encoding,
    "compare": _comparison,
    "subject": lambda content, feeds: {"subject": subject_of(content)},
    "bytes": _bytes,
    "models": _models,
    "every-way": lambda content, feeds: {"ways": ways_of(content)},
}
