"""The films of the gallery, each with what its card says: all lessons, comparisons, and the sample texts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import bpe
from bpe.comparison.evidence import evidence
from film.html_page import Site
from film.page import FilmOptions, film_page
from ui.page_parts.compare import verdict
from ui.page_parts.compare.comparison import PageComparison
from ui.page_parts.compare.held_out_text import other_text
from ui.page_parts.compare.lanes import read_lane
from ui.page_parts.compare.stage import comparison_film
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.curriculum import _minutes_of
from ui.page_parts.lessons.lesson import Lesson, read_recipe
from ui.page_parts.lessons.lesson_film import lesson_film
from ui.trainings import corpus as corpora
from ui.trainings.corpus import Sample
from ui.trainings.recipe import Recipe

_COMPARE, _TEXTS = "Side by side", "Texts to play with"
_OF_TEXT = "text-"  # begins the slug of the film of a sample


@dataclass(frozen=True, slots=True)
class Film:
    """One film, and what the gallery says about it."""

    slug: str
    title: str
    about: str  # a sentence or two
    section: str
    still: int  # merges done in its picture
    write: Callable[[Site], str]  # its HTML file, for its place on the site
    plays: bool = True  # whether a link to it starts it; a lesson waits for its reader
    minutes: int = 0  # of a lesson
    is_curious: bool = False  # whether it is a lesson beside the way through the course

    @property
    def file(self) -> str:
        """Where it lies in the gallery."""
        return f"films/{self.slug}.html"

    @property
    def opens(self) -> str:
        """The link that opens it."""
        return self.file + ("#play=1" if self.plays else "")


# (slug, title, sample, lanes as in a link of Compare)
_COMPARISONS = (
    ("compare-two-rules", "Two rules for ties", "low-lower-newest-widest", ("first", "pair-max")),
    (
        "compare-real-trainers",
        "Four real trainers, one line of text",
        "which-goes-first",
        ("hf-bytelevel", "tiktoken-educational", "minbpe-regex", "rustbpe"),
    ),
    ("compare-nearly-all-ties", "A text of ties under two rules", "ties", ("first", "last")),
    ("compare-story", "A story in two trainers", "story", ("tiktoken-educational", "subword-nmt")),
)


def all_films() -> list[Film]:
    """Return all films, in the order of the gallery."""
    return [
        *map(film_of_lesson, lessons().values()),
        *(_film_of_lanes(*row) for row in _COMPARISONS),
        *map(film_of_text, corpora.samples().values()),
    ]


def film_of_lesson(lesson: Lesson) -> Film:
    """Return the film of a lesson, which waits for its reader."""
    trace = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)
    steps = sorted(beat.step for beat in lesson.beats if beat.stage == "grid") or [0]
    return Film(
        lesson.slug,
        lesson.title,
        lesson.about,
        lesson.part,
        steps[len(steps) // 2] or min(len(trace.steps), 1),
        lambda site: lesson_film(lesson, trace, lesson.beats[0], note=_not_filmed(lesson, site), site=site),
        plays=False,
        minutes=_minutes_of(lesson),
        is_curious=not lesson.number,
    )


def _not_filmed(lesson: Lesson, site: Site) -> str:
    """Return a sentence on what only the app has of a lesson; "" if its film has all of it, or is part of a slide."""
    asks = site.home is not None and any(beat.exercise for beat in lesson.beats)
    return "In the app, the lesson also has exercises that check your answer." if asks else ""


def film_of_text(sample: Sample) -> Film:
    """Return the film of a sample."""
    text = corpora.from_sample(sample.slug).training_text
    trace = bpe.train(text, **_recipe(sample).settings)
    return Film(
        f"{_OF_TEXT}{sample.slug}",
        sample.title,
        sample.about,
        _TEXTS,
        min(40, len(trace.steps) // 2),  # merges of a still, at most: later ones leave few tokens to look at
        lambda site: film_page(trace, text, FilmOptions(title=sample.title, site=site)),
    )


def texts(films: Iterable[Film]) -> list[Sample]:
    """Return the samples whose films these are, in their order."""
    of_text = {f"{_OF_TEXT}{slug}": sample for slug, sample in corpora.samples().items()}
    return [of_text[film.slug] for film in films if film.slug in of_text]


def _film_of_lanes(slug: str, title: str, sample_slug: str, lane_slugs: tuple[str, ...]) -> Film:
    """Return the film of several lanes on a sample. Its sentence is the verdict of Compare."""
    sample = corpora.samples()[sample_slug]
    corpus = corpora.from_sample(sample_slug)
    lanes = tuple(read_lane(lane, _recipe(sample)) for lane in lane_slugs)
    traces = tuple(bpe.train(corpus.training_text, **lane.recipe.settings) for lane in lanes)
    held_out = other_text(corpus)
    comparison = PageComparison(lanes, traces, corpus.training_text, held_out, slug, corpus)
    divergence = comparison.divergence
    return Film(
        slug,
        title,
        verdict.answer(comparison, evidence(traces, held_out.documents, corpus.training_text)),
        _COMPARE,
        divergence.rank + 1 if divergence else 0,
        lambda site: comparison_film(comparison, 0, title=title, site=site),
    )


def _recipe(sample: Sample) -> Recipe:
    return read_recipe({"preset": sample.preset, "merges": sample.merges})
