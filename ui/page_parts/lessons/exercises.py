"""The kinds of exercises: what each one asks, what the browser draws for it, and how its answer is read and judged.

A lesson or a link names a kind and at most a pair, a text or a number. Everything else is computed here and in
`bpe.exercises`. An answer comes from the browser, so whatever it holds is checked.
"""

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bpe import BPEError, Symbol, Trace
from bpe.encoding.tokenizer import Tokenizer
from bpe.exercises import (
    MergeOrder,
    NextPair,
    Piece,
    Quantity,
    Verdict,
    WordTokens,
)
from bpe.settings.request import Text
from film.labels import token_number
from ui.view import component as message
from ui.view.text import csv_file
from ui.view.visit import Slot

_LARGEST_NUMBER = 1 << 40
_MOST_TYPED = 400  # characters
_FORMAT = "merge-by-merge progress, version 1"
_MOST_TRIES = 9_999
_MOST_RECORDED = 100_000  # characters
_HEADER = (
    "lesson",
    "title",
    "exercise",
    "kind",
    "question",
    "tries",
    "right",
    "right_at_try",
    "answer_opened",
)


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise as a lesson or a link names it."""

    kind: str  # one of KINDS
    of: str = ""  # which number is asked, one of bpe.exercises.QUANTITIES
    step: int | None = None  # instead of the step of the beat
    merges: int = 0  # how many merges are put in order
    text: str = ""  # to split; by default the new text of the beat


@dataclass(frozen=True, slots=True)
class Question:
    """An exercise in its situation."""

    asks: tuple[Piece, ...]  # the question, unless the lesson has words of its own
    controls: Mapping[str, Any]  # what the browser draws besides the kind; a symbol is drawn as a token
    judge: Callable[[object], Verdict | None]  # None for an answer that no browser of ours sends
    solution: tuple[Piece, ...]
    # The right answers: pairs, one number, one order of pairs, or one tuple of tokens.
    right: tuple[Any, ...]
    # Likely wrong answers, of a number or of tokens: one of each misconception.
    wrong: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Situation:
    """Where an exercise is asked."""

    trace: Trace
    text: Text  # that the training read
    step: int
    tokenizer: Tokenizer
    encoder: str
    encode: str = ""  # the new text on the stage


def question_of(exercise: Exercise, situation: Situation) -> Question:
    """Return the question of an exercise. Raises BPEError if it has none at this step."""
    if exercise.kind not in KINDS:
        raise BPEError(f"The kind of an exercise must be one of {', '.join(KINDS)}, got {exercise.kind!r}.")
    return KINDS[exercise.kind].ask(exercise, situation)


def drawn_controls(question: Question, kind: str, chip: Callable[[Symbol], list[Any]]) -> dict[str, Any]:
    """Return a question's controls as data for the browser. `chip` draws a symbol."""
    drawn: dict[str, Any] = {"kind": KINDS[kind].drawn_as}
    for name, value in question.controls.items():
        drawn[name] = [
            {**item, "pair": [chip(symbol) for symbol in item["pair"]]} if isinstance(item, dict) else item
            for item in value
        ]
    return drawn


def drawn_sentence(pieces: tuple[Piece, ...], chip: Callable[[Symbol], list[Any]]) -> list[list[Any]]:
    """Return a sentence as the pieces that the browser draws: [text, None], or [label, id] for a token."""
    return [[piece, None] if isinstance(piece, str) else chip(piece)[:2] for piece in pieces]


@dataclass(frozen=True, slots=True)
class Listed:
    """An exercise of a lesson, for the list of all."""

    name: str  # as `exercise_name` returns it
    lesson: str  # slug
    title: str
    number: int  # of the exercise in its lesson, from 1
    kind: str
    question: str


def exercise_name(lesson: str, beat: int) -> str:
    """Return the name of the exercise of a lesson's beat, counted from 0.

    >>> exercise_name("the-first-tie", 1)
    'the-first-tie/2'
    """
    return f"{lesson}/{beat + 1}"


@dataclass(slots=True)
class _Attempt:
    """The attempts at one exercise."""

    tries: int = 0
    right_at: int = 0  # the number of the try that was right; 0 for none
    opened: bool = False  # whether the answer was opened before
    last: Verdict | None = None
    answer: Any = None  # the last one, as the browser sent it
    answers: int = 0  # received, including those that are no try

    @property
    def right(self) -> bool:
        """Whether a try was right before the answer was opened."""
        return self.right_at > 0 and not self.opened


