"""Speaker notes: paths of 10, 30, 45 and 90 minutes with what to say, and all exercises as links to film and app."""

import html
from collections.abc import Iterator, Mapping

import bpe
from gallery import notebook, problem_sheet, slides, take_home
from gallery.films import Film
from gallery.page import Addresses, footer, page_html
from ui.lessons.contents import lessons
from ui.lessons.curriculum import HOW, LessonPath, Stop, paths
from ui.lessons.lesson import Beat, Lesson
from ui.lessons.moving_numbers import with_first_numbers

FILE = "notes.html"
TITLE = "Teach byte pair encoding: speaker notes and exercises"
DESCRIPTION = "Paths of 10, 30, 45 and 90 minutes with notes for the speaker, and every exercise as a link."


def notes_page(films: Mapping[str, Film], addresses: Addresses) -> str:
    """Return the page."""
    body = f"""<header><p><a href="index.html">← All films</a></p><h1>{TITLE}</h1>
<p class="lead">{HOW} The rest of the time is for questions from the room.
The <a href="{slides.FILE}">slides for {slides.MINUTES} minutes</a> are one file with the films inside.
The <a href="handout.html">handout</a> is one page.</p>
<p class="lead">To take home: a <a href="{problem_sheet.FILE}">problem sheet</a> with lines to write on, its
<a href="{problem_sheet.SOLUTIONS}">solutions</a>, the same
<a href="{take_home.FILE}" download>questions for Moodle</a>, and a <a href="{notebook.FILE}" download>notebook</a> in
which students write a trainer. Or week by week, a Python script with one gap, which says what is wrong:
{_in_code()}.</p>
</header><main class="notes">
{"".join(_path(path, films) for path in paths())}
<section id="exercises"><h2>Exercises</h2>
<p>{_where_links_lead(addresses)}</p>
{"".join(_exercises(lesson, films, addresses) for lesson in lessons().values())}</section>
</main>
{footer(addresses)}"""
    return page_html(TITLE, DESCRIPTION, body, "index.css", addresses, FILE)


def _in_code() -> str:
    """Return links to the exercises in code."""
    return ", ".join(
        f'<a href="{file}" download>{title.lower()}</a>' for file, title in take_home.EXERCISES.values()
    )


def _where_links_lead(addresses: Addresses) -> str:
    film = "“Film” opens the step that the question is about"
    if not addresses.app:
        return f"{film}. The page Lessons of the app checks answers."
    return f"{film}, and “app” the lesson in the running app ({html.escape(addresses.app)}), which checks answers."


def _path(path: LessonPath, films: Mapping[str, Film]) -> str:
    stops = "".join(
        f"<li>{_title(stop, films)}, {stop.minutes} min"
        f'<span class="say">{html.escape(stop.notes)}</span>{_asked(stop)}</li>'
        for stop in path.stops
    )
    heading = f"<h2>{html.escape(path.title)}</h2><p>{path.needs} minutes of lessons.</p>"
    return f"<section>{heading}<ol>{stops}</ol></section>\n"


def _asked(stop: Stop) -> str:
    return f'<span class="say"><b>Students ask:</b> {html.escape(stop.asked)}</span>' if stop.asked else ""


def _title(stop: Stop, films: Mapping[str, Film]) -> str:
    title = html.escape(stop.title)
    film = None if stop.page else films.get(stop.lesson.slug)
    return f'<a href="{html.escape(film.opens)}">{title}</a>' if film else title


def _exercises(lesson: Lesson, films: Mapping[str, Film], addresses: Addresses) -> str:
    asked = [(number, beat) for number, beat in enumerate(lesson.beats, start=1) if beat.exercise]
    if not asked:
        return ""
    trace = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)
    rows = "".join(
        f"<li>{html.escape(beat.question.replace('`', ''))} {', '.join(_links(lesson, number, beat, films, addresses))}"
        f"<details><summary>Answer</summary>{html.escape(answer_of(lesson, trace, beat))}</details></li>"
        for number, beat in asked
    )
    return f'<h3>{html.escape(lesson.title)}</h3><ul class="exercises">{rows}</ul>\n'


def _links(
    lesson: Lesson, number: int, beat: Beat, films: Mapping[str, Film], addresses: Addresses
) -> Iterator[str]:
    film = films.get(lesson.slug)
    if film:
        yield f'<a href="{html.escape(film.file)}#step={beat.step}">film</a>'
    if addresses.app:
        yield f'<a href="{html.escape(addresses.app)}/lessons?lesson={lesson.slug}&amp;beat={number}">app</a>'


def answer_of(lesson: Lesson, trace: bpe.Trace, beat: Beat) -> str:
    """Return the answer to a beat's question as plain text: the lesson's own words, or else the engine's."""
    if beat.answer:
        return with_first_numbers(beat.answer, lambda: trace, beat.step).replace("`", "")
    label = trace.variant.label
    pieces = lesson.question(trace, beat).solution
    return "".join(piece if isinstance(piece, str) else label(piece) for piece in pieces)
