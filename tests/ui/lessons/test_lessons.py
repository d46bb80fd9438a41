"""Every figure and every token in a lesson agrees with bpe.train.

Each test goes over all lessons, beats or facts and reports every one that is wrong.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
import regex

from bpe import VARIANTS, BPEError
from tests.ui.lessons.lesson_checks import trained
from tests.ui.lessons.lesson_figures import CHECKS, FIGURES, has_category, holds
from ui.choices.corpus import samples
from ui.lessons.contents import _read_beat, lessons
from ui.lessons.lesson import Beat, Fact, Lesson, parts, read_recipe
from ui.lessons.moving_numbers import with_first_numbers

LESSONS = lessons()
BEATS = {
    f"{lesson.slug}, beat {number}": (lesson, beat)
    for lesson in LESSONS.values()
    for number, beat in enumerate(lesson.beats, start=1)
}


@pytest.mark.slow
def test_every_fact_of_every_lesson_holds() -> None:
    wrong = [
        f"{name}: {dict(fact)}{problem}"
        for name, (lesson, beat) in BEATS.items()
        for fact in beat.facts
        if (problem := problem_of(lesson, beat, fact)) is not None
    ]
    assert wrong == []


def problem_of(lesson: Lesson, beat: Beat, fact: Fact) -> str | None:
    """Return None for a fact that holds, otherwise the error that checking it raised, or ""."""
    try:
        return None if holds(lesson, beat, fact) else ""
    except (
        BPEError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:  # a wrong name or step must not hide the rest
        return f" raises {error!r}"


def test_a_wrong_fact_is_reported_whether_it_fails_or_raises() -> None:
    lesson, beat = LESSONS["count-merge-repeat"], LESSONS["count-merge-repeat"].beats[0]
    word = next(iter(lesson.corpus.frequencies or {"hug": 10}))
    assert problem_of(lesson, beat, {"kind": "frequency", "word": word, "is": 10}) is None
    assert problem_of(lesson, beat, {"kind": "frequency", "word": word, "is": 11}) == ""
    assert "KeyError" in (problem_of(lesson, beat, {"kind": "frequency", "word": "?", "is": 1}) or "")


def test_a_punctuation_mark_is_what_unicode_calls_one() -> None:
    marks = [
        token for token in ("y-", "»a", "。", "‿", "a,", "+", "é", "1") if has_category(token.encode(), "P")
    ]
    assert marks == ["y-", "»a", "。", "‿", "a,"]


def test_every_kind_of_fact_is_used_and_known() -> None:
    kinds = {fact["kind"] for _, beat in BEATS.values() for fact in beat.facts}
    assert kinds == FIGURES.keys() | CHECKS.keys()


# Figures and tokens in sentences

NUMBERS = {
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
}
NAMES = regex.compile(r"GPT-\d|Llama \d|\b(?:By)?T5\b|CS336|UTF-8|`[^`]*`")  # digits that are not figures


def sentences(beat: Beat) -> str:
    return " ".join((beat.say, beat.question, beat.answer))


def figures(text: str) -> set[float]:
    """Return the numbers that a text quotes: all in digits, and in words from three on."""
    text = NAMES.sub(" ", text)
    digits = [
        number.replace(",", "").replace("−", "-")
        for number in regex.findall(r"−?\d[\d,]*(?<!,)(?:\.\d+)?", text)
    ]
    quoted = {float(number) if "." in number else int(number) for number in digits}
    return quoted | {NUMBERS[word] for word in regex.findall(r"[a-z]+", text.lower()) if word in NUMBERS}


def numbers_in(value: Any) -> set[float]:
    """Return all numbers that a fact states, those in its lists too, and the lengths of these lists."""
    if isinstance(value, int | float):
        return {value}
    if isinstance(value, dict):
        keys = {float(key) for key in value if key.isdecimal()}
        return keys.union(*map(numbers_in, value.values()))
    if isinstance(value, list):
        return {float(len(value))}.union(*map(numbers_in, value))
    return set()


def strings_in(value: Any) -> set[str]:
    """Return all texts that a fact states."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set(chain.from_iterable(map(strings_in, value.values())))
    return set(chain.from_iterable(map(strings_in, value))) if isinstance(value, list) else set()


def test_every_figure_in_a_beat_is_stated_by_one_of_its_facts() -> None:
    unproven = {}
    for name, (_, beat) in BEATS.items():
        stated = {beat.step}.union(*(numbers_in(dict(fact)) for fact in beat.facts))
        if asked := beat.exercise:  # what it asks for, by which the engine judges
            stated.add(asked.merges)
        unproven[name] = figures(sentences(beat)) - stated
    assert {name: numbers for name, numbers in unproven.items() if numbers} == {}


