"""The overview of the course on the page Lessons: all lessons with their minutes, and talks that one can begin."""

import streamlit as st

from ui import navigation
from ui.lessons import CURIOUS, lessons
from ui.lessons.overview.curriculum import HOW, LessonPath, address, handout, minutes_of, paths
from ui.show.text import in_markdown

LESSONS = navigation.file_of("lessons")
KEYS = (
    "P fills the screen. The keys of a clicker then go from step to step and from stop to stop, back and forth. "
    "V lets the room vote for a pair, and N opens your notes with a clock in a second window."
)


def draw() -> None:
    """Draw the overview in an expander."""
    with st.expander("Teach with this", icon=":material/co_present:"):
        tabs = st.tabs([*(path.title for path in paths()), "All lessons"])
        for tab, path in zip(tabs, paths(), strict=False):
            with tab:
                _draw_path(path)
        with tabs[-1]:
            st.markdown("  \n".join(_lines()))
        st.caption(HOW)
        st.download_button(
            "Save for printing",
            data=lambda: handout().encode(),
            file_name="merge-by-merge-paths.html",
            mime="text/html",
            key="save_paths",
            on_click="ignore",
        )


def _draw_path(path: LessonPath) -> None:
    """Draw a talk: a link that begins it, what its keys do, and its stops with a link to each."""
    st.page_link(LESSONS, label="Begin this talk", icon=":material/play_arrow:", query_params=address(path))
    st.caption(
        f"The stops take {path.needs} of the {path.minutes} minutes; the rest is for questions from the room. {KEYS}"
    )
    for number, stop in enumerate(path.stops):
        label = in_markdown(f"{number + 1}. {stop.title}, {stop.minutes} min", most=120)
        st.page_link(LESSONS, label=label, query_params=address(path, number))
        st.caption(in_markdown(stop.notes, most=300))


def _lines() -> list[str]:
    """Return a line for each part and each of its lessons."""
    lines: list[str] = []
    part = ""
    for lesson in lessons().values():
        if lesson.part != part:
            part = lesson.part
            lines.append(f"**{in_markdown(part)}**")
        prefix = f"{lesson.number}\u2002" if lesson.number else f":small[{CURIOUS}]\u2002"
        lines.append(f"{prefix}{in_markdown(lesson.title, most=100)}, {minutes_of(lesson)} min")
    return lines
