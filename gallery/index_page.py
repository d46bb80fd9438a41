"""The first page of the gallery: a field for your own words, paths for a talk, and a card for each film."""

import html
from collections.abc import Iterable, Sequence
from itertools import groupby
from urllib.parse import urlencode

import bpe
from bpe import Trace
from film.feed import EveryWay
from film.html_page import SITE_NAME
from film.live import live_recipe
from film.page import FilmLane, FilmOptions, OfferedWay, OwnWords, _FilmParts, film_parts, way_of
from film.training_feed import training_feed
from gallery import rows, slides
from gallery.films import Film, texts
from gallery.page import Addresses, footer, page_html
from gallery.stills import card_file, still_file
from ui.page_parts.lessons.curriculum import HOW, LessonPath, paths
from ui.page_parts.lessons.lesson import CURIOUS
from ui.trainings.corpus import Sample, from_sample, samples

FILE = "index.html"
_TITLE = f"{SITE_NAME}: byte pair encoding in films that you can play"
_DESCRIPTION = (
    "See how a tokenizer learns: every merge, every tie. Nothing to install; each film is one file."
)


def index_page(films: Sequence[Film], addresses: Addresses, *, pictures: bool) -> str:
    """Return the page. Without pictures, its cards are text only."""
    groups = [(title, list(group)) for title, group in groupby(films, lambda film: film.section)]
    sections = [_section(title, group, pictures) for title, group in groups]
    parts = " ".join(f'<a href="#{anchor(title)}">{html.escape(title)}</a>' for title, _ in groups)
    first = next((film for film in films if film.minutes and not film.is_curious), films[0])
    body = f"""<a class="skip" href="#films">Skip to the films</a>
<header>
<p class="name">{SITE_NAME}</p>
<h1>Byte pair encoding, one merge at a time</h1>
<p class="lead">A tokenizer starts with single characters or bytes and merges the most frequent pair, again and
again. Type your own words here and watch every merge. Nothing that you type leaves this page.</p>
<nav class="doors" aria-label="Where to begin"><a class="start" href="{html.escape(first.opens)}">Start: {first.minutes}
minutes</a> <a href="#{anchor(groups[0][0])}">Lessons and films</a> <a href="#paths">Teach it</a></nav>
</header>
<section class="live" aria-label="Your own words">
{_first_texts()}
<div id="film-stage"></div>
<noscript><p>Typing your own words needs JavaScript. The page loads nothing from other sites.</p></noscript>
{_whole_app(addresses)}
</section>
<nav class="parts" aria-label="Films and lessons">{parts}</nav>
<main id="films">
{_paths({film.slug: film for film in films})}
{"".join(sections)}
</main>
{footer(addresses)}"""
    picture = card_file(first) if pictures else ""
    return page_html(_TITLE, _DESCRIPTION, body, "index.css", addresses, FILE, picture, _first_film())


def _first_texts() -> str:
    """Return links that put a text into the field, for somebody without an idea."""
    links = "".join(
        f'<a href="#{html.escape(urlencode(_asked(sample)))}" title="{html.escape(sample.about)}">'
        f"{html.escape(sample.title)}</a> "
        for sample in _first_samples()
    )
    return f'<p class="begin">No text in mind? Start with {links}</p>'


def _first_samples() -> list[Sample]:
    return [sample for sample in samples().values() if sample.first]


def _asked(sample: Sample) -> dict[str, str]:
    """Return what the hash of a film that trains in the page asks for: the sample under its recipe, from the start."""
    settings = bpe.PRESETS[sample.preset].settings
    text = from_sample(sample.slug).reading_text
    rule, variant = settings["tie_break"], settings["variant"]
    return {"text": text, "rule": rule, "variant": variant, "merges": str(sample.merges), "step": "0"}


