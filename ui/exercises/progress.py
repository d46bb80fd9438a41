"""The progress of a visit: how often each exercise was tried, whether it was right, and a file of it for a teacher."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bpe.exercises import Verdict
from ui.exercises.kinds import KINDS
from ui.show.text import csv_file
from ui.visit.slot import Slot

FORMAT = "merge-by-merge progress, version 1"
MOST_TRIES = 9_999
MOST_RECORDED = 100_000  # characters
HEADER = (
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


@dataclass(slots=True)
class Attempt:
    """The attempts at one exercise."""

    tries: int = 0
    right_at: int = 0  # the number of the try that was right; 0 for none
    opened: bool = False  # whether the answer was opened before
    last: Verdict | None = None
    answers: int = 0  # received, including those that are no try

    @property
    def right(self) -> bool:
        """Whether a try was right before the answer was opened."""
        return self.right_at > 0 and not self.opened


# {name of an exercise: its attempts}
ATTEMPTS: Slot[dict[str, Attempt]] = Slot("_exercise_attempts", dict)


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


def attempts() -> Mapping[str, Attempt]:
    """Return {name of an exercise: its attempts} of this visit."""
    return ATTEMPTS.read()


def record(name: str, verdict: Verdict) -> None:
    """Record the verdict on an answer. An answer that does not spell its text is no try."""
    attempt = ATTEMPTS.read().setdefault(name, Attempt())
    attempt.answers += 1
    attempt.last = verdict
    if attempt.right_at or attempt.tries >= MOST_TRIES or verdict.mistakes == ("misspelled",):
        return
    attempt.tries += 1
    if verdict.right:
        attempt.right_at = attempt.tries


def open_answer(name: str) -> None:
    """Record that the answer was opened before a right try."""
    attempt = ATTEMPTS.read().setdefault(name, Attempt())
    attempt.opened = attempt.opened or not attempt.right_at


def number_right(names: Iterable[str]) -> int:
    """Return how many of these exercises are right."""
    return sum(attempt.right for name in names if (attempt := attempts().get(name)))


def as_record() -> str:
    """Return the attempts as a text for the browser tab, "" if there are none."""
    tried = {
        name: [one.tries, one.right_at, one.opened]
        for name, one in attempts().items()
        if one.tries or one.opened
    }
    return json.dumps(tried) if tried else ""


def restore(record: str, names: Collection[str]) -> None:
    """Add the new attempts at these exercises from a record. Anything else in it is ignored."""
    if len(record) > MOST_RECORDED:
        return
    try:
        stored = json.loads(record)
    except (ValueError, RecursionError):
        return
    for name, values in stored.items() if isinstance(stored, dict) else ():
        attempt = _attempt(values)
        if name in names and attempt is not None:
            ATTEMPTS.read().setdefault(name, attempt)


def _attempt(values: object) -> Attempt | None:
    """Return the attempts of one row of a record, None if no browser of ours has written it."""
    match values:
        case [int(tries), int(right_at), bool(opened)] if 0 <= right_at <= tries <= MOST_TRIES:
            return Attempt(int(tries), int(right_at), opened)
    return None


def rows(listed: Sequence[Listed]) -> list[dict[str, Any]]:
    """Return a row for each exercise, tried or not, with the columns of HEADER."""
    return [_row(one, attempts().get(one.name, Attempt())) for one in listed]


def _row(one: Listed, attempt: Attempt) -> dict[str, Any]:
    kind = KINDS[one.kind].name
    outcome = (attempt.tries, attempt.right, attempt.right_at, attempt.opened)
    values = (one.lesson, one.title, one.number, kind, one.question, *outcome)
    return dict(zip(HEADER, values, strict=True))


def as_json(listed: Sequence[Listed]) -> bytes:
    """Return the progress as a JSON file."""
    content = {"format": FORMAT, "exercises": rows(listed)}
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def as_csv(listed: Sequence[Listed]) -> bytes:
    """Return the progress as a CSV file."""
    return csv_file([*HEADER, "format"], [[*row.values(), FORMAT] for row in rows(listed)])
