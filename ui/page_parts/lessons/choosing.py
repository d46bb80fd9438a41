"""The choice of a lesson and its current beat. Both survive page changes and are in the link."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import streamlit as st

from bpe import Trace
from ui.gaps.run_context import came_by_history
from ui.page_parts.lessons import exercises
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.exercises import Listed, drawn_sentence, exercise_name
from ui.page_parts.lessons.lesson import CURIOUS, Lesson
from ui.page_parts.lessons.stages import GROUP, BeatContent
from ui.view import component as message
from ui.view import visit
from ui.view.menus import menu
from ui.view.told import tell
from ui.view.visit import Slot, nothing

# The lesson to show at the next run
_NEXT_LESSON: Slot[str | None] = Slot("_lesson_asked", nothing)

# What the card asks for, a lesson or a stop of a talk, until it is opened: a run that reads it can be broken off
_LEFT_FOR: Slot[str | None] = Slot("_card_left_for", nothing)

# The beat of the link, from 1
_LINKED_BEAT: Slot[int | None] = Slot("_lesson_beat", nothing)

# {lesson: beat, from 0}
_LESSON_BEATS: Slot[dict[str, int]] = Slot("_lesson_beats", dict)

# How often another beat was asked for: the card then turns to it, also within its lesson
_ASKED: Slot[int] = Slot("_beats_asked", int)

# Whether a link, or another page, said where this visit begins
_LED_HERE: Slot[bool | None] = Slot("_lesson_led", nothing)

# Lessons whose last step was shown, in this visit or in those that the device remembers
_LESSONS_DONE: Slot[set[str]] = Slot("_lessons_done", set)
KEY = "lesson"
MOST_BEATS = 99
LINK = {
    "lesson": (KEY, visit.slug(*lessons())),
    "beat": (_LINKED_BEAT.key, visit.whole_number(1, MOST_BEATS)),
}

# What the device remembers, unless the reader switches that off; then the browser tab alone remembers it.
_EXERCISES, _DONE, _PLACE = "exercises", "lessons_done", "place"
_DEVICE = "device"  # name under which a device holds "no" if nothing shall stay there
_MOST_CHARACTERS = 5_000_000  # what a browser stores
_REMEMBER = "remember_progress"  # key of the switch

# Whether the browser has given back what it had stored
_IS_RESTORED: Slot[bool] = Slot("_progress_restored", bool)

# Whether the device remembers
_REMEMBERS: Slot[bool] = Slot("_device_remembers", lambda: True)


def choose() -> Lesson:
    """Draw the menu of all lessons and return the chosen one."""
    if _LED_HERE.read() is None:
        _LED_HERE.write(bool(_NEXT_LESSON.read() or st.session_state.get(KEY)))
    slug = _NEXT_LESSON.read() or _gone_back_to() or st.session_state.get(KEY)
    _NEXT_LESSON.forget()
    lesson = lessons().get(str(slug), next(iter(lessons().values())))
    st.session_state[KEY] = lesson.slug
    # What is drawn now: a label that is looked up later would be read against the progress of then.
    drawn = dict(zip(_in_order(), titles(), strict=True))
    menu("Lesson", drawn, KEY, label_visibility="collapsed")
    return lesson


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
        exercises.record(name, verdict, answer)


def drawn_verdicts(lesson: Lesson, trace: Trace) -> Mapping[str, Any]:
    """Return {beat: the verdict on its last answer} as data for the card."""
    drawn: dict[str, Any] = {}
    for number, beat in enumerate(lesson.beats):
        attempt = exercises.attempts().get(exercise_name(lesson.slug, number))
        if attempt and attempt.last is None and attempt.answer is not None and beat.exercise:
            # It was given in an earlier visit.
            attempt.last = lesson.question(trace, beat).judge(attempt.answer)
        if attempt is None or attempt.last is None:
            continue
        chip = BeatContent(lesson, trace, beat).chip
        sentence = drawn_sentence(attempt.last.sentence, chip)
        drawn[str(number)] = {
            "right": attempt.last.right,
            "sentence": sentence,
            "tries": attempt.tries,
            "answers": attempt.answers,
            "record": exercises.as_record([exercise_name(lesson.slug, number)]),
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


def beat_of(name: str) -> int:
    """Return the beat of an exercise, counted from 0.

    >>> beat_of("the-first-tie/2")
    1
    """
    return int(name.rpartition("/")[2]) - 1


def _title(slug: str) -> str:
    """Return a lesson's title in the menu: its number, the exercises answered, a tick if its last step was shown."""
    lesson = lessons()[slug]
    prefix = f"{lesson.number}." if lesson.number else f"{CURIOUS}:"
    right, exercises = _score_of(slug)
    score = f" ({right}/{exercises})" if right else ""
    tick = " ✓" if slug in _done() else ""
    return f"{prefix} {lesson.title}{score}{tick}"


def titles() -> tuple[str, ...]:
    """Return the titles of all lessons in the menu."""
    return tuple(map(_title, _in_order()))


def beside(lesson: Lesson) -> dict[str, dict[str, str] | None]:
    """Return the lessons before and after this one as data for the card: the keys lead to the next one only."""
    after = _following(lesson)
    return {"before": None, "next": {"slug": after.slug, "title": after.title} if after else None}