def _whole_app(addresses: Addresses) -> str:
    """Return the line that says how to get the app."""
    source = (
        f'<a href="{html.escape(addresses.source)}">source code</a>' if addresses.source else "source code"
    )
    running = f'<a href="{html.escape(addresses.app)}">open it</a>, or ' if addresses.app else ""
    return (
        f'<p class="app">The app itself also opens your files, compares trainings and checks your answers: '
        f"{running}get the {source}, run <code>pip install &quot;.[app]&quot;</code> there, "
        f"then <code>merge-by-merge</code>.</p>"
    )


def anchor(title: str) -> str:
    """Return the name of a section in a link.

    >>> anchor("Side by side")
    'side-by-side'
    """
    return "-".join(title.lower().split())


def _section(title: str, films: Sequence[Film], pictures: bool) -> str:
    minutes = sum(film.minutes for film in films)
    note = f' <span class="minutes">{minutes} min</span>' if minutes else ""
    cards = "".join(_card(film, pictures) for film in films)
    heading = f"<h2>{html.escape(title)}{note}</h2>"
    return f'<section id="{anchor(title)}">{heading}{_rows(films)}<ul class="cards">{cards}</ul></section>\n'


def _rows(films: Sequence[Film]) -> str:
    """Return a link to the rows of these films' texts; "" if they are films of something else."""
    return f'<p class="begin"><a href="{rows.FILE}">{rows.TITLE}</a></p>' if texts(films) else ""


def _card(film: Film, pictures: bool) -> str:
    notes = [f"{film.minutes} min"] if film.minutes else []
    if film.is_curious:
        notes.append(CURIOUS.lower())
    minutes = f' <span class="minutes">{" · ".join(notes)}</span>' if notes else ""
    return (
        f'<li><a href="{html.escape(film.opens)}">{_picture(film) if pictures else ""}'
        f"<strong>{html.escape(film.title)}</strong>{minutes}<span>{html.escape(film.about)}</span></a></li>\n"
    )


def _picture(film: Film) -> str:
    light, dark = (html.escape(still_file(film, theme)) for theme in ("light", "dark"))
    return (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img src="{light}" alt="" width="960" height="430" loading="lazy"></picture>'
    )


def _paths(film_of: dict[str, Film]) -> str:
    columns = "".join(_path(path, film_of) for path in paths())
    heading = "<h2>Paths for a talk</h2>"
    return (
        f'<section id="paths">{heading}<div class="paths">{columns}</div><p class="how">{HOW}</p></section>\n'
    )


def _path(path: LessonPath, film_of: dict[str, Film]) -> str:
    slugs = [stop.lesson.slug for stop in path.stops if not stop.page]
    films: Iterable[Film] = (film_of[slug] for slug in slugs if slug in film_of)
    stops = "".join(
        f'<li><a href="{html.escape(film.opens)}">{html.escape(film.title)}</a> '
        f'<span class="minutes">{film.minutes} min</span></li>'
        for film in films
    )
    deck = f'<p class="deck"><a href="{slides.file_of(path)}">Slides for {path.minutes} minutes</a></p>'
    return f"<div><h3>{html.escape(path.title)}</h3><ol>{stops}</ol>{deck}</div>"


# The film on the first page: an example with a tie, and the field in which visitors type their own words.

_EXAMPLE = "the cat sat on the mat with the hat"  # its first merge is a tie of three pairs
_MERGES = 100  # at most; the example has fewer


def _first_film() -> _FilmParts:
    """Return the film of the first page. It holds the pictures of every way of the texts that the page offers."""
    trace = bpe.train(_EXAMPLE, "char-eow", merges=_MERGES)
    lane = FilmLane(training_feed(trace, _EXAMPLE), recipe=live_recipe(trace))
    ways: list[OfferedWay] = []
    for asked in map(_asked, _first_samples()):
        text, variant, rule = asked["text"], asked["variant"], asked["rule"]
        if way := _way(bpe.train(text, variant, rule, merges=int(asked["merges"]))):
            ways.append({"text": text, "variant": variant, "rule": rule, "way": way})
    return film_parts([lane], FilmOptions(own=OwnWords(_EXAMPLE, opens=True, ways=ways), way=_way(trace)))


def _way(trace: Trace) -> EveryWay | None:
    return way_of({trace.tie_break.title: trace})
