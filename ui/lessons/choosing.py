"""The choice of a lesson, by part and title, and its current beat. Both survive page changes and are in the link."""

from collections.abc import Iterable

import streamlit as st

from ui import session
from ui.lessons import CURIOUS, Lesson, answers, lessons
from ui.shell import navigation
from ui.show.text import in_markdown
from ui.visit import page_link

KEY, PART = "lesson", "lesson_part"
MOST_BEATS = 99
LINK = {
    "lesson": (KEY, page_link.slug(*lessons())),
    "beat": (session.LINKED_BEAT.key, page_link.whole_number(1, MOST_BEATS)),
}


def choose() -> Lesson:
    """Draw a row of parts and a row of the part's lessons; return the chosen lesson."""
    slug = session.NEXT_LESSON.read() or st.session_state.get(KEY)
    session.NEXT_LESSON.forget()
    lesson = lessons().get(str(slug), next(iter(lessons().values())))
    parts = list(dict.fromkeys(other.part for other in lessons().values()))
    st.session_state.update({KEY: lesson.slug, PART: lesson.part})
    st.segmented_control(
        "Part",
        parts,
        key=PART,
        required=True,
        persist_state="session",
        label_visibility="collapsed",
        on_change=_begin_part,
    )
    st.pills(
        "Lesson",
        [other.slug for other in lessons().values() if other.part == lesson.part],
        key=KEY,
        format_func=title,
        required=True,
        persist_state="session",
        label_visibility="collapsed",
    )
    return lesson


def title(slug: str) -> str:
    """Return a lesson's title in the menu: its number, the exercises answered, a tick if its last step was shown."""
    lesson = lessons()[slug]
    prefix = f"{lesson.number}\u2002" if lesson.number else f":small[{CURIOUS}]\u2002"
    right, exercises = answers.score(slug)
    score = f" :small[{right}/{exercises}]" if right else ""
    tick = " :material/check:" if slug in done() else ""
    return prefix + in_markdown(lesson.title) + score + tick


def titles() -> tuple[str, ...]:
    """Return the titles of all lessons in the menu."""
    return tuple(map(title, lessons()))


def _begin_part() -> None:
    """Choose the first lesson of the part. A callback; a forged part has no lesson and changes nothing."""
    of_part = [slug for slug, lesson in lessons().items() if lesson.part == st.session_state[PART]]
    if of_part:
        st.session_state[KEY] = of_part[0]


def following(lesson: Lesson) -> Lesson | None:
    """Return the lesson after this one, if there is one. The way leads past the lessons for the curious."""
    order = list(lessons().values())
    after = order[order.index(lesson) + 1 :]
    return next((other for other in after if other.number or not lesson.number), None)


def ask_for(slug: str, beat: int = 0) -> None:
    """Request this lesson, by default from its first beat, for the next run of the page."""
    if slug in lessons():
        session.NEXT_LESSON.write(slug)
        session.LESSON_BEATS.read()[slug] = beat


def beat(lesson: Lesson) -> int:
    """Return the beat to begin with, from 0: that of the link, else the one last shown, else the first."""
    beats = session.LESSON_BEATS.read()
    linked = session.LINKED_BEAT.read()
    session.LINKED_BEAT.forget()
    if linked is not None:
        beats[lesson.slug] = linked - 1
    return min(beats.get(lesson.slug, 0), len(lesson.beats) - 1)


def invite() -> None:
    """Draw a link to the first lesson, until the viewer has opened a lesson in this visit."""
    if not session.LESSON_BEATS.read():
        st.page_link(
            navigation.file_of("lessons"), label="New here? Start with lesson 1", icon=":material/school:"
        )


def done() -> frozenset[str]:
    """Return the lessons whose last step was shown in this visit."""
    return frozenset(session.LESSONS_DONE.read())


def add_done(slugs: Iterable[str]) -> None:
    """Record that the last step of these lessons was shown. Other texts are ignored."""
    session.LESSONS_DONE.read().update(lessons().keys() & set(slugs))


def remember(lesson: Lesson, number: int) -> None:
    """Store the current beat, for a return to the page and for the link, which counts from 1."""
    session.LESSON_BEATS.read()[lesson.slug] = number
    if number == len(lesson.beats) - 1:
        add_done([lesson.slug])
    page_link.write({"lesson": lesson.slug, "beat": number + 1})
