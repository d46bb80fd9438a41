"""The problem sheet: all problems on paper, and their solutions on pages of their own."""

import html
from collections.abc import Sequence
from itertools import groupby

from docs.gallery.page import Addresses, footer, page_html
from docs.gallery.take_home.problems import Problem

FILE = "problems.html"
TITLE = "Byte pair encoding: problems"
DESCRIPTION = "Problems with everything that is needed to solve them on paper, and their solutions."


def problem_sheet(problems: Sequence[Problem], addresses: Addresses) -> str:
    """Return the page."""
    numbers = {id(problem): number for number, problem in enumerate(problems, start=1)}
    sections = []
    for part, group in groupby(problems, lambda problem: problem.lesson.part):
        rows = "".join(_problem(numbers[id(problem)], problem) for problem in group)
        sections.append(f"<section><h2>{html.escape(part)}</h2>{rows}</section>")
    solutions = "".join(
        f"<li value={number}>{html.escape(problem.solution)}</li>"
        for number, problem in enumerate(problems, start=1)
    )
    body = f"""<header><p><a href="index.html">← All films</a></p><h1>{TITLE}</h1>
<p class="lead">Solve them on paper: each question comes with the words and merges that you need. The
solutions begin on a page of their own.</p></header><main class="sheet">
{"".join(sections)}
<section class="solutions"><h2>Solutions</h2><ol>{solutions}</ol></section>
</main>
{footer(addresses)}"""
    return page_html(TITLE, DESCRIPTION, body, "take_home/problem_sheet.css", addresses, FILE)


def _problem(number: int, problem: Problem) -> str:
    say, *rows = problem.context
    listed = "\n".join(map(html.escape, rows))
    options = [*problem.right, *problem.wrong] if problem.drawn_as in {"pair", "order", "choice"} else []
    chosen = "".join(f"<span>{html.escape(option)}</span>" for option in sorted(options))
    return (
        f"<article><h3>{number}. {html.escape(problem.lesson.title)}</h3><p>{html.escape(say)}</p>"
        f"<pre>{listed}</pre><p class='question'>{html.escape(problem.question)}</p>"
        f"<p class='options'>{chosen}</p></article>"
    )
