"""Slides for a lecture: one HTML file that holds the films of a path. On paper each film is a picture and its text."""

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import bpe
from bpe import Trace
from bpe.text.display import counted
from film.html_page import SITE_NAME, hash_of
from film.page import _FilmParts, style_of
from gallery.films import Film
from gallery.page import HERE, Addresses, page_html
from ui.page_parts.compare.lanes import read_lane
from ui.page_parts.lessons.contents import _read_beat
from ui.page_parts.lessons.curriculum import LessonPath, Stop, address
from ui.page_parts.lessons.lesson import Beat, Lesson
from ui.page_parts.lessons.lesson_film import lesson_film
from ui.page_parts.lessons.moving_numbers import with_first_numbers

_DESCRIPTION = (
    "A lecture as one file, with its films inside: a clicker walks through it, and it can be printed."
)
_IN_APP = "Open the app on the page Lessons: a film cannot show this lesson."


def file_of(path: LessonPath) -> str:
    """Return where the slides of a path lie in the gallery."""
    return f"slides-{path.slug}.html"


def slides(
    path: LessonPath,
    films: Mapping[str, Film],
    addresses: Addresses,
    stills: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the page. `films` are those of the gallery by slug, `stills` their pictures, as SVG, for paper."""
    pages = {
        _name(number, stop): _film_of(stop)
        for number, stop in enumerate(path.stops)
        if stop.page or stop.lesson.slug in films
    }
    script = (HERE / "slides.js").read_text("utf-8")
    stops = "".join(
        _slide(number, stop, path, pages, addresses, stills) for number, stop in enumerate(path.stops)
    )
    body = f"""<main>
<section class="slide first" tabindex="-1"><h1>Byte pair encoding</h1>
<p>{html.escape(path.title)}: {len(path.stops)} stops, {path.needs} minutes with their questions</p>
<p class="how">Go on with → or Page Down, back with ← or Page Up; Home and End lead to the first and the last slide. B
or a period makes the screen black, and any key brings the slide back. Press T to type a text over a film. Press N to
show the speaker’s notes on the slide; the room sees them too. In the app, they open in a window of their own.</p>
</section>
{stops}
<section class="slide last" tabindex="-1"><h1>Your turn</h1>
<p>Which pair does your own text merge first?</p>{_type_it(addresses)}<p class="how">{SITE_NAME}</p></section>
</main>
<p class="at" role="status"></p>"""
    # A frame without an address of its own has the policy of this page, so it admits the films' scripts.
    scripts = f'{_film_data(pages)}<script type="module">{script}</script>'
    hashes = " ".join(sorted({*_hashes(pages), f"'{hash_of(script)}'"}))
    parts = _FilmParts(style_of("film"), scripts, hashes)
    title = f"Byte pair encoding: slides for {path.minutes} minutes"
    return page_html(title, _DESCRIPTION, body, "slides.css", addresses, file_of(path), film=parts)


def _name(number: int, stop: Stop) -> str:
    """Return the name of a stop's film in the page."""
    return f"{number + 1}-{stop.page or stop.lesson.slug}"


def _film_of(stop: Stop) -> str:
    lesson = _lesson_of(stop) if stop.page else stop.lesson
    trace = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)
    return lesson_film(lesson, trace, lesson.beats[0], shares_script=True)


# A stop on a page of the app, as a lesson: what the keys show there, with a computed text.

Row = Mapping[str, Any]  # a beat, as in the files of lessons


def _lesson_of(stop: Stop) -> Lesson:
    lesson = stop.lesson
    trace = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)
    beats = tuple(_read_beat(row, trace.variant) for row in _ROWS[stop.page](stop, trace))
    return replace(lesson, title=stop.title, beats=beats)


def _steps(stop: Stop, trace: Trace) -> range:
    return range(stop.merges or len(trace.steps))


def _done(step: int) -> str:
    return (
        f"{counted(step, 'merge')} {'is' if step == 1 else 'are'} done." if step else "Nothing is merged yet."
    )


def _watched(stop: Stop, trace: Trace) -> Iterator[Row]:
    """Yield a question for each merge."""
    for step in _steps(stop, trace):
        left, right = map(trace.variant.label, trace.merges[step])
        tied, count = len(trace.tied_pairs(step)), trace.steps[step].count
        why = (
            f"{tied} pairs occur {counted(count, 'time')}, and the rule picks"
            if tied > 1
            else "The most frequent is"
        )
        yield {
            "step": step,
            "show": "tie" if tied > 1 else "pair",
            "pair": [left, right],
            "say": _done(step),
            "question": "Which pair is merged next?",
            "answer": f"{why} `{left}` + `{right}`.",
        }
    end = len(_steps(stop, trace))
    yield {"step": end, "show": "words", "say": _done(end)}


