"""The problems as questions in GIFT, the text format that Moodle imports (docs.moodle.org, "GIFT format")."""

from collections.abc import Iterable

from docs.gallery.take_home.problems import Problem

FILE = "questions.gift"
SPECIAL = "\\~=#{}:"  # GIFT puts a backslash before each of them


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
    asks = "\\n".join(map(escaped, (*problem.context, problem.question)))
    feedback = f"\t####{escaped(problem.solution)}\n"
    return f"::{escaped(problem.title)}::[plain]{asks} {{\n{_answers(problem)}{feedback}}}\n"


def escaped(text: str) -> str:
    r"""Return a text as GIFT writes it.

    >>> print(escaped("l + o = {lo}"))
    l + o \= \{lo\}
    """
    return "".join("\\" + character if character in SPECIAL else character for character in text)


def _answers(problem: Problem) -> str:
    if problem.drawn_as == "text":
        return ""  # an essay: Moodle cannot train, and many answers are right
    if problem.drawn_as == "number":
        return f"\t#{problem.right[0]}\n"
    if problem.drawn_as == "order":
        rows = (f"\t={number}. -> {escaped(pair)}\n" for number, pair in enumerate(problem.right, start=1))
        return "".join(rows)
    right = "".join(f"\t={escaped(answer)}\n" for answer in problem.right)
    return right + "".join(f"\t~{escaped(answer)}\n" for answer in problem.wrong)
