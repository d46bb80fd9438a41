"""The problem sheet: problems on paper with lines to write on, and their solutions in a document of their own.

An address that ends in a topic, such as `problems.html#ties`, prints that topic alone.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from gallery.page import Addresses, chip, footer, page_html
from gallery.take_home import Pieces, Problem, plain

FILE, SOLUTIONS = "problems.html", "solutions.html"
TITLE = "Byte pair encoding: problems"
SOLUTIONS_TITLE = "Byte pair encoding: solutions"
DESCRIPTION = "Problems with everything that is needed to solve them on paper, and lines to write on."
SOLUTIONS_DESCRIPTION = "The solutions of the problem sheet, each with its reason."
LONGEST_WHOLE = 12  # tokens of a word that stay on one line


def problem_sheet(problems: Sequence[Problem], addresses: Addresses) -> str:
    """Return the page with the problems."""
    lead = f"""Solve them on paper: each question comes with the words and merges that you need. The
<a href="{SOLUTIONS}">solutions</a> are on a page of their own."""
    return _page(list(_with_code_once(problems)), addresses, FILE, (TITLE, DESCRIPTION, lead), _problem)


def solution_sheet(problems: Sequence[Problem], addresses: Addresses) -> str:
    """Return the page with the solutions, which have the numbers of the problems."""
    lead = f'They are numbered like the <a href="{FILE}">problems</a>.'
    said = (SOLUTIONS_TITLE, SOLUTIONS_DESCRIPTION, lead)
    return _page(problems, addresses, SOLUTIONS, said, _solution)


def _with_code_once(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield the problems. One about the same code as the problem before names that problem instead."""
    first = 0  # number of the problem that has the code
    for number, (before, problem) in enumerate(zip([None, *problems], problems, strict=False), start=1):
        if before is None or not problem.code or before.code != problem.code:
            first = number
            yield problem
        else:
            say, *rows = problem.context
            named = (*say, (f" Use the code of problem {first}.", False))
            yield replace(problem, code=(), context=(named, *rows))


def _page(
    problems: Sequence[Problem],
    addresses: Addresses,
    file: str,
    said: tuple[str, str, str],
    draw: Callable[[Problem], str],
) -> str:
    """Return a page with a section for each topic. `said`: title, description, and the lines below the title."""
    title, description, lead = said
    numbers = {id(problem): number for number, problem in enumerate(problems, start=1)}
    topics = [(part, [*group]) for part, group in groupby(problems, lambda problem: problem.lesson.part)]
    sections = "".join(
        f'<section id="{_slug(part)}"><h2>{html.escape(part)}</h2>{_articles(group, numbers, draw)}</section>'
        for part, group in topics
    )
    links = ", ".join(f'<a href="#{_slug(part)}">{html.escape(part)}</a>' for part, _ in topics)
    body = f"""<header><p class="screen"><a href="index.html">← All films</a></p>
<div><h1>{title}</h1><p class="name">Name: <i></i> Date: <i></i></p></div>
<p class="screen">{lead} Print all of it, or choose a topic, which then prints alone: {links}.
<a href="#">All topics</a></p></header><main class="{file.partition(".")[0]}">
{sections}
</main>
{footer(addresses)}"""
    return page_html(title, description, body, "problem_sheet.css", addresses, file)


def _slug(part: str) -> str:
    """Return the name of a topic in an address.

    >>> _slug("Words and bytes")
    'words-and-bytes'
    """
    return re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-")


def _articles(problems: Sequence[Problem], numbers: Mapping[int, int], draw: Callable[[Problem], str]) -> str:
    """Return the problems of a topic. The first one of each lesson has its title."""
    drawn = []
    for before, problem in zip([None, *problems], problems, strict=False):
        same = before is not None and before.lesson is problem.lesson
        title = "" if same else f"<h3>{html.escape(problem.lesson.title)}</h3>"
        drawn.append(f"<article>{title}<em>{numbers[id(problem)]}</em>{draw(problem)}</article>")
    return "".join(drawn)


