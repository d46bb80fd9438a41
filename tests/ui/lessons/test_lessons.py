"""Every figure and every token in a lesson is the engine's, or a test in `course` states it.

Each test goes over all lessons or beats and reports every one that is wrong.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import regex

from bpe import VARIANTS, BPEError
from tests.ui.lessons.lesson_checks import sentences, token_rows, trained
from ui.page_parts.lessons.contents import _read_beat, lessons
from ui.page_parts.lessons.lesson import Beat, Lesson, named_pairs, parts
from ui.page_parts.lessons.moving_numbers import with_first_numbers
from ui.trainings.corpus import samples

LESSONS = lessons()
BEATS = {
    f"{lesson.slug}, beat {number}": (lesson, beat)
    for lesson in LESSONS.values()
    for number, beat in enumerate(lesson.beats, start=1)
}


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


def figures(text: str) -> set[float]:
    """Return the numbers that a text quotes: all in digits, and in words from three on."""
    text = NAMES.sub(" ", text)
    digits = [
        number.replace(",", "").replace("−", "-")
        for number in regex.findall(r"−?\d[\d,]*(?<!,)(?:\.\d+)?", text)
    ]
    quoted = {float(number) if "." in number else int(number) for number in digits}
    return quoted | {NUMBERS[word] for word in regex.findall(r"[a-z]+", text.lower()) if word in NUMBERS}


@cache
def stated() -> Mapping[str, set[float | str]]:
    """Return the numbers and texts in the asserts of each beat, which follow `at = beat(slug, number)`."""
    found = defaultdict[str, set[float | str]](set)
    for file in Path(__file__).with_name("course").glob("test_*.py"):
        for test in ast.parse(file.read_text("utf-8")).body:
            name = ""
            for line in test.body if isinstance(test, ast.FunctionDef) and test.name[:5] == "test_" else ():
                if begins := regex.search(r'\bbeat\("(.+)", (\d+)\)', ast.unparse(line).replace("'", '"')):
                    name = f"{begins[1]}, beat {begins[2]}"
                else:
                    found[name] |= set(values_in(line))
    return found


def values_in(code: ast.AST) -> Iterator[float | str]:
    """Yield the numbers and texts in a line of a test, the tokens of a text, and how many there are.

    >>> sorted({*values_in(ast.parse("assert at.word('low') == 'lo w</w>'"))}, key=str)
    [2, 'lo', 'lo w</w>', 'low', 'w</w>']
    """
    match code:
        case ast.Call(func=ast.Name(id="given")):  # its source states nothing
            yield from chain.from_iterable(map(values_in, code.args[1:]))
            return
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            yield -number
        case ast.Constant(value=str() as text):
            yield from (
                text,
                *text.replace("·", " ").split(),
                *(token.replace("·", " ") for token in text.split()),
            )
        case ast.Constant(value=int() | float() as number):
            yield number
        case ast.List():
            yield len(code.elts)
        case ast.Compare(comparators=[ast.Constant(value=str() as text)]):
            yield len(text.split(", " if " + " in text else " "))
    yield from chain.from_iterable(map(values_in, ast.iter_child_nodes(code)))


def known_numbers(lesson: Lesson, beat: Beat) -> set[float]:
    """Return the numbers that the engine knows of a beat.

    They are its step, the sizes of its text and of its vocabulary where it speaks of them, the count of the next merge,
    and the counts of the words, tokens and pairs that it names.
    """
    trace, step = trained(lesson.slug, lesson.recipe), beat.step
    symbol = trace.variant.unspelled
    nouns = {
        f"merge {step + 1}": {step + 1},
        "word": {len(trace.pre_tokens)},
        "in use": {trace.in_use(step)},
        "token|letter|character|byte": {trace.tokens_total(0), trace.tokens_total(step)},
        "token|vocabulary|character|symbol": {trace.vocabulary_size(0), trace.vocabulary_size(step)},
    }
    numbers: set[float] = {step}.union(
        *(sizes for noun, sizes in nouns.items() if regex.search(noun, sentences(beat)))
    )
    numbers |= {len(row) for row in token_rows(beat) if is_split(lesson, beat, row)}
    if step < len(trace.steps):
        numbers.add(trace.steps[step].count)
    if beat.exercise:  # what it asks for, by which the engine judges
        numbers.add(beat.exercise.merges)
    words = dict(zip(trace.pre_tokens, trace.frequencies, strict=True))
    for text in (beat.say, beat.question, beat.answer):
        text = text.replace("·", " ")
        named = [part for part, is_token in parts(text) if is_token]
        numbers |= {words.get(name, 0) for name in named}
        numbers |= {trace.token_counts(step).get(symbol(name), 0) for name in named}
        numbers |= {
            trace.pair_counts(step).get((symbol(left), symbol(right)), 0) for left, right in named_pairs(text)
        }
    return numbers


def test_every_figure_in_a_beat_is_the_engine_s_or_stated() -> None:
    unproven = {
        name: figures(sentences(beat)) - known_numbers(lesson, beat) - stated()[name]
        for name, (lesson, beat) in BEATS.items()
    }
    assert {name: numbers for name, numbers in unproven.items() if numbers} == {}


def test_every_figure_in_a_heading_or_exercise_is_the_engine_s_or_stated() -> None:
    unproven = {}
    for slug, lesson in LESSONS.items():
        trace = trained(slug, lesson.recipe)
        known: set[float] = {
            len(trace.steps),
            len(trace.pre_tokens),
            trace.tokens_total(0),
            *trace.frequencies,
        }
        for number in range(1, len(lesson.beats) + 1):
            known |= {value for value in stated()[f"{slug}, beat {number}"] if not isinstance(value, str)}
        quoted = figures(" ".join((lesson.title, lesson.learn, lesson.about, lesson.try_it)))
        unproven[slug] = quoted - known
    assert {slug: numbers for slug, numbers in unproven.items() if numbers} == {}


def test_every_row_of_tokens_in_a_beat_is_a_split_of_the_engine_or_stated() -> None:
    unproven = {}
    for name, (lesson, beat) in BEATS.items():
        told = [f" {text} " for text in stated()[name] if isinstance(text, str)]
        unproven[name] = {
            " ".join(row)
            for row in token_rows(beat)
            if not is_split(lesson, beat, row)
            if not any(f" {' '.join(row)} " in text for text in told)
        }
    assert {name: rows for name, rows in unproven.items() if rows} == {}


def is_split(lesson: Lesson, beat: Beat, row: tuple[str, ...]) -> bool:
    """Return whether a word of the text, or a new text, has these tokens after the beat's step."""
    trace = trained(lesson.slug, lesson.recipe)
    symbols = tuple(trace.variant.unspelled(token.replace("·", " ")) for token in row)
    if symbols in {word for word, _ in trace.words_at(beat.step)}:
        return True
    tokenizer, text = lesson.tokenizer(trace, beat.step), "".join(row).replace("·", " ").removesuffix("</w>")
    return tuple(tokenizer.tokens(text, lesson.encoder_of(beat))) == symbols


