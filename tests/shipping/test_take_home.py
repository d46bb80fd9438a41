"""What a lecturer hands out: problems of the engine, questions that Moodle reads, a notebook that checks itself."""

import json
import re
import subprocess
import sys

import pytest

from docs.gallery import notebook, take_home
from docs.gallery.page import Addresses
from docs.gallery.take_home import Problem, problem_sheet, problems
from tests import ROOT
from ui.exercises import KINDS


@pytest.fixture(scope="module")
def on_paper() -> list[Problem]:
    return list(problems())


QUESTION = re.compile(
    r"::(?P<title>(?:\\.|[^\\])*?)::\[plain\](?P<asks>(?:\\.|[^\\{])*)\{(?P<answers>(?:\\.|[^\\}])*)\}"
)


def plain(text: str) -> str:
    """Return a text of GIFT without its backslashes."""
    return re.sub(r"\\(.)", r"\1", text.replace(r"\n", "\n"))


def test_the_problems_are_of_every_kind_and_hold_what_a_reader_needs(on_paper: list[Problem]) -> None:
    assert {problem.drawn_as for problem in on_paper} == {kind.drawn_as for kind in KINDS.values()}
    assert len(on_paper) >= 25
    for problem in on_paper:
        assert problem.right
        assert not set(problem.right) & set(problem.wrong)
        assert len(problem.context) >= 2
        assert problem.question.endswith("?")


def test_moodle_reads_each_question_as_it_was_written(on_paper: list[Problem]) -> None:
    for problem in on_paper:
        check_question(problem)


def check_question(problem: Problem) -> None:
    match = QUESTION.fullmatch(take_home.question(problem).strip())
    assert match
    assert plain(match["title"]) == problem.title
    assert plain(match["asks"]).strip().endswith(problem.question)
    *answers, feedback = [line.strip() for line in match["answers"].strip().splitlines()]
    assert plain(feedback.removeprefix("####")) == problem.solution
    right = tuple(plain(line[1:]) for line in answers if line[0] in "=#")
    if problem.drawn_as == "order":
        right = tuple(answer.partition(" -> ")[2] for answer in right)
    assert right == (() if problem.drawn_as == "text" else problem.right)
    assert tuple(plain(line[1:]) for line in answers if line[0] == "~") == problem.wrong


def test_the_sheet_has_each_problem_and_gives_the_solutions_later(on_paper: list[Problem]) -> None:
    sheet = problem_sheet(on_paper, Addresses())
    problems_part, _, solutions = sheet.partition('class="solutions"')
    assert problems_part.count("<article>") == solutions.count("<li ") == len(on_paper)


def run_notebook(**cells: str) -> str:
    """Return what the notebook prints, with these cells in the place of those to fill in."""
    code = [
        cell["source"] for cell in json.loads(notebook.notebook())["cells"] if cell["cell_type"] == "code"
    ]
    script = "\n".join(cells.get(cell.partition("(")[0].removeprefix("def "), cell) for cell in code)
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    return run.stdout


def test_the_notebook_s_own_solution_is_right() -> None:
    answers = {
        "count_pairs": notebook.COUNT_SOLUTION,
        "merge": notebook.MERGE_SOLUTION,
        "train": notebook.TRAIN_SOLUTION,
    }
    printed = run_notebook(**answers).splitlines()
    assert len(printed) == 5
    assert all(line.startswith("Right") for line in printed)


def test_the_notebook_says_what_is_missing_and_never_fails_with_an_error() -> None:
    printed = run_notebook()
    assert "Right" not in printed.replace("Right: ['l', 'o']", "")
    assert printed.count("Not yet") >= 4
