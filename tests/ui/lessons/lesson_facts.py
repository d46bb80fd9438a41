"""Check the facts of lessons: every kind of fact is compared with bpe.train."""

from tests.ui.lessons import lesson_checks, lesson_figures
from tests.ui.lessons.lesson_claim import Claim, trained
from tests.ui.lessons.lesson_published import PUBLISHED_CHECKS, PUBLISHED_FIGURES
from tests.ui.lessons.lesson_relatives import RELATIVE_CHECKS, RELATIVE_FIGURES
from ui import lessons
from ui.lessons import Beat, Fact, Lesson

FIGURES = lesson_figures.FIGURES | RELATIVE_FIGURES | PUBLISHED_FIGURES
CHECKS = lesson_checks.CHECKS | RELATIVE_CHECKS | PUBLISHED_CHECKS


def holds(lesson: Lesson, beat: Beat, fact: Fact) -> bool:
    """Return whether a lesson's fact agrees with the training."""
    recipe = lessons.read_recipe(fact["under"]) if "under" in fact else lesson.recipe
    trace = trained(lesson.slug, recipe, fact.get("on", ""))
    claim = Claim(lesson, beat, trace, trained(lesson.slug, lesson.recipe), fact.get("step", beat.step), fact)
    if fact["kind"] in FIGURES:
        return bool(FIGURES[fact["kind"]](claim) == fact["is"])
    return CHECKS[fact["kind"]](claim)
