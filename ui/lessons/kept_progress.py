"""The progress of a visit in the browser tab: the exercises that were tried, and the lessons seen to the end."""

from ui import exercises
from ui.lessons import choosing
from ui.lessons.beats.answers import listed_exercises
from ui.streamlit_gaps.kept_text import kept_text

EXERCISES, DONE = "exercises", "lessons_done"


def keep() -> None:
    """Store the progress, and restore it after a reload."""
    records = {EXERCISES: exercises.as_record(), DONE: " ".join(sorted(choosing.done()))}
    kept_text({}, tuple(records), key="_kept_progress", restore=_restore, records=records)


def _restore(records: dict[str, str]) -> None:
    exercises.restore(records.get(EXERCISES, ""), {one.name for one in listed_exercises()})
    choosing.add_done(records.get(DONE, "").split())