def _problem(problem: Problem) -> str:
    say, *rows = problem.context
    chosen = [*problem.right, *problem.wrong] if problem.drawn_as in {"pair", "order", "choice"} else []
    box = "" if problem.drawn_as == "order" else "<u></u>"
    options = "".join(f"<li>{box}{_html(option)}</li>" for option in sorted(chosen, key=plain))
    lines = "".join(
        f'<p class="line of-{problem.drawn_as}">{_blanks(line)}</p>' for line in LINES[problem.kind](problem)
    )
    given = f'<p class="given">{" ".join(_row(row) for row in rows)}</p>' if rows else ""
    return (
        f"<div><p>{_html(say)}</p>{given}{_listing(problem.code)}"
        f'<div class="asks"><p class="question">{_html(problem.question)}</p>'
        f"{f'<ul>{options}</ul>' if options else ''}</div>{lines}</div>"
    )


def _listing(code: Sequence[tuple[str, bool]]) -> str:
    """Return lines of code with their numbers; "" without any."""
    lines = "".join(f"<li{' class=lit' * lit}><code>{html.escape(line)}</code></li>" for line, lit in code)
    return f"<ol>{lines}</ol>" if lines else ""


def _solution(problem: Problem) -> str:
    between = ", " if problem.drawn_as == "order" else " or "
    right = between.join(_html(answer) for answer in problem.right)
    example = "For example " if problem.drawn_as == "text" else ""
    return f'<p class="right">{example}{right}</p><p>{_html(problem.solution)}</p>'


# Kind of exercise -> the lines below it: the labels of the blanks on each.
Lines = Callable[[Problem], Iterable[Iterable[str]]]
LINES: Mapping[str, Lines] = {
    "pair": lambda _: [["It occurs", "times, since"]],
    "rule": lambda _: [["Why?"]],
    "count": lambda _: [["Number:", "Where?"]],
    "number": lambda _: [["Number:", "How do you know?"]],
    "order": lambda problem: [[f"{place}." for place in range(1, len(problem.right) + 1)]],
    "tokens": lambda problem: ([f"{_html(word)} becomes"] for word in problem.words),
    "build": lambda _: [["Text:"], ["Its pairs, with their counts:"]],
    "find": lambda _: [["Word:", "Its tokens:"]],
    "spot": lambda _: [["It should be", "since"]],
    "line": lambda _: [["Line:", "It becomes:"]],
}


def _blanks(labels: Iterable[str]) -> str:
    return "".join(f"<span>{label}</span><i></i>" for label in labels)


def _row(pieces: Pieces) -> str:
    """Return a line of a context: a word, a merge or a sentence."""
    tokens = sum(is_token for _, is_token in pieces)
    return f'<span class="{"row" if tokens <= LONGEST_WHOLE else "long"}">{_html(pieces)}</span>'


def _html(pieces: Pieces) -> str:
    """Return a sentence with its tokens as chips. Those of one word, or of a pair, stay on one line if they fit."""
    return "".join(html.escape(run[0][0]) if not run[0][1] else _together(run) for run in _runs(pieces))


def _together(run: Sequence[tuple[str, bool]]) -> str:
    drawn = "".join(chip(text) if is_token else html.escape(text.strip(" ")) for text, is_token in run)
    drawn = drawn.replace("</b>+<b>", "</b> + <b>")
    tokens = sum(is_token for _, is_token in run)
    return f'<span class="{"word" if tokens <= LONGEST_WHOLE else "long"}">{drawn}</span>'


def _runs(pieces: Pieces) -> Iterator[list[tuple[str, bool]]]:
    """Yield pieces in runs: the tokens of a word or a pair with what is between them, or one text."""
    run: list[tuple[str, bool]] = []
    for at, (text, is_token) in enumerate(pieces):
        follows = at + 1 < len(pieces) and pieces[at + 1][1]
        if run and not (is_token or (text in BETWEEN and follows)):
            yield run
            run = []
        if is_token or run:
            run.append((text, is_token))
        else:
            yield [(text, is_token)]
    if run:
        yield run


BETWEEN = (" ", " + ")  # two tokens of a word, or of a pair