def _compared(stop: Stop, trace: Trace) -> Iterator[Row]:
    """Yield a step of both lanes for each merge."""
    recipe = stop.lesson.recipe
    _, other = (read_lane(slug, recipe) for slug in stop.lanes)
    beside = bpe.train(stop.lesson.corpus.training_text, **other.recipe.settings)
    for step in (*_steps(stop, trace), len(_steps(stop, trace))):
        same = trace.words_at(step) == beside.words_at(step)
        seen = (
            "Both rules split the words the same way."
            if same
            else "The two rules split the words differently."
        )
        yield {
            "step": step,
            "show": "words",
            "stage": "compare",
            "beside": other.recipe.values,
            "say": f"{_done(step)} {seen}" if step else f"The same words, two rules for ties. {_done(step)}",
        }


def _encoded(stop: Stop, trace: Trace) -> Iterator[Row]:
    """Yield a question about a new word."""
    tokens = trace.tokenizer().tokens(stop.text, stop.lesson.encoder)
    spelled = " ".join(f"`{trace.variant.label(token)}`" for token in tokens)
    yield {
        "step": len(trace.steps),
        "show": "encoding",
        "encode": stop.text,
        "say": f"`{stop.text}` is new: no merge was learned from it.",
        "question": "How many tokens will it be?",
        "answer": f"{counted(len(tokens), 'token')}: {spelled}.",
    }


# Page of the app -> what its stop shows.
_ROWS: Mapping[str, Callable[[Stop, Trace], Iterator[Row]]] = {
    "watch": _watched,
    "compare": _compared,
    "encode": _encoded,
}


def _slide(
    number: int,
    stop: Stop,
    path: LessonPath,
    pages: Mapping[str, str],
    addresses: Addresses,
    stills: Mapping[str, str],
) -> str:
    name = _name(number, stop)
    if name in pages:
        beats = _beats(_lesson_of(stop) if stop.page else stop.lesson)
        still = f'<figure class="still">{stills.get(stop.lesson.slug, "")}</figure>'
        inside = f'<div class="holder" data-film="{name}"></div>{still}<ol class="beats">{beats}</ol>'
    else:
        inside = f'<p class="do">{_on_page(number, path, addresses)}</p>'
    return (
        f'<section class="slide" tabindex="-1"><h1>{number + 1}. {html.escape(stop.title)}</h1>'
        f'<p class="notes">{html.escape(stop.speech)}</p>{inside}</section>\n'
    )


def _on_page(number: int, path: LessonPath, addresses: Addresses) -> str:
    if not addresses.app:
        return _IN_APP
    query = "&amp;".join(f"{name}={value}" for name, value in address(path, number).items())
    return f'{_IN_APP} <a href="{html.escape(addresses.app)}/lessons?{query}">Open it</a>'


def _beats(lesson: Lesson) -> str:
    def trace() -> Trace:
        return bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)

    def text(beat: Beat, sentence: str) -> str:
        return _text(with_first_numbers(sentence, trace, beat.step))

    return "".join(
        "<li>"
        + " ".join(filter(None, (text(beat, beat.say), _strong(beat.question), text(beat, beat.answer))))
        + "</li>"
        for beat in lesson.beats
    )


def _text(text: str) -> str:
    """Return a lesson's text with its tokens as code."""
    pieces = html.escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if number % 2 else piece for number, piece in enumerate(pieces))


def _strong(question: str) -> str:
    return question and f"<b>{_text(question)}</b>"


def _type_it(addresses: Addresses) -> str:
    """Return the way to type a text, its address spelled out for the room."""
    begin = addresses.app or addresses.site
    spelled = html.escape(begin.partition("://")[2].strip("/")) or "Type it here"
    return f'<p><a href="{html.escape(begin or "index.html")}">{spelled}</a></p>'


def _film_data(pages: Mapping[str, str]) -> str:
    """Return elements that hold the films' pages as data. No browser runs them before they are put into a frame.

    Films with the same player share one page, whose gaps have their title and their own data.
    """
    shells: dict[str, int] = {}
    films: dict[str, str] = {}
    for slug, page in pages.items():
        title, data = (_within(page, *bounds) for bounds in _GAPS.values())
        shell = page
        for name, part in zip(_GAPS, (title, data), strict=True):
            shell = shell.replace(part, f"{{{name}}}", 1)
        number = shells.setdefault(shell, len(shells))
        films[slug] = _data(f"film-{slug}", {"shell": number, "title": title, "data": data})
    return "".join([*(_data(f"shell-{number}", shell) for shell, number in shells.items()), *films.values()])


# Gap of a film's page -> what it is between
_GAPS = {"title": ("<title>", "</title>"), "data": ('<script type="text/plain" id="film">', "</script>")}


def _within(page: str, before: str, after: str) -> str:
    """Return what is between two texts of a page."""
    return page.partition(before)[2].partition(after)[0]


def _data(name: str, data: object) -> str:
    quoted = json.dumps(data).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{quoted}</script>\n'


def _hashes(pages: Mapping[str, str]) -> Iterator[str]:
    for page in pages.values():
        match = re.search("script-src ([^;]+);", page)
        assert match
        yield from match[1].split()
