"""A lesson as data for one component, which goes from beat to beat and draws what stands beside each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Any

import streamlit as st

import bpe
from bpe import Trace
from film.feed import Feed
from ui.page_parts.lessons import choosing
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.exercises import KINDS, drawn_controls, drawn_sentence
from ui.page_parts.lessons.glossary import marked, terms, uses
from ui.page_parts.lessons.glossary_pictures import moving_picture, picture_of
from ui.page_parts.lessons.lesson import Beat, Lesson, named_pairs, parts
from ui.page_parts.lessons.moving_numbers import marked_numbers, moving_pieces
from ui.page_parts.lessons.stages import EVIDENCE, GROUP, STAGES, BeatContent, Box, BoxRow, own_feed
from ui.trainings.byte_cache import ByteCache
from ui.view import component as message
from ui.view.component import COMPONENTS, component
from ui.view.told import tell

_CARD = COMPONENTS / "lesson_card"
_KEY = "lesson_card"

_COMPONENT = component("lesson", _CARD)


def card(
    content: dict[str, Any],
    start: int,
    verdicts: Mapping[str, Any],
    receive: Callable[[int, object], None],
    leave: Callable[[str], None],
    asked: int = 0,
) -> _CardState:
    """Draw the lesson and return its state.

    It begins at beat `start`, which must stay the same until the whole
    page is run again, since changed data would be sent again.

    verdicts: {beat: the verdict on the last answer}, as `choosing` draws them. They are told, so that an answer does
        not bring the whole lesson again.
    asked: how often a beat was asked for; with another number the card turns to `start`, also within its lesson.
    receive: called with (beat, answer) for every answer to an exercise, and with None if the viewer opens the answer.
    leave: called before the run if the viewer leaves the lesson, with the slug of another one or with what the talk has
        put in its place.
    """
    slug, beats = content["slug"], len(content["beats"])

    def answered() -> None:
        sent = st.session_state.get(_KEY)
        reply = sent.get("answer") if isinstance(sent, Mapping) else None
        beat = message.read(reply, "beat", message.whole_number(0, beats - 1))
        if message.read(reply, "lesson", message.one_of([slug])) and beat is not None:
            receive(beat, reply.get("answer") if isinstance(reply, Mapping) else None)

    def left() -> None:
        slug = message.read(st.session_state.get(_KEY), "lesson", message.text(100))
        if slug is not None:
            leave(slug)

    result = _COMPONENT(
        key=_KEY,
        data=_opened(content, start, asked),
        on_beat_change=lambda: None,
        on_lesson_change=left,
        on_term_change=lambda: None,
        on_answer_change=answered,
        on_restored_change=lambda: choosing.restore(st.session_state.get(_KEY)),
        height="content",
    )
    if verdicts:
        tell(GROUP, "verdicts", {"lesson": slug, "of": dict(verdicts)})
    names = [f"{slug} {number}" for number in range(beats)]
    beat = message.read(result, "beat", message.one_of(names))
    term = message.read(result, "term", message.text(100))
    return _CardState(start if beat is None else names.index(beat), term)


def _opened(content: dict[str, Any], start: int, asked: int) -> dict[str, Any]:
    """Return what the component receives: a lesson at a beat."""
    return {**content, "start": start, "asked": asked, "group": GROUP}


def first_sentence() -> str:
    """Return what one learns in the lesson that the page begins with."""
    return f"You will learn {_first().learn}."


@cache
def first_view() -> dict[str, Any]:
    """Return what the page shows at an address without parameters: its first lesson at the first beat."""
    lesson = _first()
    trace = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)
    return _opened(page_content(lesson, trace) | choosing.beside(lesson), 0, 0)


def _first() -> Lesson:
    return next(iter(lessons().values()))


@dataclass(frozen=True, slots=True)
class _CardState:
    """The beat that the card shows, and the slug of the term whose lesson the viewer chose, or None."""

    beat: int
    term: str | None


def content_of(lesson: Lesson, trace: Trace) -> dict[str, Any]:
    """Return a lesson as data, for its page or its film: its beats, what stands beside them, and what grids play of it.

    Changing the beat then needs no server. The first one of the stages is the grid of the training.
    """
    feeds: list[Feed] = [own_feed(lesson, trace)]
    stages = [STAGES["grid"].shows(BeatContent(lesson, trace, lesson.beats[0]), feeds)]
    beats: list[dict[str, Any]] = []
    for beat in lesson.beats:
        content = BeatContent(lesson, trace, beat, frozenset(_known_terms(lesson, beat)))
        stage = STAGES[beat.stage].shows(content, feeds)
        if stage not in stages:
            stages.append(stage)
        beats.append({**_beat_data(content), "stage": stages.index(stage)})
    return {
        "slug": lesson.slug,
        "title": lesson.title,
        "marker": trace.variant.marker_text,
        "lights": not lesson.vocabulary,  # the ids of a vocabulary typed by hand are not those of the grid
        "beats": beats,
        "stages": stages,
        "feeds": feeds,
    }


# For all sessions: lessons hold no user's text.
_CACHE: ByteCache[tuple[dict[str, Any]]] = ByteCache(6_000_000)  # all lessons together take some 2 MB


def page_content(lesson: Lesson, trace: Trace) -> dict[str, Any]:
    """Return what a lesson's page shows, which is the same for all visits.

    Its key says how much of the training there is, too, so that nobody gets what was made of a part of it.
    """
    key = f"{lesson.slug} {len(trace.steps)} {trace.stopped}"
    return _CACHE.get(key, lambda: ({**content_of(lesson, trace), "terms": _terms(lesson)},))[0]


def _terms(lesson: Lesson) -> dict[str, BoxRow]:
    """Return the terms of the glossary that the lesson uses, without a link to the lesson itself."""
    text = _texts(lesson.beats)
    rows: dict[str, BoxRow] = {}
    for slug in sorted(uses(text)):
        term = terms()[slug]
        other = term.see if term.see != lesson.slug else None
        rows[slug] = {
            "term": term.term,
            "means": term.means,
            "picture": picture_of(term),
            "moving": moving_picture(term),
            "lesson": other,
            "title": lessons()[term.see].title,
        }
    return rows


def _beat_data(content: BeatContent) -> dict[str, Any]:
    """Return a beat as the card's data."""
    beat, used = content.beat, set[str]()  # terms are marked once in a beat
    return {
        "step": beat.step,
        "above": STAGES[beat.stage].is_wide,
        "say": _sentence(content, beat.say, used),
        "question": _sentence(content, beat.question, used),
        "answer": _answer_of(content, used),
        "exercise": _exercise(content),
        "guess": _guesses(content),
        "gives": content.next_merge is not None and beat.pair == content.next_merge.pair,
        "point": _point(content),
        "tells": _tells(content),
        "named": [
            _named(content, beat.say, beat.question),
            _named(content, beat.say, beat.question, beat.answer),
        ],
        "shown": _shown(content) if beat.show != beat.stage else None,
    }


