"""The curriculum: how long each lesson takes, and paths through the lessons for a talk. The paths are in `paths.toml`.

The minutes are computed from the beats: their text at the pace of a slow speaker, a pause for each question, more time
for an exercise, and a few seconds in which each beat's grid is looked at.
"""

import html
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ui.lessons import Beat, Lesson, lessons

FILE = Path(__file__).with_name("paths.toml")
WORDS_A_MINUTE = 120  # read aloud
LOOK, QUESTION, EXERCISE = 8, 15, 30  # seconds for a beat, a question, an exercise
HOW = (
    f"Minutes are counted from the text: {WORDS_A_MINUTE} words a minute, {LOOK} seconds to look at each step, "
    f"{QUESTION} for a question and {EXERCISE} for an exercise."
)


@dataclass(frozen=True, slots=True)
class Stop:
    """One lesson of a path, with notes for the speaker."""

    lesson: Lesson
    notes: str


@dataclass(frozen=True, slots=True)
class LessonPath:
    """A way through some lessons that fits into so many minutes."""

    title: str
    minutes: int  # that it may take
    stops: tuple[Stop, ...]

    @property
    def needs(self) -> int:
        """The minutes that its lessons need."""
        return sum(minutes_of(stop.lesson) for stop in self.stops)


@cache
def paths() -> tuple[LessonPath, ...]:
    """Return all paths, the shortest first."""
    rows = tomllib.loads(FILE.read_text("utf-8"))["paths"]
    return tuple(LessonPath(row["title"], row["minutes"], tuple(map(_stop, row["lessons"]))) for row in rows)


def _stop(row: Mapping[str, str]) -> Stop:
    return Stop(lessons()[row["slug"]], row["notes"])


def seconds_of(beat: Beat) -> float:
    """Return how long a beat takes."""
    words = len(f"{beat.say} {beat.question} {beat.answer}".split())
    pause = EXERCISE if beat.exercise else QUESTION if beat.question else 0
    return LOOK + pause + 60 * words / WORDS_A_MINUTE


def minutes_of(lesson: Lesson) -> int:
    """Return how many minutes a lesson takes, at least 1."""
    return max(1, round(sum(map(seconds_of, lesson.beats)) / 60))


def handout() -> str:
    """Return the paths with their notes as one HTML page, to be printed."""
    parts = [f"<p>{html.escape(HOW)}</p>"]
    for path in paths():
        parts.append(f"<h2>{html.escape(path.title)}</h2><p>{path.needs} minutes of lessons.</p><ol>")
        for stop in path.stops:
            title, notes = html.escape(stop.lesson.title), html.escape(stop.notes)
            parts.append(f"<li><strong>{title}</strong>, {minutes_of(stop.lesson)} min<br>{notes}</li>")
        parts.append("</ol>")
    style = (
        "body{font:12pt/1.45 sans-serif;max-width:42em;margin:2em auto}li{margin:.5em 0}h2{break-after:avoid}"
    )
    title = "Merge by Merge: paths through the lessons"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{style}</style>'
        f"<h1>{title}</h1>{''.join(parts)}</html>"
    )