def ask_for(slug: str, beat: int = 0) -> None:
    """Request this lesson, by default from its first beat, for the next run of the page."""
    if slug in lessons():
        _NEXT_LESSON.write(slug)
        _LESSON_BEATS.read()[slug] = beat
        _ASKED.write(_ASKED.read() + 1)


def leave_for(asked: str) -> None:
    """Record what the card asks for: a lesson, or a stop of a talk."""
    _LEFT_FOR.write(asked)


def left_for() -> str | None:
    """Return what the card has asked for and nobody has opened yet."""
    return _LEFT_FOR.read()


def has_left() -> None:
    """Forget what the card has asked for: it is opened."""
    _LEFT_FOR.forget()


def times_asked() -> int:
    """Return how often a beat was asked for."""
    return _ASKED.read()


def beat_shown_last(slug: str) -> int:
    """Return the beat of a lesson that was shown last, from 0."""
    return _LESSON_BEATS.read().get(slug, 0)


def recall_beat(slug: str, beat: int) -> None:
    """Let a lesson that this visit has not shown yet begin at a beat, from 0."""
    _LESSON_BEATS.read().setdefault(slug, beat)


def beat(lesson: Lesson) -> int:
    """Return the beat to begin with, from 0: that of the link, else the one last shown, else the first."""
    beats = _LESSON_BEATS.read()
    linked = _LINKED_BEAT.read()
    _LINKED_BEAT.forget()
    if linked is not None:
        beats[lesson.slug] = linked - 1
    return min(beats.get(lesson.slug, 0), len(lesson.beats) - 1)


def remember(lesson: Lesson, number: int) -> None:
    """Store the current beat, for a return to the page and for the link, which counts from 1."""
    _LESSON_BEATS.read()[lesson.slug] = number
    if number == len(lesson.beats) - 1:
        _add_done([lesson.slug])
    visit.write({"lesson": lesson.slug, "beat": number + 1})


def draw_switch() -> None:
    """Draw the switch that lets the device remember, with a sentence on what it stores."""
    st.session_state[_REMEMBER] = _REMEMBERS.read()
    st.toggle("Remember on this device", key=_REMEMBER, on_change=_switch)
    st.caption(
        "Your answers, the lessons you finished and your place stay in this browser until you switch this off."
        if _REMEMBERS.read()
        else "Your answers and your place stay in this browser tab until you close it, and nowhere else."
    )


def keep() -> None:
    """Let the card store the progress and the place, which it gives back when a visit begins."""
    slug = str(st.session_state.get(KEY, ""))
    records = {
        _EXERCISES: exercises.as_record(),
        _DONE: " ".join(sorted(_done())),
        _PLACE: f"{slug} {beat_shown_last(slug) + 1}",
    }
    tell(
        GROUP, "progress", {"records": records, "lasts": _REMEMBERS.read(), "fresh": not _IS_RESTORED.read()}
    )
    if _NEXT_LESSON.read() is not None:
        st.rerun()


def _score_of(lesson: str) -> tuple[int, int]:
    """Return how many exercises of a lesson are right, and how many there are."""
    names = [one.name for one in listed_exercises() if one.lesson == lesson]
    return exercises.number_right(names), len(names)


def _gone_back_to() -> str | None:
    """Return the lesson of the address that Back or Forward leads to; None without one."""
    slug = st.query_params.get(KEY)
    return slug if came_by_history() and slug in lessons() else None


def _in_order() -> list[str]:
    """Return the slugs as the menu lists them: the way through the course, then the lessons for the curious."""
    return sorted(lessons(), key=lambda slug: lessons()[slug].number == 0)


def _following(lesson: Lesson) -> Lesson | None:
    """Return the lesson after this one, if there is one. The way leads past the lessons for the curious."""
    order = list(lessons().values())
    after = order[order.index(lesson) + 1 :]
    return next((other for other in after if other.number or not lesson.number), None)


def _done() -> frozenset[str]:
    """Return the lessons whose last step was shown in this visit."""
    return frozenset(_LESSONS_DONE.read())


def _add_done(slugs: Iterable[str]) -> None:
    """Record that the last step of these lessons was shown. Other texts are ignored."""
    _LESSONS_DONE.read().update(lessons().keys() & set(slugs))


def _switch() -> None:
    _REMEMBERS.write(bool(st.session_state[_REMEMBER]))


def restore(sent: object) -> None:
    """Take the progress that the browser has stored, once. A callback: it is sent again until the answer comes."""
    if _IS_RESTORED.read():
        return
    _IS_RESTORED.write(True)
    names = (_EXERCISES, _DONE, _PLACE, _DEVICE)
    if records := message.read(sent, "restored", message.texts(names, _MOST_CHARACTERS)):
        _add(records)


def _add(records: dict[str, str]) -> None:
    """Add the progress of earlier visits, and go on where the last one ended, unless a link led to this one."""
    exercises.restore(records.get(_EXERCISES, ""), {one.name for one in listed_exercises()})
    _add_done(records.get(_DONE, "").split())
    _REMEMBERS.write(records.get(_DEVICE) != "no")
    slug, _, number = records.get(_PLACE, "").partition(" ")
    place = visit.whole_number(1, MOST_BEATS)(number)
    if place is not None and not _LED_HERE.read():
        ask_for(slug, place - 1)