def test_every_figure_in_a_heading_or_exercise_is_stated_by_a_fact_of_the_lesson() -> None:
    unproven = {}
    for slug, lesson in LESSONS.items():
        facts = [dict(fact) for beat in lesson.beats for fact in beat.facts]
        quoted = figures(" ".join((lesson.title, lesson.learn, lesson.about, lesson.try_it)))
        unproven[slug] = quoted - set(chain.from_iterable(map(numbers_in, facts)))
    assert {slug: numbers for slug, numbers in unproven.items() if numbers} == {}


def test_every_token_in_a_beat_occurs_in_its_lesson() -> None:
    unknown = {}
    for name, (lesson, beat) in BEATS.items():
        tokens = {piece.replace("·", " ") for piece, is_token in parts(sentences(beat)) if is_token}
        unknown[name] = tokens - quotable(lesson, beat)
    assert {name: tokens for name, tokens in unknown.items() if tokens} == {}


def quotable(lesson: Lesson, beat: Beat) -> set[str]:
    """Return the tokens and words that a beat may quote."""
    trace = trained(lesson.slug, lesson.recipe)
    return (
        {trace.variant.spelled(symbol).decode("utf-8", "replace") for symbol in trace.symbols}
        | {*trace.pre_tokens, *map(str.strip, lesson.corpus.documents)}
        | {*lesson.vocabulary.split(), *beat.encode.split(), beat.encode}
        | set(chain.from_iterable(strings_in(dict(fact)) for fact in beat.facts))
    )


def test_every_row_of_a_table_is_stated_by_a_fact_of_its_beat() -> None:
    unproven = {}
    for name, (_, beat) in BEATS.items():
        stated = [fact.get("are", [fact.get("tokens", fact.get("pieces"))]) for fact in beat.facts]
        rows = beat.shown["table"].rows if "table" in beat.shown else ()
        unproven[name] = [row for row, words in rows if [list(word) for word in words] not in stated]
    assert {name: rows for name, rows in unproven.items() if rows} == {}


def test_every_number_and_word_of_a_bar_is_stated_by_a_fact_of_its_beat() -> None:
    unproven = {}
    for name, (_, beat) in BEATS.items():
        facts = [dict(fact) for fact in beat.facts]
        numbers = set(chain.from_iterable(map(numbers_in, facts)))
        words = set(chain.from_iterable(map(strings_in, facts)))
        for bar in beat.shown["bars"].rows if "bars" in beat.shown else ():
            said = set(regex.findall(r"\p{L}+", bar.text)) - {"and", "more"}
            unproven[f"{name}: {bar.name}"] = ({*bar.amounts} | figures(bar.text)) - numbers, said - words
    assert unproven
    assert {name: lacking for name, lacking in unproven.items() if any(lacking)} == {}


def test_a_token_is_quoted_between_two_backticks() -> None:
    assert parts("`a` + `b`.")[0] == ("a", True)
    with pytest.raises(BPEError, match="between two backticks"):
        parts("`a")


# Beats and lessons


def test_every_beat_is_short_and_points_at_something_present() -> None:
    assert [f"{name}: {fault}" for name, case in BEATS.items() for fault in beat_faults(*case)] == []


def beat_faults(lesson: Lesson, beat: Beat) -> Iterator[str]:
    trace = trained(lesson.slug, lesson.recipe)
    if not 0 <= beat.step <= len(trace.steps):
        yield f"there is no step {beat.step}"
        return
    claims = {
        "`say` is too long": len(with_first_numbers(beat.say, lambda: trace, beat.step)) <= 260,
        "`answer` is too long": len(with_first_numbers(beat.answer, lambda: trace, beat.step)) <= 240,
        "question and answer come together": bool(beat.question) is bool(beat.answer or beat.exercise),
        "a question ends with ?": beat.question == "" or beat.question.endswith("?"),
        "`encode` belongs to `show = encoding`": (beat.encode != "") is (beat.show == "encoding"),
        "`pair` belongs to `show = pair`": (beat.pair is not None) is (beat.show == "pair"),
        "rows that wait need rows": beat.waits == 0 or beat.show in ("runs", "table", "losses", "bars"),
        "the word is not in the text": "word" not in beat.shown or beat.shown["word"] in trace.pre_tokens,
        "`token` belongs to `show = token`": bool(beat.tokens) is (beat.show == "token"),
        "the pair does not occur": beat.pair is None or beat.pair in trace.pair_counts(beat.step),
        "the other training is too short": "beside" not in beat.shown
        or beat.step <= len(trained(lesson.slug, beat.shown["beside"]).steps),
        "the token does not occur": {*beat.tokens} <= trace.token_counts(beat.step).keys(),
    }
    yield from (fault for fault, holds in claims.items() if not holds)


