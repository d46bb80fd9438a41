"""A lesson as a film: its beats, each with the stage that its text is about."""

from bpe import Trace
from film.html_page import Site
from film.lesson_page import lesson_page
from film.live import live_recipe
from film.page import ALONE, field_text, way_of
from ui.page_parts.lessons.card import content_of
from ui.page_parts.lessons.lesson import Beat, Lesson
from ui.page_parts.lessons.stages import STAGES


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
    content = content_of(lesson, trace)
    in_film = {stage.part: stage.in_film for stage in STAGES.values()}
    stages = [
        {**stage, "data": in_film[stage["kind"]](stage["data"])} if stage["data"] else stage
        for stage in content["stages"]
    ]
    beats = [{**one, "exercise": None} for one in content["beats"]]  # Python would check the answers
    text, recipe = lesson.corpus.training_text, live_recipe(trace)
    return lesson_page(
        {**content, "beats": beats, "stages": stages},
        text,
        recipe,
        way_of({trace.tie_break.title: trace}) if recipe and field_text(text) else None,
        start=lesson.beats.index(beat),
        note=note,
        site=site,
        shares_script=shares_script,
    )
