"""Slides for a lecture: one HTML file that holds the films of a path. On paper each film is its text."""

import html
import json
import re
from collections.abc import Iterator, Mapping

from docs.gallery.films import Film
from docs.gallery.page import HERE, Addresses, page_html
from film.html_page import SITE_NAME, Site, hash_of
from film.page import FilmParts, style_of
from ui.lessons import Lesson
from ui.lessons.curriculum import LessonPath, Stop, address, paths

FILE = "slides.html"
MINUTES = 45
TITLE = f"Byte pair encoding: slides for {MINUTES} minutes"
DESCRIPTION = (
    "A lecture as one file, with its films inside: a clicker walks through it, and it can be printed."
)
# Page of the app -> what a lecturer does there.
ON_PAGES = {
    "watch": "Open the app on the page Watch. Each key shows one more step of a merge.",
    "compare": "Open the app on the page Compare: two rules train on the same words.",
    "encode": "Open the app on the page Encode, and split a word that the training never saw.",
}


def slides(films: Mapping[str, Film], addresses: Addresses) -> str:
    """Return the page. `films` are those of the gallery by slug."""
    path = next(path for path in paths() if path.minutes == MINUTES)
    lessons = {stop.lesson.slug: stop.lesson for stop in path.stops if not stop.page}
    pages = {slug: films[slug].write(Site()) for slug in lessons if slug in films}
    script = (HERE / "slides.js").read_text("utf-8")
    stops = "".join(_slide(number, stop, path, pages, addresses) for number, stop in enumerate(path.stops))
    body = f"""<main>
<section class="slide first" tabindex="-1"><h1>Byte pair encoding</h1>
<p>{html.escape(path.title)}: {len(path.stops)} stops, {path.needs} minutes with their questions</p>
<p class="how">Go on with → or Page Down, back with ← or Page Up. N shows the notes for the speaker.</p></section>
{stops}
<section class="slide last" tabindex="-1"><h2>Your turn</h2>
<p>{_take_home(addresses)}</p><p class="how">{SITE_NAME}</p></section>
</main>
<p class="at" role="status"></p>"""
    # A frame without an address of its own has the policy of this page, so it admits the films' scripts.
    scripts = "".join(_film_data(slug, page) for slug, page in pages.items())
    scripts += f'<script type="module">{script}</script>'
    hashes = " ".join(sorted({*_hashes(pages), f"'{hash_of(script)}'"}))
    parts = FilmParts(style_of("film"), scripts, hashes)
    return page_html(TITLE, DESCRIPTION, body, "slides.css", addresses, FILE, film=parts)


def _slide(number: int, stop: Stop, path: LessonPath, pages: Mapping[str, str], addresses: Addresses) -> str:
    slug = stop.lesson.slug
    if stop.page or slug not in pages:
        inside = f'<p class="do">{_on_page(number, stop, path, addresses)}</p>'
    else:
        inside = f'<div class="holder" data-film="{slug}"></div><ol class="beats">{_beats(stop.lesson)}</ol>'
    return (
        f'<section class="slide" tabindex="-1"><h2>{number + 1}. {html.escape(stop.title)}</h2>'
        f'<p class="notes">{html.escape(stop.notes)}</p>{inside}</section>\n'
    )


def _on_page(number: int, stop: Stop, path: LessonPath, addresses: Addresses) -> str:
    what = ON_PAGES.get(stop.page, "Open the app on the page Lessons: a film cannot show this lesson.")
    if not addresses.app:
        return what
    query = "&amp;".join(f"{name}={value}" for name, value in address(path, number).items())
    return f'{what} <a href="{html.escape(addresses.app)}/lessons?{query}">Open it</a>'


def _beats(lesson: Lesson) -> str:
    return "".join(
        "<li>"
        + " ".join(filter(None, (_text(beat.say), _strong(beat.question), _text(beat.answer))))
        + "</li>"
        for beat in lesson.beats
    )


def _text(text: str) -> str:
    """Return a lesson's text with its tokens as code."""
    pieces = html.escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if number % 2 else piece for number, piece in enumerate(pieces))


def _strong(question: str) -> str:
    return question and f"<b>{_text(question)}</b>"


def _take_home(addresses: Addresses) -> str:
    links = (
        ("handout.html", "The handout"),
        ("problems.html", "The problem sheet"),
        ("index.html", "All films"),
    )
    return " · ".join(
        f'<a href="{html.escape(addresses.of(file) or file)}">{name}</a>' for file, name in links
    )


def _film_data(slug: str, page: str) -> str:
    """Return an element that holds a film's page as data. No browser runs it before it is put into a frame."""
    quoted = json.dumps(page).replace("<", "\\u003c")
    return f'<script type="application/json" id="film-{slug}">{quoted}</script>\n'


def _hashes(pages: Mapping[str, str]) -> Iterator[str]:
    for page in pages.values():
        match = re.search("script-src ([^;]+);", page)
        assert match
        yield from match[1].split()
