"""From a lesson to Watch with the lesson's text and recipe, and back to the beat."""

from dataclasses import dataclass

import streamlit as st

from ui.choices import choices, corpus_controls, recipe_controls
from ui.choices.corpus_controls import Texts
from ui.page_parts.lessons import choosing
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.lesson import Lesson
from ui.shown import navigation
from ui.trainings.recipe import signature
from ui.trainings.settings import Value
from ui.view import token_grid
from ui.view.visit import Slot, nothing

# The lesson and the beat, from 0, that opened Watch
_LESSON_LEFT: Slot[tuple[str, int] | None] = Slot("_lesson_left", nothing)
_CARRIES = (
    "Opens this very step in Watch, with this lesson's text and settings. “Back to lesson” puts yours back."
)


def open_in_watch(lesson: Lesson) -> None:
    """Draw a button that puts corpus and recipe into the choices and goes to Watch, at the step of the beat."""
    if lesson.vocabulary:  # nothing was trained
        return
    if st.button("Open in Watch", key="lesson_watch", on_click=_carry, args=(lesson,), help=_CARRIES):
        st.switch_page(navigation.file_of("watch"))


def _set_aside(base: str) -> None:
    """Store what the choices hold, before a lesson's text and settings replace it.

    base: of the lesson's training. If the choices still hold another lesson's, the viewer's own stay stored.
    """
    before = _OWN_SETTINGS.read()
    if before is not None and _shows(before.base):
        _OWN_SETTINGS.write(_OwnSettings(before.texts, before.values, before.suggested, base))
    else:
        _OWN_SETTINGS.write(_OwnSettings(corpus_controls.texts(), *recipe_controls.contents(), base))


def put_back() -> None:
    """Put the viewer's own into the choices, unless the viewer has changed text or recipe since. A callback."""
    own = _OWN_SETTINGS.read()
    _OWN_SETTINGS.forget()
    if own is not None and _shows(own.base):
        corpus_controls.put_back(own.texts)
        recipe_controls.put_back(own.values, own.suggested)


def carry(lesson: Lesson) -> str:
    """Put the lesson's text and recipe into the choices; return the base of its training, as in Choice."""
    base = signature(lesson.corpus, lesson.recipe.without_end)
    _set_aside(base)
    if lesson.sample:
        corpus_controls.put_sample(lesson.sample)
    else:
        corpus_controls.put(lesson.corpus)
    recipe_controls.put(lesson.recipe.values)
    return base


def draw_way_back() -> None:
    """Draw a button back to the lesson that opened Watch, until the viewer dismisses it. Nothing without one."""
    left = _LESSON_LEFT.read()
    if left is None:
        return
    slug, beat = left
    number = lessons()[slug].number
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="way_back"):
        label = f"Back to {f'lesson {number}' if number else 'the lesson'}, step {beat + 1}"
        back = st.button(label, key="lesson_back", icon=":material/arrow_back:", on_click=put_back)
        st.button("Stay here", key="lesson_stay", icon=":material/close:", type="tertiary", on_click=_stay)
    if back:
        _LESSON_LEFT.forget()
        choosing.ask_for(slug, beat)
        st.switch_page(navigation.file_of("lessons"))


@dataclass(frozen=True, slots=True)
class _OwnSettings:
    """What the choices held before a lesson, and the corpus and recipe of the lesson."""

    texts: Texts
    values: dict[str, Value]
    suggested: dict[str, Value]
    base: str  # of the lesson's training, as in Choice


# The viewer's text and settings, while those of a lesson are chosen
_OWN_SETTINGS: Slot[_OwnSettings | None] = Slot("_own_settings", nothing)


def _forget() -> None:
    """Forget the viewer's own: the lesson's stay."""
    _OWN_SETTINGS.forget()


def _shows(base: str) -> bool:
    choice = choices.last_choice()
    return choice is not None and choice.base == base


def _carry(lesson: Lesson) -> None:
    """Put the lesson into the choices, and Watch at its beat. A callback: the choices are drawn before the page."""
    base = carry(lesson)
    number = _remember(lesson)
    token_grid.begin_at("watch", base, lesson.beats[number].step)


def _remember(lesson: Lesson) -> int:
    """Remember the lesson and its beat for the way back from Watch; return the beat."""
    number = choosing.beat(lesson)
    _LESSON_LEFT.write((lesson.slug, number))
    return number


def _stay() -> None:
    """Keep the lesson's text and settings, and leave no way back. A callback."""
    _LESSON_LEFT.forget()
    _forget()
