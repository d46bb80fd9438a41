"""The curriculum: how long each lesson takes, and paths through the lessons for a talk. The paths are in `paths.toml`.

The minutes are computed from the beats: their text at the pace of a slow speaker, a pause for each question, more time
for an exercise, and a few seconds in which each beat's grid is looked at.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

import streamlit as st

from bpe import BPEError
from bpe.text.display import counted
from ui.page_parts.lessons import exercises
from ui.page_parts.lessons.choosing import ask_for, beat_of, draw_switch, listed_exercises
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.exercises import KINDS, Listed
from ui.page_parts.lessons.lesson import CURIOUS, Beat, Lesson
from ui.shown import navigation
from ui.view import component as message
from ui.view.component import COMPONENTS, component
from ui.view.downloads import download_button
from ui.view.text import in_markdown
from ui.view.visit import Slot

_FILE = Path(__file__).with_name("paths.toml")

# Pages of a talk besides Lessons -> what one does there.
_PAGES = {"watch": "Watch every merge", "compare": "Two rules side by side", "encode": "A new word"}
_WORDS_A_MINUTE = 120  # read aloud
_LOOK, _QUESTION, _EXERCISE = 8, 15, 30  # seconds for a beat, a question, an exercise
HOW = (
    f"Minutes are counted from the text: {_WORDS_A_MINUTE} words a minute, {_LOOK} seconds to look at each step, "
    f"{_QUESTION} for a question and {_EXERCISE} for an exercise."
)
_KEYS = (
    "Space or a clicker goes from step to step and from stop to stop. "
    "**T** opens a field for a word from the audience. **N** opens your notes and a clock in a second window. "
    "**?** lists the keys. **Esc** leaves the stage."
)
_COMPONENT = component("talk_paths", COMPONENTS / "talk_paths")

# By the ending of the file's name.
_FILES = {"json": ("application/json", exercises.as_json), "csv": ("text/csv", exercises.as_csv)}
_LOAD = "load_progress"  # key of the upload

# What became of the file that was loaded last
_LOADED: Slot[str] = Slot("_progress_loaded", str)
_HEIGHT = 218  # px of the list: what saves and loads it is in sight below


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of a path: a lesson, or a page with the lesson's text and settings. It has notes for the speaker."""

    lesson: Lesson
    notes: str
    asked: str = ""  # by students, with an answer
    page: str = ""  # watch, compare or encode; "" for the lesson itself
    merges: int = 0  # that the keys make on the page; 0 for all
    text: str = ""  # that Encode splits
    lanes: tuple[str, ...] = ()  # that Compare compares
    page_minutes: int = 0

    def __post_init__(self) -> None:
        if self.page not in ("", *_PAGES):
            raise BPEError(f"A stop's page must be one of {', '.join(_PAGES)}, got {self.page!r}.")
        if bool(self.page) is not bool(self.page_minutes):
            raise BPEError(f"A page has minutes of its own, and a lesson has not, got {self.page_minutes}.")

    @property
    def title(self) -> str:
        """What the talk does here."""
        return f"{_PAGES[self.page]}: {self.lesson.title}" if self.page else self.lesson.title

    @property
    def speech(self) -> str:
        """The notes, and what students ask."""
        return f"{self.notes} Students ask: {self.asked}" if self.asked else self.notes

    @property
    def minutes(self) -> int:
        """The minutes that it takes."""
        return self.page_minutes or _minutes_of(self.lesson)


@dataclass(frozen=True, slots=True)
class LessonPath:
    """A way through some lessons that fits into so many minutes."""

    title: str
    minutes: int  # that it may take
    stops: tuple[Stop, ...]

    @property
    def slug(self) -> str:
        """Its name in a link."""
        return str(self.minutes)

    @property
    def needs(self) -> int:
        """The minutes that its stops need."""
        return sum(stop.minutes for stop in self.stops)


@cache
def paths() -> tuple[LessonPath, ...]:
    """Return all paths, the shortest first."""
    rows = tomllib.loads(_FILE.read_text("utf-8"))["paths"]
    return tuple(LessonPath(row["title"], row["minutes"], tuple(map(_stop, row["stops"]))) for row in rows)


def address(path: LessonPath, number: int = 0) -> dict[str, str]:
    """Return the parameters of the address at which a talk on this path is at a stop, counted from 0."""
    return {"talk": path.slug, "stop": str(number + 1)}


def _minutes_of(lesson: Lesson) -> int:
    """Return how many minutes a lesson takes, at least 1."""
    return max(1, round(sum(map(_seconds_of, lesson.beats)) / 60))


def draw() -> None:
    """Draw the talks that can be given, and how long each lesson takes. Open the talk that begins."""
    asked = {f"{path.slug} {number}": (path, number) for path in paths() for number in _numbers(path)}
    begun = _COMPONENT(
        key="talk_paths",
        data={"paths": [_listed(path) for path in paths()]},
        on_begin_change=lambda: None,
        height="content",
    )
    name = message.read(begun, "begin", message.one_of(asked))
    if name is not None:
        path, number = asked[name]
        st.switch_page(navigation.file_of("lessons"), query_params=address(path, number - 1))
    st.markdown(_KEYS)
    with st.expander("How long each lesson takes"):
        st.markdown("  \n".join(_lines()))
        st.caption(HOW)


