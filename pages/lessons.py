"""Lessons: start here with worked examples, one idea at a time."""

from functools import partial

import streamlit as st

from bpe import Trace
from ui.choices import text_link
from ui.gaps.first_frame import first_frame, later
from ui.page_parts import talk
from ui.page_parts.lessons import card, choosing, curriculum, glossary_page, to_watch
from ui.page_parts.lessons.lesson import Lesson, parts
from ui.page_parts.lessons.lesson_film import lesson_film
from ui.shown import navigation
from ui.shown.saving import draw_share, save_film
from ui.trainings import training
from ui.trainings.memory_budget import fragment
from ui.view import visit
from ui.view.text import in_markdown, tokens_in_markdown


@fragment
def _follow(lesson: Lesson, trace: Trace, start: int, asked: int, in_menu: tuple[str, ...]) -> None:
    """Draw the lesson. The browser changes the beats; this fragment runs again when it stops at one.

    asked: how often a beat was asked for.
    in_menu: the titles in the menu, with scores and ticks.
    """
    content = card.page_content(lesson, trace) | talk.beside(lesson)
    receive, leave = partial(choosing.receive, lesson, trace), choosing.leave_for
    with st.container(key="lesson_stage"):
        state = card.card(content, start, choosing.drawn_verdicts(lesson, trace), receive, leave, asked)
    talk.leave()
    if state.term is not None:
        glossary_page.open_at(state.term)
    choosing.remember(lesson, state.beat)
    choosing.keep()
    if choosing.titles() != in_menu:  # the menu is outside this fragment
        st.rerun()


navigation.enter()
visit.read("lessons", choosing.LINK)
talk.begin_on_lessons()
talk.leave()
row = st.container(horizontal=True, key="lesson_row")
row.empty()  # the place of the menu is there before it, since it holds an element
with row, later():
    lesson = choosing.choose()
talk.draw("")
learn, about = in_markdown(lesson.learn, most=200), in_markdown(lesson.about, most=500)
with navigation.below_title():
    st.markdown(f"You will learn {learn}. :gray[{about}]")
trace = training.whole_trace(lesson.corpus, lesson.recipe)
_follow(lesson, trace, choosing.beat(lesson), choosing.times_asked(), choosing.titles())
if not first_frame("lessons"):
    st.stop()
st.markdown(f"**Try it.** {tokens_in_markdown(parts(lesson.try_it))}")
with st.container(horizontal=True, vertical_alignment="center"):
    to_watch.open_in_watch(lesson)
    curriculum.draw_exercises()
    st.caption(in_markdown(lesson.sources, most=700), width="content")
beat = lesson.beats[choosing.beat(lesson)]
with navigation.share_place():
    draw_share(
        "lessons",
        {
            "Link": lambda: text_link.link_code(
                st.query_params.to_dict(), fragment="", instead="save the film"
            ),
            "Film": lambda: save_film(lambda: lesson_film(lesson, trace, beat), beat.step, len(trace.steps)),
        },
    )