def attempts() -> Mapping[str, _Attempt]:
    """Return {name of an exercise: its attempts} of this visit."""
    return _ATTEMPTS.read()


def record(name: str, verdict: Verdict, answer: object = None) -> None:
    """Record an answer and the verdict on it. An answer that does not spell its text is no try."""
    attempt = _ATTEMPTS.read().setdefault(name, _Attempt())
    attempt.answers += 1
    attempt.last = verdict
    attempt.answer = answer
    if attempt.right_at or attempt.tries >= _MOST_TRIES or verdict.mistakes == ("misspelled",):
        return
    attempt.tries += 1
    if verdict.right:
        attempt.right_at = attempt.tries


def open_answer(name: str) -> None:
    """Record that the answer was opened before a right try."""
    attempt = _ATTEMPTS.read().setdefault(name, _Attempt())
    attempt.opened = attempt.opened or not attempt.right_at


def number_right(names: Iterable[str]) -> int:
    """Return how many of these exercises are right."""
    return sum(attempt.right for name in names if (attempt := attempts().get(name)))


def as_record(names: Collection[str] | None = None) -> str:
    """Return the attempts and their last answers as a text for the browser, "" if there are none.

    names: of the exercises; None for all.
    """
    tried = {
        name: [one.tries, one.right_at, one.opened, *([one.answer] if one.answer is not None else [])]
        for name, one in attempts().items()
        if (one.tries or one.opened) and (names is None or name in names)
    }
    return json.dumps(tried) if tried else ""


def restore(record: str, names: Collection[str]) -> None:
    """Add the new attempts at these exercises from a record. Anything else in it is ignored."""
    if len(record) > _MOST_RECORDED:
        return
    try:
        stored = json.loads(record)
    except (ValueError, RecursionError):
        return
    for name, values in stored.items() if isinstance(stored, dict) else ():
        attempt = _attempt(values)
        if name in names and attempt is not None:
            _ATTEMPTS.read().setdefault(name, attempt)


def load(content: bytes, listed: Sequence[Listed]) -> int:
    """Add the attempts of a file that `as_json` or `as_csv` wrote, and return how many exercises it has tries of.

    What this visit has tried already stays. Raises BPEError for another file.
    """
    named = {(one.lesson, one.number): one.name for one in listed}
    loaded = {
        named[lesson, number]: attempt
        for lesson, number, attempt in _file_rows(content)
        if (lesson, number) in named and (attempt.tries or attempt.opened)
    }
    for name, attempt in loaded.items():
        _ATTEMPTS.read().setdefault(name, attempt)
    return len(loaded)


def _rows(listed: Sequence[Listed]) -> list[dict[str, Any]]:
    """Return a row for each exercise, tried or not, with the columns of _HEADER."""
    rows = []
    for one in listed:
        attempt = attempts().get(one.name, _Attempt())
        outcome = (attempt.tries, attempt.right, attempt.right_at, attempt.opened)
        values = (one.lesson, one.title, one.number, KINDS[one.kind].name, one.question, *outcome)
        rows.append(dict(zip(_HEADER, values, strict=True)))
    return rows


