"""Numbers that follow the picture: each is that of a training of so many merges, and one of them can be dragged."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

import bpe
from bpe import BPEError, Trace
from film.labels import chip_label
from tests.ui.lessons.lesson_checks import trained
from ui.page_parts.lessons.card import _beat_data
from ui.page_parts.lessons.contents import _read_beat, lessons
from ui.page_parts.lessons.lesson import Beat, Lesson
from ui.page_parts.lessons.moving_numbers import (
    NUMBERS,
    _written,
    has_numbers,
    marked_numbers,
    with_first_numbers,
)
from ui.page_parts.lessons.stages import BeatContent

MOST_TRAINED = 12  # merges of a lesson that is trained again for each number of them


def moving_beats() -> Iterator[tuple[Lesson, Beat]]:
    for lesson in lessons().values():
        for beat in lesson.beats:
            if has_numbers(beat.say + beat.answer):
                yield lesson, beat


def trace_of(lesson: Lesson) -> Trace:
    return trained(lesson.slug, lesson.recipe)


def pieces_of(lesson: Lesson, beat: Beat) -> list[dict[str, Any]]:
    """Return what moves in a beat, as the browser gets it."""
    data = _beat_data(BeatContent(lesson, trace_of(lesson), beat))
    return [piece[3] for piece in data["say"] + data["answer"] if len(piece) > 3]


@cache
def alone(slug: str, merges: int) -> Trace:
    lesson = lessons()[slug]
    return bpe.train(lesson.corpus.training_text, **{**lesson.recipe.settings, "merges": merges})


FRESH: dict[str, Callable[[Trace], float]] = {
    "merges": lambda trace: len(trace.steps),
    "tokens": lambda trace: trace.tokens_total(len(trace.steps)),
    "alphabet": lambda trace: trace.vocabulary_size(0),
    "vocabulary": lambda trace: len(trace.vocabulary(len(trace.steps))),
    "in_use": lambda trace: len([count for count in trace.token_counts(len(trace.steps)).values() if count]),
    "ties": lambda trace: sum(step.tied > 1 for step in trace.steps),
    "characters": lambda trace: len(trace_text(trace)) / trace.tokens_total(len(trace.steps)),
}


def trace_text(trace: Trace) -> str:
    return "".join(word * trace.frequency(word) for word in trace.pre_tokens)


def test_six_lessons_at_least_have_a_number_to_drag() -> None:
    assert len({lesson.slug for lesson, _ in moving_beats()}) >= 6


def test_each_number_is_that_of_a_training_of_so_many_merges() -> None:
    tried = set()
    for lesson, beat in moving_beats():
        last = len(trace_of(lesson).steps)
        steps = range(last + 1) if last <= MOST_TRAINED else (0, 1, last)
        for _, mark in marked_numbers(beat.say + beat.answer):
            if mark is None:
                continue
            tried.add(mark[1])
            values = NUMBERS[mark[1]](trace_of(lesson))
            assert len(values) == last + 1
            if mark[1] in FRESH:
                fresh = [FRESH[mark[1]](alone(lesson.slug, step)) for step in steps]
                assert [values[step] for step in steps] == pytest.approx(fresh), mark[0]
    assert tried == NUMBERS.keys()  # a number that no lesson uses is one too many


def test_the_longest_token_is_the_longest_that_was_made() -> None:
    trace = bpe.train("low lower lowest", "char-eow", merges=6)
    made = [left + right for left, right in trace.merges]
    longest = [value for value in NUMBERS["longest_token"](trace) if isinstance(value, bytes)]
    assert [len(token) for token in longest[1:]] == [max(map(len, made[:step])) for step in range(1, 7)]
    assert longest[0] == b"l"


def test_the_browser_gets_the_number_of_merges_to_drag_and_begins_at_the_beat() -> None:
    for lesson, beat in moving_beats():
        moving = pieces_of(lesson, beat)
        last = len(trace_of(lesson).steps)
        handles = [one for one in moving if one["drag"]]
        assert handles
        assert {one["at"] for one in moving} == {beat.step}
        assert all(one["values"] == [f"{step:,}" for step in range(last + 1)] for one in handles)
        assert {len(one["values"]) for one in moving} == {last + 1}


def test_a_printed_sentence_has_its_first_numbers_and_whole_words() -> None:
    trace = bpe.train("low low lower", "char-eow", merges=3)
    text = "After {merges merge}: {tokens token}, `low`, {longest_token}, {ties tie}, {characters} a token."
    longest = trace.variant.label(b"".join(trace.merges[0]))
    assert with_first_numbers(text, lambda: trace, 1) == (
        f"After 1 merge: {trace.tokens_total(1)} tokens, `low`, `{longest}`, 1 tie, "
        f"{_written(11 / trace.tokens_total(1))} a token."
    )
    assert with_first_numbers("`a` stays.", trained_never, 0) == "`a` stays."


def trained_never() -> Trace:
    raise AssertionError("no number needs a training")


def test_a_chip_moves_too() -> None:
    lesson = lessons()["a-lottery"]
    (beat,) = (beat for beat in lesson.beats if has_numbers(beat.say))
    trace = trace_of(lesson)
    chips = [
        value for one in pieces_of(lesson, beat) for value in one["values"] if not isinstance(value, str)
    ]
    assert chips[-1] == [chip_label(trace.variant, b"the sky is"), trace.id_of(b"the sky is")]


WRONG = {
    "an unknown number": ({}, "After {marges merge}.", "number"),
    "another stage": ({"show": "every-way", "ways": {"end": 2}}, "After {merges merge}.", "grid"),
    "a question": ({"question": "How many are {tokens token}?"}, "Count.", "question"),
}


@pytest.mark.parametrize(("fields", "say", "problem"), WRONG.values(), ids=WRONG)
def test_a_wrong_mark_is_refused(fields: dict[str, Any], say: str, problem: str) -> None:
    row = {"step": 0, "show": "words", "say": say, **fields}
    with pytest.raises(BPEError, match=problem):
        _read_beat(row, bpe.VARIANTS["char-eow"])
