"""Answers to the exercises of lessons: judged, recorded for the visit, and drawn again on the card."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from bpe import Trace
from ui import exercises
from ui.exercises import Listed, drawn_sentence, exercise_name
from ui.lessons import Lesson, lessons
from ui.lessons.beats.beat_content import BeatContent


def receive(lesson: Lesson, trace: Trace, beat: int, answer: object) -> None:
    """Judge and record an answer to the exercise of a beat; None opens the answer. Ignore what is neither."""
    if lesson.beats[beat].exercise is None:
        return
    name = exercise_name(lesson.slug, beat)
    if answer is None:
        exercises.open_answer(name)
        return
    verdict = lesson.question(trace, lesson.beats[beat]).judge(answer)
    if verdict is not None:
        exercises.record(name, verdict)


def drawn_verdicts(lesson: Lesson, trace: Trace) -> Mapping[str, Any]:
    """Return {beat: the verdict on its last answer} as data for the card."""
    drawn: dict[str, Any] = {}
    for number, beat in enumerate(lesson.beats):
        attempt = exercises.attempts().get(exercise_name(lesson.slug, number))
        if attempt is None or attempt.last is None:
            continue
        chip = BeatContent(lesson, trace, beat).chip
        sentence = drawn_sentence(attempt.last.sentence, chip)
        drawn[str(number)] = {
            "right": attempt.last.right,
            "sentence": sentence,
            "tries": attempt.tries,
            "answers": attempt.answers,
        }
    return drawn


@cache
def listed_exercises() -> tuple[Listed, ...]:
    """Return the exercises of all lessons."""
    rows: list[Listed] = []
    for lesson in lessons().values():
        asked = [(number, beat) for number, beat in enumerate(lesson.beats) if beat.exercise]
        for count, (number, beat) in enumerate(asked, start=1):
            assert beat.exercise is not None
            question = beat.question.replace("`", "")
            name = exercise_name(lesson.slug, number)
            rows.append(Listed(name, lesson.slug, lesson.title, count, beat.exercise.kind, question))
    return tuple(rows)


def score(lesson: str) -> tuple[int, int]:
    """Return how many exercises of a lesson are right, and how many there are."""
    names = [one.name for one in listed_exercises() if one.lesson == lesson]
    return exercises.number_right(names), len(names)