def as_json(listed: Sequence[Listed]) -> bytes:
    """Return the progress as a JSON file."""
    content = {"format": _FORMAT, "exercises": _rows(listed)}
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def as_csv(listed: Sequence[Listed]) -> bytes:
    """Return the progress as a CSV file."""
    return csv_file([*_HEADER, "format"], [[*row.values(), _FORMAT] for row in _rows(listed)])


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of exercises."""

    name: str  # as a teacher's file and menu call it
    drawn_as: str  # the controls: "pair", "number", "order" or "tokens"
    hides_next: bool  # whether the grid must hide the next merge
    ask: Callable[[Exercise, Situation], Question]


def _step(exercise: Exercise, situation: Situation) -> int:
    return situation.step if exercise.step is None else exercise.step


def _next_pair(exercise: Exercise, situation: Situation, *, by_rule: bool = False) -> Question:
    trace = situation.trace
    question = NextPair(trace, _step(exercise, situation), situation.text, by_rule=by_rule)
    options = question.options()
    numbers = {
        (left, right): (token_number(trace, left), token_number(trace, right))
        for left, right in (*question.counts, *options)
    }
    pair_with = {both: pair for pair, both in numbers.items()}

    def judge(answer: object) -> Verdict | None:
        number = message.whole_number(0, _LARGEST_NUMBER)
        pair = pair_with.get(message.pair_of(number)(answer) or (-1, -1))
        return None if pair is None else question.judge(pair)

    rule = trace.tie_break.title
    asks = f"Which pair does the rule “{rule}” pick?" if by_rule else "Which pair is merged next?"
    controls = {"options": [{"ids": numbers[pair], "pair": pair} for pair in options]}
    return Question((asks,), controls, judge, question.solution(), question.right)


def _quantity(exercise: Exercise, situation: Situation) -> Question:
    question = Quantity(situation.trace, _step(exercise, situation), exercise.of)
    wrong = tuple(min(numbers) for numbers in question.misconceptions.values() if numbers)

    def judge(answer: object) -> Verdict | None:
        number = message.whole_number(0, _LARGEST_NUMBER)(answer)
        return None if number is None else question.judge(number)

    return Question(("How many?",), {}, judge, question.solution(), (question.right,), wrong)


def _merge_order(exercise: Exercise, situation: Situation) -> Question:
    question = MergeOrder(situation.trace, _step(exercise, situation), exercise.merges)
    items = question.items

    def judge(answer: object) -> Verdict | None:
        if not isinstance(answer, list) or any(type(number) is not int for number in answer):
            return None
        if sorted(answer) != list(range(len(items))):
            return None
        return question.judge([items[number] for number in answer])

    asks = ("In which order are these merges learned?",)
    controls = {"items": [{"pair": pair} for pair in items]}
    return Question(asks, controls, judge, question.solution(), (question.learned,))


def _word_tokens(exercise: Exercise, situation: Situation) -> Question:
    text = exercise.text or situation.encode
    if not text:
        raise BPEError("An exercise about tokens must have a text to split.")
    question = WordTokens(situation.tokenizer, text, situation.encoder)

    def judge(answer: object) -> Verdict | None:
        typed = message.text(_MOST_TYPED)(answer)
        if typed is None:
            return None
        try:
            return question.judge(question.read(typed))
        except BPEError as error:
            return Verdict(False, (str(error),), ("misspelled",))

    gaps = [len(word) for word in question.words]
    return Question(
        ("Into which tokens is it split?",),
        {
            "symbols": [situation.tokenizer.variant.label(symbol) for symbol in question.symbols],
            "words": gaps,
        },
        judge,
        question.solution(),
        (question.right,),
        tuple(min(splits) for splits in question.misconceptions.values() if splits),
    )


KINDS: Mapping[str, _Kind] = {
    "pair": _Kind("the next pair", "pair", True, _next_pair),
    "rule": _Kind("the pair that the rule picks", "pair", True, partial(_next_pair, by_rule=True)),
    "number": _Kind("a number", "number", False, _quantity),
    "order": _Kind("the order of merges", "order", True, _merge_order),
    "tokens": _Kind("the tokens of a text", "tokens", False, _word_tokens),
}

# {name of an exercise: its attempts}
_ATTEMPTS: Slot[dict[str, _Attempt]] = Slot("_exercise_attempts", dict)


def _file_rows(content: bytes) -> list[tuple[str, int, _Attempt]]:
    """Return (lesson, number of the exercise, attempts) for each row of a file of progress."""
    try:
        text = content.decode("utf-8-sig")
        if text.lstrip().startswith("{"):
            stored = json.loads(text)
            if stored["format"] != _FORMAT:
                raise BPEError("")
            rows = stored["exercises"]
        else:
            rows = list(csv.DictReader(io.StringIO(text)))
            if not rows or rows[0]["format"] != _FORMAT:
                raise BPEError("")
        read = []
        for row in rows:
            opened = str(row["answer_opened"]).lower() == "true"
            attempt = _attempt([int(row["tries"]), int(row["right_at_try"]), opened])
            if attempt is None:
                raise BPEError("")
            read.append((str(row["lesson"]), int(row["exercise"]), attempt))
        return read
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, csv.Error):
        raise BPEError(
            "The file must be progress that was saved here, as JSON or CSV; this one is something else."
        ) from None


def _attempt(values: object) -> _Attempt | None:
    """Return the attempts of one row of a record, None if no browser of ours has written it."""
    match values:
        case [int(tries), int(right_at), bool(opened), *answer] if 0 <= right_at <= tries <= _MOST_TRIES:
            return _Attempt(int(tries), int(right_at), opened, answer=answer[0] if len(answer) == 1 else None)
    return None