def _shown(content: BeatContent) -> Box | None:
    """Return what a beat shows below its text, without marks of ties as long as nobody knows what a tie is."""
    rows_of = EVIDENCE[content.beat.show]
    if rows_of is None:
        return None
    box = rows_of(content)
    if "tie" in _known_terms(content.lesson, content.beat):
        return box
    unmarked = {"tied": False} | ({"chosen": False} if content.beat.show == "tie" else {})
    return box | {
        "rows": [row | {name: unmarked[name] for name in row.keys() & unmarked} for row in box["rows"]]
    }


def _tells(content: BeatContent) -> dict[str, Any] | None:
    """Return what a beat tells of the next merge, and the terms known by then: its grid shows nothing else.

    None if the stage is that of a new text, or of two trainings, which show what each of them does.
    """
    lesson, beat = content.lesson, content.beat
    if not STAGES[beat.stage].tells_little:
        return None
    known = _known_terms(lesson, beat)
    ties = "tie" in known
    return {
        "step": beat.step,
        "winner": _tells_merge(content) and (beat.show != "tie" or ties),
        "tied": beat.show == "tie" or (_tells_merge(content) and ties),
        "headline": any(_tells_merge(BeatContent(lesson, content.trace, one)) for one in lesson.beats),
        "known": sorted(known),
    }


def _tells_merge(content: BeatContent) -> bool:
    return content.beat.stage == "grid" and (content.beat.show in ("pair", "tie") or _guesses(content))


def _known_terms(lesson: Lesson, beat: Beat) -> set[str]:
    """Return the slugs of the terms that the way through the course, and this lesson up to a beat, have used."""
    beats = lesson.beats[: lesson.beats.index(beat) + 1]
    return uses(f"{lesson.title} {lesson.learn} {_texts(beats)}") | _known_before(lesson.slug)


@cache
def _known_before(slug: str) -> frozenset[str]:
    """Return the terms of the lessons that come before a lesson on the way through the course."""
    before = takewhile(lambda lesson: lesson.slug != slug, lessons().values())
    return frozenset(
        term
        for lesson in before
        if lesson.number
        for term in uses(f"{lesson.title} {lesson.learn} {_texts(lesson.beats)}")
    )


def _texts(beats: Iterable[Beat]) -> str:
    return " ".join(f"{beat.say} {beat.question} {beat.answer}" for beat in beats)


def _guesses(content: BeatContent) -> bool:
    """Return whether the question of a beat is which pair comes next."""
    beat = content.beat
    hides = beat.exercise is not None and KINDS[beat.exercise.kind].hides_next
    return bool(beat.question) and (beat.show in ("pair", "tie") or hides)


def _sentence(content: BeatContent, text: str, used: set[str]) -> list[list[Any]]:
    """Return a sentence in pieces: text, a token with its id, a number, or a term that is not in `used` yet."""
    pieces: list[list[Any]] = []
    for piece, is_token in parts(text):
        if is_token:
            pieces.append([content.label_of_text(piece), content.id_of_text(piece)])
            continue
        for plain, number in marked_numbers(piece):
            if number is not None:
                pieces += moving_pieces(number, content.trace, content.beat.step)
            else:
                pieces += ([word, None, term] if term else [word, None] for word, term in marked(plain, used))
    return pieces


def _answer_of(content: BeatContent, used: set[str]) -> list[list[Any]]:
    """Return the answer of a beat in pieces: the author's, or else the solution of its exercise."""
    if content.question and not content.beat.answer:
        return drawn_sentence(content.question.solution, content.chip)
    return _sentence(content, content.beat.answer, used)


def _exercise(content: BeatContent) -> dict[str, Any] | None:
    if content.question is None or content.beat.exercise is None:
        return None
    return drawn_controls(content.question, content.beat.exercise.kind, content.chip)


def _point(content: BeatContent) -> dict[str, Any] | None:
    beat, number = content.beat, content.trace.id_of
    if beat.pair is not None:
        return {"left": number(beat.pair[0]), "right": number(beat.pair[1])}
    return {"tokens": [*map(number, beat.tokens)]} if beat.tokens else None


def _named(content: BeatContent, *sentences: str) -> list[list[str]]:
    """Return the pairs that sentences name, each with the bytes of its tokens in hexadecimal."""
    unspelled = content.trace.variant.unspelled
    pairs = named_pairs(" ".join(sentences))
    return [[unspelled(token.replace("·", " ")).hex() for token in pair] for pair in pairs]