def test_every_token_in_a_beat_occurs_in_its_lesson() -> None:
    unknown = {}
    for name, (lesson, beat) in BEATS.items():
        tokens = {piece.replace("·", " ") for piece, is_token in parts(sentences(beat)) if is_token}
        unknown[name] = tokens - quotable(lesson, beat) - stated()[name]
    assert {name: tokens for name, tokens in unknown.items() if tokens} == {}


def quotable(lesson: Lesson, beat: Beat) -> set[str]:
    """Return the tokens and words that a beat may quote."""
    trace = trained(lesson.slug, lesson.recipe)
    return (
        {trace.variant.spelled(symbol).decode("utf-8", "replace") for symbol in trace.symbols}
        | {*trace.pre_tokens, *map(str.strip, lesson.corpus.documents)}
        | {*lesson.vocabulary.split(), *beat.encode.split(), beat.encode}
        | {"".join(row).removesuffix("</w>") for row in token_rows(beat) if is_split(lesson, beat, row)}
    )


def test_every_row_of_a_table_is_stated() -> None:
    unproven = {}
    for name, (_, beat) in BEATS.items():
        rows = beat.shown["table"].rows if "table" in beat.shown else ()
        unproven[name] = [
            row for row, words in rows if not {" ".join(word) for word in words} <= stated()[name]
        ]
    assert {name: rows for name, rows in unproven.items() if rows} == {}


def test_every_number_and_word_of_a_bar_is_stated() -> None:
    unproven = {}
    for name, (lesson, beat) in BEATS.items():
        known = {*known_numbers(lesson, beat), *stated()[name]}
        for bar in beat.shown["bars"].rows if "bars" in beat.shown else ():
            said = set(regex.findall(r"\p{L}+", bar.text)) - {"and", "more"}
            unproven[f"{name}: {bar.name}"] = ({*bar.amounts} | figures(bar.text) | said) - known
    assert unproven
    assert {name: lacking for name, lacking in unproven.items() if lacking} == {}


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
