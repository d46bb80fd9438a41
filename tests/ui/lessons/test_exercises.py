"""Every exercise of the lessons can be answered, and the lesson's own words agree with the engine's answer."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from bpe import BPEError
from bpe.exercises import Verdict
from bpe.text.display import counted
from tests.ui.lessons.lesson_checks import trained
from tests.ui.lessons.test_lessons import BEATS, figures
from ui.page_parts.lessons import choosing, exercises
from ui.page_parts.lessons.card import _beat_data
from ui.page_parts.lessons.contents import _read_beat, lessons
from ui.page_parts.lessons.exercises import (
    _ATTEMPTS,
    _FORMAT,
    _HEADER,
    KINDS,
    Exercise,
    Listed,
    Question,
    Situation,
    _Attempt,
    question_of,
)
from ui.page_parts.lessons.lesson import Beat, Lesson, parts
from ui.page_parts.lessons.stages import BeatContent

ASKED = {name: case for name, case in BEATS.items() if case[1].exercise}


def question(lesson: Lesson, beat: Beat) -> Question:
    return lesson.question(trained(lesson.slug, lesson.recipe), beat)


def right_answers(lesson: Lesson, beat: Beat) -> list[object]:
    """Return every answer of a small set that is judged right."""
    asked = question(lesson, beat)
    candidates: list[object] = [list(option["ids"]) for option in asked.controls.get("options", ())]
    candidates += {*range(300), *figures(beat.answer)}
    solution = [piece for piece in asked.solution if isinstance(piece, bytes)]
    candidates.append(" ".join(map(trained(lesson.slug, lesson.recipe).variant.label, solution)))
    candidates.append(beat.exercise.text if beat.exercise else "")
    verdicts = [(answer, asked.judge(answer)) for answer in candidates]
    return [answer for answer, verdict in verdicts if verdict and verdict.right]


def test_every_lesson_has_an_exercise() -> None:
    assert {lesson.slug for lesson, _ in ASKED.values()} == set(lessons())


def test_every_exercise_can_be_solved_and_is_asked_in_words() -> None:
    faults = []
    for name, (lesson, beat) in ASKED.items():
        assert beat.exercise
        solvable = beat.exercise.kind == "order" or right_answers(lesson, beat)
        if not (solvable and beat.question.endswith("?")):
            faults.append(name)
    assert faults == []


def test_the_lesson_s_answer_is_the_engine_s() -> None:
    """Its tokens or its number are in the answer that the author wrote."""
    faults = []
    for name, (lesson, beat) in ASKED.items():
        if not beat.answer:
            continue
        right = right_answers(lesson, beat)
        label = trained(lesson.slug, lesson.recipe).variant.label
        quoted = [token for token, is_token in parts(beat.answer) if is_token]
        if beat.exercise and KINDS[beat.exercise.kind].drawn_as == "number":
            agrees = set(right) <= figures(beat.answer) | {len(quoted) // 2}
        else:
            solution = question(lesson, beat).solution
            tokens = {label(piece) for piece in solution if isinstance(piece, bytes)}
            agrees = tokens <= set(quoted) or all(hex_bytes(token) in beat.answer for token in tokens)
        if not agrees:
            faults.append(name)
    assert faults == []


def hex_bytes(label: str) -> str:
    """Return the last byte of a label such as <0xF0><0x9F>, as the lesson on bytes writes it."""
    return label[-3:-1] if label.startswith("<0x") and label.count("<") == 1 else ""


def test_the_card_can_draw_every_exercise() -> None:
    for lesson, beat in ASKED.values():
        data = _beat_data(BeatContent(lesson, trained(lesson.slug, lesson.recipe), beat))
        assert data["exercise"]["kind"] in {kind.drawn_as for kind in KINDS.values()}
        json.dumps(data)
        assert data["answer"]


FORGED: list[Any] = [
    None,
    "",
    {},
    [],
    [1],
    [1, 2, 3],
    [-1, -1],
    "x" * 401,
    1.5,
    True,
    -1,
    [[1], [2]],
    1 << 60,
]


def test_a_forged_answer_is_no_verdict_or_a_wrong_one() -> None:
    for lesson, beat in ASKED.values():
        judge = question(lesson, beat).judge
        for answer in FORGED:
            verdict = judge(answer)
            assert verdict is None or not verdict.right


def test_an_exercise_of_no_kind_or_without_what_it_needs_is_refused() -> None:
    lesson = lessons()["count-merge-repeat"]
    trace = trained(lesson.slug, lesson.recipe)
    end = Situation(
        trace, lesson.corpus.training_text, len(trace.steps), trace.tokenizer(), lesson.encoder.slug
    )
    for exercise in (
        Exercise("riddle"),
        Exercise("pair"),
        Exercise("number", of="luck"),
        Exercise("order", merges=3),
        Exercise("tokens"),
    ):
        with pytest.raises(BPEError):
            question_of(exercise, end)
    with pytest.raises(BPEError, match="must have a kind"):
        _read_beat({"step": 0, "show": "words", "say": "x", "exercise": {}}, trace.variant)


# Progress

RIGHT, WRONG = Verdict(True, ("Right!",)), Verdict(False, ("No.",), ("letters",))


@pytest.fixture
def visit() -> Iterator[dict[str, _Attempt]]:
    """Yield the attempts of a new visit."""
    _ATTEMPTS.forget()
    yield _ATTEMPTS.read()
    _ATTEMPTS.forget()


def test_progress_counts_tries_up_to_the_right_one(visit: dict[str, _Attempt]) -> None:
    for verdict in (WRONG, Verdict(False, ("?",), ("misspelled",)), WRONG, RIGHT, WRONG):
        exercises.record("a/1", verdict)
    assert (visit["a/1"].tries, visit["a/1"].right_at, visit["a/1"].answers) == (3, 3, 5)
    exercises.open_answer("a/2")
    exercises.record("a/2", RIGHT)
    exercises.open_answer("a/1")  # after a right answer this changes nothing
    assert exercises.number_right(["a/1", "a/2", "a/3"]) == 1


def test_the_files_for_a_teacher_hold_every_exercise(visit: dict[str, _Attempt]) -> None:
    listed = choosing.listed_exercises()
    exercises.record(listed[0].name, WRONG)
    exercises.record(listed[0].name, RIGHT)
    content = json.loads(exercises.as_json(listed))
    assert content["format"] == _FORMAT
    assert len(content["exercises"]) == len(listed) == len(ASKED)
    first = content["exercises"][0]
    assert (first["lesson"], first["tries"], first["right"], first["right_at_try"]) == (
        listed[0].lesson,
        2,
        True,
        2,
    )
    table = list(csv.DictReader(io.StringIO(exercises.as_csv(listed).decode("utf-8-sig"))))
    assert len(table) == len(listed)
    assert set(_HEADER) < set(table[0])
    assert choosing._score_of(listed[0].lesson)[0] == 1
    assert counted(1, "exercise") == "1 exercise"


def test_an_answer_is_judged_recorded_and_drawn(visit: dict[str, _Attempt]) -> None:
    lesson = lessons()["two-endings"]
    trace = trained(lesson.slug, lesson.recipe)
    for answer in (2, 14, "forged"):
        choosing.receive(lesson, trace, 0, answer)
    choosing.receive(lesson, trace, 2, 14)  # that beat has no exercise
    drawn = choosing.drawn_verdicts(lesson, trace)
    assert list(drawn) == ["0"]
    assert drawn["0"]["right"]
    assert drawn["0"]["tries"] == 2
    choosing.receive(lesson, trace, 1, None)
    assert visit["two-endings/2"].opened


def test_an_answer_comes_back_with_its_verdict_in_another_visit(visit: dict[str, _Attempt]) -> None:
    lesson = lessons()["two-endings"]
    trace = trained(lesson.slug, lesson.recipe)
    choosing.receive(lesson, trace, 0, 2)
    first, stored = choosing.drawn_verdicts(lesson, trace), exercises.as_record()
    _ATTEMPTS.forget()
    exercises.restore(stored, {"two-endings/1"})
    again = choosing.drawn_verdicts(lesson, trace)
    assert again["0"]["sentence"] == first["0"]["sentence"]
    assert (again["0"]["right"], again["0"]["tries"]) == (False, 1)


@pytest.mark.parametrize("write", [exercises.as_json, exercises.as_csv])
def test_saved_progress_is_loaded_again_and_adds_to_the_visit(
    visit: dict[str, _Attempt], write: Callable[[Sequence[Listed]], bytes]
) -> None:
    listed = choosing.listed_exercises()
    exercises.record(listed[0].name, WRONG)
    exercises.record(listed[0].name, RIGHT)
    exercises.open_answer(listed[1].name)
    content = write(listed)
    _ATTEMPTS.forget()
    exercises.record(listed[2].name, RIGHT)
    assert exercises.load(content, listed) == 2
    loaded = exercises.attempts()
    assert (loaded[listed[0].name].tries, loaded[listed[0].name].right_at) == (2, 2)
    assert loaded[listed[1].name].opened
    assert exercises.number_right(one.name for one in listed) == 2


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"\xff\xfe", b"a,b\n1,2\n", b'{"format": 7}', b"[" * 10_000, b"{" * 10_000]
)
def test_another_file_is_refused_in_a_sentence(content: bytes) -> None:
    with pytest.raises(BPEError, match="must be progress that was saved here"):
        exercises.load(content, choosing.listed_exercises())
