"""Every figure and every token that a lesson quotes is what bpe.train gives."""

from itertools import chain
from typing import Any

import pytest
import regex

from bpe import BPEError
from bpe.encoding.encoders import ENCODERS
from tests.lesson_facts import CHECKS, FIGURES, holds, trained
from ui import lessons
from ui.lessons import SHOWN, Beat, Fact, Lesson
from ui.sidebar.corpus import samples

LESSONS = lessons.lessons()
BEATS = {
    f"{lesson.slug}-{number}": (lesson, beat)
    for lesson in LESSONS.values()
    for number, beat in enumerate(lesson.beats)
}
FACTS = {
    f"{name}-{number}-{fact['kind']}": (lesson, beat, fact)
    for name, (lesson, beat) in BEATS.items()
    for number, fact in enumerate(beat.facts)
}
every_lesson = pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
every_beat = pytest.mark.parametrize(("lesson", "beat"), BEATS.values(), ids=BEATS)


@pytest.mark.parametrize(("lesson", "beat", "fact"), FACTS.values(), ids=FACTS)
def test_a_fact_holds(lesson: Lesson, beat: Beat, fact: Fact) -> None:
    assert holds(lesson, beat, fact)


# What is said ------------------------------------------------------------------------------------------------------

NUMBERS = {
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
}
NAMES = regex.compile(r"GPT-\d|CS336|UTF-8|`[^`]*`")  # digits that are no figures


def said(beat: Beat) -> str:
    return " ".join((beat.say, beat.question, beat.answer))


def figures(text: str) -> set[int]:
    """The numbers a text quotes, in digits or in words from three on."""
    text = NAMES.sub(" ", text)
    digits = {
        int(number.replace(",", "").replace("−", "-")) for number in regex.findall(r"−?\d[\d,]*(?<!,)", text)
    }
    return digits | {NUMBERS[word] for word in regex.findall(r"[a-z]+", text.lower()) if word in NUMBERS}


def numbers_in(value: Any) -> set[int]:
    """All numbers a fact states, and the lengths of what it lists."""
    if isinstance(value, int):
        return {value}
    if isinstance(value, dict):
        return set(chain.from_iterable(map(numbers_in, value.values())))
    if isinstance(value, list):
        return {len(value)}.union(*map(numbers_in, value))
    return set()


@every_beat
def test_every_figure_in_a_beat_stands_in_its_facts(lesson: Lesson, beat: Beat) -> None:
    stated = {beat.step}.union(*(numbers_in(dict(fact)) for fact in beat.facts))
    assert figures(said(beat)) <= stated


@every_beat
def test_every_token_in_a_beat_is_one_of_the_lesson(lesson: Lesson, beat: Beat) -> None:
    trace = trained(lesson.slug, lesson.recipe)
    known = {trace.variant.spelled(symbol).decode("utf-8", "replace") for symbol in trace.symbols}
    known |= {*trace.pre_tokens, *map(str.strip, lesson.corpus.documents)}
    known |= set(lesson.vocabulary.split()) | set(beat.encode.split()) | {beat.encode}
    known |= set(chain.from_iterable(strings_in(dict(fact)) for fact in beat.facts))
    tokens = {piece.replace("·", " ") for piece, is_token in lessons.parts(said(beat)) if is_token}
    assert tokens <= known


def strings_in(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set(chain.from_iterable(map(strings_in, value.values())))
    return set(chain.from_iterable(map(strings_in, value))) if isinstance(value, list) else set()


@every_beat
def test_a_beat_is_short_and_points_at_what_is_there(lesson: Lesson, beat: Beat) -> None:
    trace = trained(lesson.slug, lesson.recipe)
    assert beat.show in SHOWN
    assert 0 <= beat.step <= len(trace.steps)
    assert len(beat.say) <= 260
    assert len(beat.answer) <= 240
    assert bool(beat.question) is bool(beat.answer)
    assert beat.question == "" or beat.question.endswith("?")
    assert (beat.encode != "") is (beat.show == "encoding")
    if beat.pair is not None:
        assert beat.pair in trace.pair_counts(beat.step)
    if beat.token is not None:
        assert trace.token_counts(beat.step)[beat.token] > 0
    assert (beat.pair is not None) is (beat.show == "pair")
    assert (beat.token is not None) is (beat.show == "token")


def test_a_lone_backtick_is_refused() -> None:
    assert lessons.parts("`a` + `b`.")[0] == ("a", True)
    with pytest.raises(BPEError, match="between two backticks"):
        lessons.parts("`a")


# The list ----------------------------------------------------------------------------------------------------------


@every_lesson
def test_a_lesson_names_what_exists(lesson: Lesson) -> None:
    assert regex.fullmatch(r"[a-z]+(-[a-z]+)*", lesson.slug)
    assert lesson.source
    assert lesson.about.endswith(".")
    assert lesson.encoder in ENCODERS
    assert lesson.sample in ("", *samples())
    assert 4 <= len(lesson.beats) <= 8


def test_lessons_of_one_part_stand_together_in_the_order_of_explanation() -> None:
    parts = list(dict.fromkeys(lesson.part for lesson in LESSONS.values()))
    assert parts == ["Counting and merging", "Ties", "Encoding", "Boundaries", "Bytes", "Real tokenizers"]
    assert [lesson.part for lesson in LESSONS.values()] == sorted(
        (lesson.part for lesson in LESSONS.values()), key=parts.index
    )


def test_every_kind_of_fact_is_used_and_none_is_missing() -> None:
    assert {fact["kind"] for _, _, fact in FACTS.values()} == FIGURES.keys() | CHECKS.keys()
