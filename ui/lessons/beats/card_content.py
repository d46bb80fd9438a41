"""The content of a lesson's card: every beat as plain data, with the pairs or tokens that it points at."""

from typing import Any

from bpe import Trace
from ui.exercises import KINDS, drawn_controls, drawn_sentence
from ui.lessons import Lesson, lessons, named_pairs, parts
from ui.lessons.beats.beat_content import BeatContent
from ui.lessons.beats.boxes import BOXES, Row
from ui.lessons.glossary import marked, terms, uses


def content_of(lesson: Lesson, trace: Trace) -> dict[str, Any]:
    """Return the card's data for all beats of a lesson, so that changing the beat needs no server."""
    return {
        "slug": lesson.slug,
        "title": lesson.title,
        "marker": trace.variant.marker_text,
        "lights": not lesson.vocabulary,  # the ids of a vocabulary typed by hand are not those of the grid
        "terms": _terms(lesson),
        "beats": [beat_data(BeatContent(lesson, trace, beat)) for beat in lesson.beats],
    }


def _terms(lesson: Lesson) -> dict[str, Row]:
    """Return the terms of the glossary that the lesson uses, without a link to the lesson itself."""
    text = " ".join(f"{beat.say} {beat.question} {beat.answer}" for beat in lesson.beats)
    rows: dict[str, Row] = {}
    for slug in sorted(uses(text)):
        term = terms()[slug]
        other = term.see if term.see != lesson.slug else None
        rows[slug] = {
            "term": term.term,
            "means": term.means,
            "lesson": other,
            "title": lessons()[term.see].title,
        }
    return rows


def beat_data(content: BeatContent) -> dict[str, Any]:
    """Return a beat as the card's data."""
    beat, used = content.beat, set[str]()  # terms are marked once in a beat
    return {
        "step": beat.step,
        "stage": beat.stage,
        "say": sentence(content, beat.say, used),
        "question": sentence(content, beat.question, used),
        "answer": answer_of(content, used),
        "exercise": _exercise(content),
        "guess": guesses(content),
        "gives": content.next_merge is not None and beat.pair == content.next_merge.pair,
        "point": _point(content),
        "named": [
            _named(content, beat.say, beat.question),
            _named(content, beat.say, beat.question, beat.answer),
        ],
        "shown": BOXES[beat.show](content) if beat.show in BOXES and beat.show != beat.stage else None,
    }


def guesses(content: BeatContent) -> bool:
    """Return whether the question of a beat is which pair comes next."""
    beat = content.beat
    hides = beat.exercise is not None and KINDS[beat.exercise.kind].hides_next
    return bool(beat.question) and (beat.show in ("pair", "tie") or hides)


def sentence(content: BeatContent, text: str, used: set[str]) -> list[list[Any]]:
    """Return a sentence in pieces: text, a token with its id, or a term of the glossary that is not in `used` yet."""
    pieces: list[list[Any]] = []
    for piece, is_token in parts(text):
        if is_token:
            pieces.append([piece, content.id_of_text(piece)])
        else:
            pieces += ([word, None, term] if term else [word, None] for word, term in marked(piece, used))
    return pieces


def answer_of(content: BeatContent, used: set[str]) -> list[list[Any]]:
    """Return the answer of a beat in pieces: the author's, or else the solution of its exercise."""
    if content.question and not content.beat.answer:
        return drawn_sentence(content.question.solution, content.chip)
    return sentence(content, content.beat.answer, used)


def _exercise(content: BeatContent) -> dict[str, Any] | None:
    if content.question is None or content.beat.exercise is None:
        return None
    return drawn_controls(content.question, content.beat.exercise.kind, content.chip)


def _point(content: BeatContent) -> dict[str, int] | None:
    beat, number = content.beat, content.trace.id_of
    if beat.pair is not None:
        return {"left": number(beat.pair[0]), "right": number(beat.pair[1])}
    return None if beat.token is None else {"token": number(beat.token)}


def _named(content: BeatContent, *sentences: str) -> list[list[str]]:
    """Return the pairs that sentences name, each with the bytes of its tokens in hexadecimal."""
    unspelled = content.trace.variant.unspelled
    pairs = named_pairs(" ".join(sentences))
    return [[unspelled(token.replace("·", " ")).hex() for token in pair] for pair in pairs]
