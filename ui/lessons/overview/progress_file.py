"""The progress of the visit on the page Lessons: how many exercises are right, and a file of it for a teacher."""

from functools import partial

import streamlit as st

from bpe.text.display import counted
from ui import exercises
from ui.lessons.beats.answers import listed_exercises

# By the ending of the file's name.
FILES = {"json": ("application/json", exercises.as_json), "csv": ("text/csv", exercises.as_csv)}


def draw() -> None:
    """Draw a popover with the score of the visit and the two files."""
    listed = listed_exercises()
    right = exercises.number_right(one.name for one in listed)
    with st.popover(f"Exercises: {right} of {len(listed)} right", icon=":material/task_alt:"):
        tried = sum(attempt.tries > 0 for attempt in exercises.attempts().values())
        st.write(f"{counted(tried, 'exercise')} tried in this visit, {right} right.")
        st.caption(
            "Exercises are the questions that you answer in the steps of a lesson. One does not count as right if its "
            "answer was shown first. Your progress stays in this browser tab until you close it."
        )
        with st.container(horizontal=True):
            for ending, (mime, write) in FILES.items():
                st.download_button(
                    f"Save as {ending.upper()}",
                    data=partial(write, listed),
                    file_name=f"merge-by-merge-progress.{ending}",
                    mime=mime,
                    key=f"save_progress_{ending}",
                    on_click="ignore",
                )
        st.caption(
            "For a teacher: each exercise with the number of tries. The file contains neither your name nor your text."
        )
