"""The overview of the course on the page Lessons: all lessons with their minutes, and paths for a talk."""

import streamlit as st

from ui.lessons import CURIOUS, lessons
from ui.lessons.curriculum import HOW, handout, minutes_of, paths
from ui.show.text import in_markdown


def draw() -> None:
    """Draw the overview in an expander."""
    with st.expander("All lessons, and what to teach in 10, 30 or 60 minutes", icon=":material/map:"):
        every, *tabs = st.tabs(["All lessons", *(path.title for path in paths())])
        with every:
            st.markdown("  \n".join(_lines()))
        for tab, path in zip(tabs, paths(), strict=True):
            with tab:
                st.caption(f"{path.needs} minutes of lessons; the rest is for questions from the room.")
                for stop in path.stops:
                    title = in_markdown(stop.lesson.title, most=100)
                    st.markdown(
                        f"**{title}**, {minutes_of(stop.lesson)} min  \n{in_markdown(stop.notes, most=300)}"
                    )
        st.caption(HOW)
        st.download_button(
            "Save for printing",
            data=lambda: handout().encode(),
            file_name="merge-by-merge-paths.html",
            mime="text/html",
            key="save_paths",
            on_click="ignore",
        )


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