def draw_exercises() -> None:
    """Draw a popover with all exercises, the switch that remembers them, and their files."""
    listed = listed_exercises()
    right = exercises.number_right(one.name for one in listed)
    tried = sum(attempt.tries > 0 for attempt in exercises.attempts().values())
    label = f"Exercises: {right} of {len(listed)} right" if tried else "Exercises"
    popover = st.popover(label, icon=":material/task_alt:", key="exercises_menu", on_change="rerun")
    with popover:
        st.write(f"{counted(tried, 'exercise')} tried so far, {right} right.")
        if not popover.open:
            return
        draw_switch()
        with st.container(height=_HEIGHT, key="exercise_list"):
            for _, of_lesson in groupby(listed, key=lambda one: one.lesson):
                _draw_of_lesson(list(of_lesson))
        st.caption(
            "✓ right, … tried or opened, ○ not yet tried. An exercise does not count as right if its answer was shown "
            "first. The files hold your attempts, but neither your name nor your text."
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for ending, (mime, write) in _FILES.items():
                download_button(
                    f"Save as {ending.upper()}",
                    partial(write, listed),
                    f"merge-by-merge-progress.{ending}",
                    mime=mime,
                    key=f"save_progress_{ending}",
                )
            st.file_uploader(
                "Load saved progress", type=sorted(_FILES), key=_LOAD, on_change=_load, width="stretch"
            )
        if _LOADED.read():
            st.caption(in_markdown(_LOADED.read(), most=300))


def _stop(row: Mapping[str, Any]) -> Stop:
    return Stop(
        lessons()[row["lesson"]],
        row["notes"],
        asked=row.get("asked", ""),
        page=row.get("page", ""),
        merges=row.get("merges", 0),
        text=row.get("text", ""),
        lanes=tuple(row.get("lanes", ())),
        page_minutes=row.get("minutes", 0),
    )


def _seconds_of(beat: Beat) -> float:
    """Return how long a beat takes."""
    words = len(f"{beat.say} {beat.question} {beat.answer}".split())
    pause = _EXERCISE if beat.exercise else _QUESTION if beat.question else 0
    return _LOOK + pause + 60 * words / _WORDS_A_MINUTE


def _numbers(path: LessonPath) -> range:
    """Return the numbers of a path's stops, from 1."""
    return range(1, len(path.stops) + 1)


def _listed(path: LessonPath) -> dict[str, Any]:
    """Return what the component shows of a path."""
    return {
        "slug": path.slug,
        "minutes": f"{path.minutes} min",
        "title": path.title,
        "about": f"{counted(len(path.stops), 'stop')}, {path.needs} minutes in all. The rest is for questions.",
        "stops": [
            {"title": stop.title, "about": f"{stop.minutes} min", "notes": stop.speech} for stop in path.stops
        ],
    }


def _lines() -> list[str]:
    """Return a line for each part and each of its lessons."""
    lines: list[str] = []
    part = ""
    for lesson in lessons().values():
        if lesson.part != part:
            part = lesson.part
            lines.append(f"**{in_markdown(part)}**")
        prefix = f"{lesson.number}\u2002" if lesson.number else f":small[{CURIOUS}]\u2002"
        lines.append(f"{prefix}{in_markdown(lesson.title, most=100)}, {_minutes_of(lesson)} min")
    return lines


def _draw_of_lesson(listed: Sequence[Listed]) -> None:
    """Draw the exercises of a lesson: its title with how many are right, and a button that leads to each."""
    right = exercises.number_right(one.name for one in listed)
    lesson = lessons()[listed[0].lesson]
    prefix = f"{lesson.number}. " if lesson.number else ""
    title = f"{in_markdown(prefix + lesson.title, most=120)} :gray[{right} of {len(listed)}]"
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(title, width="content")
        for one in listed:
            st.button(
                f"{_sign(one)} {KINDS[one.kind].name}",
                key=f"exercise {one.name}",
                type="tertiary",
                help=in_markdown(one.question, most=200),
                on_click=ask_for,
                args=(one.lesson, beat_of(one.name)),
            )


def _sign(one: Listed) -> str:
    attempt = exercises.attempts().get(one.name)
    if attempt is None or not (attempt.tries or attempt.opened):
        return "○"
    return "✓" if attempt.right else "…"


def _load() -> None:
    file = st.session_state.get(_LOAD)
    if file is None:
        return _LOADED.forget()
    try:
        number = exercises.load(file.getvalue(), listed_exercises())
    except BPEError as error:
        return _LOADED.write(str(error))
    return _LOADED.write(f"Loaded: {counted(number, 'exercise')} with tries.")