def test_a_second_grid_is_at_the_step_that_the_facts_about_it_name() -> None:
    wrong = [
        f"{name}: {dict(fact)}"
        for name, (_, beat) in BEATS.items()
        for fact in beat.facts
        if fact["kind"] in ("merge", "tied") and fact.get("under") and "beside" in beat.shown
        if read_recipe(fact["under"]) == beat.shown["beside"]
        if fact.get("step", beat.step) != beat.shown.get("beside_step", beat.step)
    ]
    assert wrong == []


STAGED = {
    "the grid by default": ({}, "grid"),
    "a new text is encoded": ({"encode": "low"}, "encoding"),
    "bytes": ({"show": "bytes"}, "bytes"),
    "a stage of its own": ({"encode": "low", "stage": "grid"}, "grid"),
    "a pattern": ({"show": "pattern", "pattern": {"variant": "bytes-gpt2", "text": "low"}}, "pattern"),
    "a word": ({"word": "low"}, "word"),
    "two trainings": ({"stage": "compare", "beside": {"preset": "paper", "merges": 3}}, "compare"),
    "every way": ({"show": "every-way", "ways": {"begin": 0, "end": 3}}, "every-way"),
}
UNSTAGED = {
    "unknown": (
        {"stage": "film"},
        "one of grid, encoding, compare, word, whole words, summary, bytes",
    ),
    "nothing to encode": ({"stage": "encoding"}, "needs `encode`"),
    "no word": ({"stage": "word"}, "needs `word`"),
    "a curve that is not shown": ({"stage": "curve"}, "must show the same"),
    "unknown evidence": ({"show": "film"}, "must show one of pair, tie"),
    "a curve without its merges": ({"show": "curve"}, "needs `curve`"),
    "runs on another stage, and none": ({"show": "runs", "stage": "grid"}, "needs `runs`"),
    "nothing to compare with": ({"stage": "compare"}, "needs `beside`"),
    "every way of nothing": ({"show": "every-way"}, "needs `ways`"),
    "ways beside a grid": ({"ways": {"begin": 0, "end": 3}}, "must show the same"),
    "ways that fold": (
        {"show": "every-way", "ways": {"begin": 3, "end": 1}},
        "must unfold forwards, got 3 to 1",
    ),
    "a sample without a recipe": (
        {"show": "every-way", "ways": {"begin": 0, "end": 1, "sample": "nowhere"}},
        "come together",
    ),
    "an unknown sample": (
        {
            "show": "every-way",
            "ways": {"begin": 0, "end": 1, "sample": "?", "recipe": {"preset": "paper", "merges": 3}},
        },
        "must be a sample",
    ),
    "a step without a second grid": ({"beside_step": 3}, "`beside_step` belongs to “compare”"),
    "a recipe without a stage": (
        {"stage": "grid", "beside": {"preset": "paper", "merges": 3}},
        "`beside` belongs to “compare”",
    ),
    "words to spell without the stage": ({"spells": "low"}, "`spells` belongs to “bytes”"),
}


@pytest.mark.parametrize(("fields", "stage"), STAGED.values(), ids=STAGED)
def test_a_beat_has_a_stage(fields: dict[str, Any], stage: str) -> None:
    row = {"step": 0, "show": "words", "say": "Four words.", **fields}
    assert _read_beat(row, VARIANTS["char-eow"]).stage == stage


@pytest.mark.parametrize(("fields", "problem"), UNSTAGED.values(), ids=UNSTAGED)
def test_a_stage_that_cannot_be_drawn_is_refused(fields: dict[str, Any], problem: str) -> None:
    row = {"step": 0, "show": "words", "say": "Four words.", **fields}
    with pytest.raises(BPEError, match=problem):
        _read_beat(row, VARIANTS["char-eow"])


def test_every_lesson_names_a_source_an_encoder_and_a_sample_that_exist() -> None:
    assert [f"{slug}: {fault}" for slug, lesson in LESSONS.items() for fault in lesson_faults(lesson)] == []


def lesson_faults(lesson: Lesson) -> Iterator[str]:
    claims = {
        "the slug is not in lower case with hyphens": regex.fullmatch(r"[a-z]+(-[a-z]+)*", lesson.slug),
        "there is no source": lesson.source,
        "`about` is no sentence": lesson.about.endswith("."),
        "`learn` does not follow “You will learn”": regex.fullmatch(
            r"(how|what|why|which|who|where|that|the) [^.?!]{10,90}", lesson.learn
        ),
        "there is no such sample": lesson.sample in ("", *samples()),
        "`try_it` is no sentence": lesson.try_it.endswith((".", "?")),
        "a lesson has 4 to 9 beats": 4 <= len(lesson.beats) <= 9,
    }
    yield from (fault for fault, holds in claims.items() if not holds)
