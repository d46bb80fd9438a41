"""Which lesson, and where one is in it: chosen by part and title, kept over pages, and in the link."""

from collections.abc import Mapping

import streamlit as st

import bpe
from ui import page_link
from ui.components.token_grid import forget
from ui.lessons import Lesson, lessons
from ui.show.text import in_markdown
from ui.sidebar import corpus_controls
from ui.sidebar.recipe import BOUNDS, signature

KEY, PART, BEAT = "lesson", "lesson_part", "_lesson_beat"
MOST_BEATS = 99
LINK = {
    "lesson": (KEY, page_link.slug(*lessons())),
    "beat": (BEAT, page_link.whole_number(1, MOST_BEATS)),
}


def choose() -> Lesson:
    """The lesson, from a row of parts and a row of the part's lessons."""
    slug = st.session_state.pop("_lesson_asked", st.session_state.get(KEY))
    lesson = lessons().get(slug, next(iter(lessons().values())))
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
        format_func=_title,
        required=True,
        persist_state="session",
        label_visibility="collapsed",
    )
    return lesson


def _title(slug: str) -> str:
    number = list(lessons()).index(slug) + 1
    return in_markdown(f"{number}\u2002{lessons()[slug].title}")


def _begin_part() -> None:
    part = st.session_state[PART]
    st.session_state[KEY] = next(slug for slug, lesson in lessons().items() if lesson.part == part)


def following(lesson: Lesson) -> Lesson | None:
    """The lesson after this one."""
    slugs = list(lessons())
    after = slugs[slugs.index(lesson.slug) + 1 :]
    return lessons()[after[0]] if after else None


def ask_for(slug: str) -> None:
    """Show this lesson from its first beat, at the next run of the page."""
    if slug in lessons():
        st.session_state["_lesson_asked"] = slug
        _beats()[slug] = 0


def beat(lesson: Lesson) -> int:
    """The beat to begin with, from 0: the link's, else where the viewer was, else the first."""
    linked = st.session_state.pop(BEAT, None)
    if linked is not None:
        _beats()[lesson.slug] = linked - 1
    return min(_beats().get(lesson.slug, 0), len(lesson.beats) - 1)


def remember(lesson: Lesson, number: int) -> None:
    """The beat the viewer is at, for coming back and for the link, which counts from 1."""
    _beats()[lesson.slug] = number
    page_link.write({"lesson": lesson.slug, "beat": number + 1})


def _beats() -> dict[str, int]:
    beats: dict[str, int] = st.session_state.setdefault("_lesson_beats", {})
    return beats


def open_in_watch(lesson: Lesson) -> None:
    """A button that puts corpus and recipe into the sidebar's controls and goes to Watch, at the step of the beat."""
    if lesson.vocabulary:  # nothing was trained
        return
    if st.button("Open in Watch", key="lesson_watch", on_click=_carry, args=(lesson,), help=CARRIES):
        st.switch_page("pages/watch.py")


CARRIES = "Takes this lesson's text and recipe into the sidebar, in place of what is there, to go on from this step."


def _carry(lesson: Lesson) -> None:
    """A callback, since the sidebar's controls are drawn before the page."""
    recipe = lesson.recipe
    if lesson.sample:
        st.session_state.update(corpus_source="sample", corpus_sample=lesson.sample)
    else:
        corpus_controls.take(lesson.corpus)
    values: Mapping[str, object] = {
        **{key: getattr(recipe, key) for key in ("preset", "variant", "tie_break", *BOUNDS) if key != "step"},
        **(
            {"pattern": recipe.pattern, "unit": recipe.unit} if bpe.VARIANTS[recipe.variant].configure else {}
        ),
    }
    st.session_state.update(values)
    st.session_state["_suggested"] = {}  # the recipe is chosen, not the sample's own suggestion
    step = lesson.beats[_beats().get(lesson.slug, 0)].step
    st.session_state.setdefault("_steps", {})[signature(lesson.corpus, recipe.without_end)] = step
    forget("watch")  # or it would come back to the step at which it was left
