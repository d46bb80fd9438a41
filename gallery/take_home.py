"""The exercises of the lessons as problems to take home: on paper, for Moodle, and as code.

Moodle imports them as GIFT, a text format (docs.moodle.org, "GIFT format").
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, islice

import bpe
from bpe import Pair, Symbol, Trace
from bpe.exercises.verdict import Piece, pair_pieces, token_pieces
from bpe.settings.request import read_request
from bpe.symbols import Word
from bpe.text.display import counted, well_formed
from bpe.training.script import GAPS, training_script
from film.textbook_code import training_lines
from ui.exercises import KINDS, Question
from ui.lessons.contents import lessons
from ui.lessons.lesson import Beat, Lesson, parts
from ui.lessons.moving_numbers import with_first_numbers

MOST_WORDS = 12  # that a context lists
MOST_SYMBOLS = 60  # in one word
MOST_MERGES = 30  # that a context lists
INDENT = "    "  # of code

Pieces = tuple[tuple[str, bool], ...]  # (text, whether it is a token), as `parts` splits a sentence


@dataclass(frozen=True, slots=True)
class Problem:
    """One exercise with its context: the words or merges that a reader needs to solve it."""

    lesson: Lesson
    number: int  # of the beat, from 1
    context: tuple[Pieces, ...]  # lines
    question: Pieces
    drawn_as: str  # as of a kind of exercises
    # Each of them is right; of an order, the pairs in their order; of a text, an example.
    right: tuple[Pieces, ...]
    wrong: tuple[Pieces, ...]  # other options of a pair or a choice
    solution: Pieces
    words: tuple[Pieces, ...] = ()  # in their first symbols, if the question is how they are split
    code: tuple[
        tuple[str, bool], ...
    ] = ()  # (line, whether it is highlighted), if the question is about a line

    @property
    def title(self) -> str:
        """The lesson and the step, which name the problem."""
        return f"{self.lesson.title} ({self.number})"

    @property
    def kind(self) -> str:
        """The kind of its exercise."""
        exercise = self.lesson.beats[self.number - 1].exercise
        assert exercise is not None
        return exercise.kind


def problems() -> Iterator[Problem]:
    """Yield the problems in the order of the course, without those whose context is too long for paper."""
    for lesson in lessons().values():
        if not any(beat.exercise for beat in lesson.beats):
            continue
        trace = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)
        for number, beat in enumerate(lesson.beats, start=1):
            if beat.exercise:
                problem = _problem(lesson, trace, beat, number)
                if problem is not None:
                    yield problem


def plain(pieces: Pieces) -> str:
    """Return pieces as text.

    >>> plain((("Now ", False), ("es", True), (" + ", False), ("t", True)))
    'Now es + t'
    """
    return "".join(piece for piece, _ in pieces)


def _problem(lesson: Lesson, trace: Trace, beat: Beat, number: int) -> Problem | None:
    assert beat.exercise is not None
    asked = lesson.question(trace, beat)
    step = beat.step if beat.exercise.step is None else beat.exercise.step
    context = CONTEXTS.get(beat.exercise.kind, _words)(lesson, beat, trace, step)
    if context is None:
        return None
    drawn_as = KINDS[beat.exercise.kind].drawn_as
    right, wrong = _answers_of(asked, drawn_as, trace)
    code = _listing(lesson, trace, beat) if drawn_as == "line" else ()

    def first(text: str) -> str:
        return with_first_numbers(text, lambda: trace, beat.step)

    return Problem(
        lesson,
        number,
        (tuple(parts(first(beat.say))), *context),
        tuple(parts(beat.question)) or _drawn(trace, asked.asks),
        drawn_as,
        right,
        wrong,
        tuple(parts(first(beat.answer))) or _drawn(trace, asked.solution),
        _spelled_words(asked) if drawn_as == "tokens" else (),
        code,
    )


def _answers_of(
    asked: Question, drawn_as: str, trace: Trace
) -> tuple[tuple[Pieces, ...], tuple[Pieces, ...]]:
    """Return the right answers and the wrong ones to choose from."""

    def pairs(chosen: Iterable[Pair]) -> tuple[Pieces, ...]:
        return tuple(_drawn(trace, pair_pieces(pair)) for pair in chosen)

    def splits(chosen: Iterable[tuple[Symbol, ...]]) -> tuple[Pieces, ...]:
        return tuple(_drawn(trace, token_pieces(split)) for split in chosen)

    if drawn_as == "pair":
        options = [option["pair"] for option in asked.controls["options"]]
        return pairs(asked.right), pairs(pair for pair in options if pair not in asked.right)
    if drawn_as == "order":
        (learned,) = asked.right
        return pairs(learned), ()
    if drawn_as == "choice":
        shown = [split["tokens"] for split in asked.controls["splits"]]
        return splits(asked.right), splits(split for split in shown if split not in asked.right)
    if drawn_as == "tokens":
        return splits(asked.right), ()
    if drawn_as == "line":
        lines = [
            _text(f"Line {number}: {line.strip()}") for number, line in enumerate(asked.controls["lines"], 1)
        ]
        (right,) = asked.right
        return (lines[right],), (*lines[:right], *lines[right + 1 :])
    return tuple(_text(str(answer)) for answer in asked.right), ()


def _spelled_words(asked: Question) -> tuple[Pieces, ...]:
    """Return the words of a text that is to be split, in their first symbols."""
    symbols = iter(asked.controls["symbols"])
    return tuple(
        tuple((symbol, True) for symbol in islice(symbols, size)) for size in asked.controls["words"]
    )


def _listing(lesson: Lesson, trace: Trace, beat: Beat) -> tuple[tuple[str, bool], ...]:
    """Return the code of a training, with the lines that the beat highlights."""
    lines = training_lines(trace, isinstance(lesson.corpus.training_text, Mapping))
    lit = beat.shown["code"]
    return tuple((INDENT * line["depth"] + line["text"], line["beat"] == lit) for line in lines)


def _words(lesson: Lesson, beat: Beat, trace: Trace, step: int) -> tuple[Pieces, ...] | None:
    words = trace.words_at(step)
    if len(words) > MOST_WORDS or any(len(word) > MOST_SYMBOLS for word, _ in words):
        return None
    merges = f"After {counted(step, 'merge')}:" if step else "Before the first merge:"
    rows = (
        _drawn(trace, (f"{frequency} × ", *_word(trace, pre_token, word, step)))
        for pre_token, (word, frequency) in zip(trace.pre_tokens, words, strict=True)
    )
    return (_text(merges), *rows)


def _word(trace: Trace, pre_token: str, word: Word, step: int) -> tuple[Piece, ...]:
    """Return a word as pieces, with bars that no merge crosses in the first stage of a training with superwords."""
    first = trace.variant.first
    if first is None or trace.second_stage is None or step >= trace.second_stage:
        return token_pieces(word)
    walls = {*accumulate(len(b"".join(first.spell(inner))) for inner in first.split(pre_token))}
    ends = accumulate(map(len, word))
    return tuple(
        piece
        for token, end in zip(word, ends, strict=True)
        for piece in (token, " | " if end in walls else " ")
    )[:-1]


def _words_and_rule(lesson: Lesson, beat: Beat, trace: Trace, step: int) -> tuple[Pieces, ...] | None:
    """Return the words, the rule for ties, and the ids if the rule compares them."""
    words = _words(lesson, beat, trace, step)
    if words is None:
        return None
    rule = trace.tie_break
    rows = [*words, _text(f"The rule for ties is “{rule.title}”. {rule.about}")]
    if any(term.endswith(" id") for term in rule.order):
        tokens = sorted({token for word, _ in trace.words_at(step) for token in word}, key=trace.id_of)
        ids = [piece for token in tokens for piece in (token, f" {trace.id_of(token)}, ")]
        rows.append(_drawn(trace, ("The ids are: ", *ids[:-1], str(ids[-1]).removesuffix(", "))))
    return tuple(rows)


def _merges(lesson: Lesson, beat: Beat, trace: Trace, step: int) -> tuple[Pieces, ...] | None:
    """Return the merges, which are all that a reader needs to split a new word; None for an encoder that draws."""
    encoder = lesson.encoder_of(beat)
    if lesson.vocabulary:
        tokens = sorted(lesson.tokenizer(trace, step).ids.items(), key=lambda item: item[1])
        listed_tokens = [piece for token, _ in tokens for piece in (token, ", ")][:-1]
        return (
            _drawn(trace, ("The vocabulary: ", *listed_tokens)),
            _text(f"Encoder: {encoder.title}."),
        )
    if step > MOST_MERGES or trace.variant.unit == "bytes" or encoder.settings:
        return None
    rows = (
        _drawn(trace, (f"{rank}. ", *pair_pieces(pair))) for rank, pair in enumerate(trace.merges[:step], 1)
    )
    order = f"Encoder: {encoder.title}. The merges in their order:"
    return (_text(order), *rows)


def _settings(lesson: Lesson, beat: Beat, trace: Trace, step: int) -> tuple[Pieces, ...]:
    """Return how a text is split and spelled, which a reader needs to count its pairs."""
    return (_text(f"Words and symbols: {trace.variant.title}."),)


# Kind of exercise -> what a reader needs besides the text; by default the words at its step.
Context = Callable[[Lesson, Beat, Trace, int], tuple[Pieces, ...] | None]
CONTEXTS: Mapping[str, Context] = {
    "rule": _words_and_rule,
    "tokens": _merges,
    "find": _merges,
    "spot": _merges,
    "build": _settings,
    "beat": lambda *_: None,  # nobody trains 400 merges on paper
    "line": lambda *_: (),  # the code is all
}


def _text(text: str) -> Pieces:
    return ((text, False),)


def _drawn(trace: Trace, pieces: Iterable[Piece]) -> Pieces:
    """Return a sentence with its symbols as the labels of tokens."""
    return tuple(
        (piece, False) if isinstance(piece, str) else (trace.variant.label(piece), True) for piece in pieces
    )


FILE = "questions.gift"
# Scripts with a gap, one for each part of the algorithm: (name of the file, its title)
EXERCISES = {slug: (f"exercise-{slug}.py", gap.title) for slug, gap in GAPS.items()}
EXERCISE_TEXT, EXERCISE_SETTINGS = (
    "low low low low low lower lower newest newest newest widest",
    {"merges": 12},
)


def exercises() -> Iterator[tuple[str, str]]:
    """Yield (name of the file, script) of each exercise in code: a trainer with a gap, which says what is wrong."""
    request = read_request(merges=12)
    for slug, (file, _) in EXERCISES.items():
        yield file, training_script(EXERCISE_TEXT, request, gap=slug)


# GIFT puts a backslash before each of these signs, and writes a line end as \n, since an empty line ends a question.
SPECIAL = {**{ord(sign): f"\\{sign}" for sign in "\\~=#{}:"}, 0: "\ufffd", ord("\n"): "\\n", ord("\r"): "\\n"}

LIT = "▸"  # stands before a highlighted line of code, since a text has no colours


def questions(problems: Iterable[Problem]) -> str:
    """Return a file with one question for each problem, in categories by the part of the course."""
    lines: list[str] = []
    part = ""
    for problem in problems:
        if problem.lesson.part != part:
            part = problem.lesson.part
            lines.append(f"$CATEGORY: Byte pair encoding/{part}\n")
        lines.append(question(problem))
    return "\n".join(lines)


def question(problem: Problem) -> str:
    """Return one question. Its feedback is the solution."""
    code = (
        _text(f"{number:2} {LIT if lit else ' '} {line}")
        for number, (line, lit) in enumerate(problem.code, start=1)
    )
    asks = "\\n".join(escaped(plain(pieces)) for pieces in (*problem.context, *code, problem.question))
    feedback = f"\t####{escaped(plain(problem.solution))}\n"
    return f"::{escaped(problem.title)}::[plain]{asks} {{\n{_answers(problem)}{feedback}}}\n"


def escaped(text: str) -> str:
    r"""Return a text as GIFT writes it. U+FFFD stands for a lone surrogate, and for NUL.

    >>> print(escaped("l + o = {lo}"))
    l + o \= \{lo\}
    """
    return well_formed(text).replace("\r\n", "\n").translate(SPECIAL)


def _answers(problem: Problem) -> str:
    if problem.drawn_as == "text":
        return ""  # an essay: Moodle cannot train, and many answers are right
    if problem.drawn_as == "number":
        return f"\t#{plain(problem.right[0])}\n"
    right, wrong = (
        [escaped(plain(answer)) for answer in answers] for answers in (problem.right, problem.wrong)
    )
    if problem.drawn_as == "order":
        return "".join(f"\t={number}. -> {pair}\n" for number, pair in enumerate(right, start=1))
    return "".join([*(f"\t={answer}\n" for answer in right), *(f"\t~{answer}\n" for answer in wrong)])
