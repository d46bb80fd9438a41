"""The strings that people read on the screen, collected from the code that writes them."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from film.modules import without_comments
from tests import ROOT

PLACEHOLDER = "…"  # for a value inside an f-string or a template
FOLDERS = ("ui", "pages", "bpe", "command_line", "film")
SCRIPTS = ("film/browser", "ui")
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`')
PROSE = re.compile(r"[A-Za-z…>”)\d] [A-Za-z…“(<]")  # two words at least
# Keys of lessons and samples that people read.
SPOKEN = frozenset(
    {
        *("title", "learn", "about", "source", "say", "question", "answer", "try_it"),
        *("term", "means", "notes", "shows", "note", "differs"),
    }
)


def python_strings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of every string literal except docstrings; a value in an f-string becomes a placeholder."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    joined = [node for node in nodes if isinstance(node, ast.JoinedStr)]
    inside = {id(part) for node in joined for part in ast.walk(node)} - set(map(id, joined))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes:
        if id(node) in inside or id(node) in docstrings:
            continue
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(_part(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _part(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else PLACEHOLDER


def script_strings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (0, text) of every string literal of a script; a value in a template becomes a placeholder."""
    for match in LITERAL.finditer(without_comments(path.read_text("utf-8"))):
        yield 0, re.sub(r"\$\{[^{}]*(\{[^{}]*\}[^{}]*)*\}", PLACEHOLDER, match[0][1:-1])


def spoken_strings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (0, text) of everything in a TOML file that people read."""
    stack: list[object] = [tomllib.loads(path.read_text("utf-8"))]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack += node
        elif isinstance(node, dict):
            stack += node.values()
            yield from ((0, text) for key, text in node.items() if key in SPOKEN and isinstance(text, str))


@cache
def screen_strings() -> tuple[tuple[str, str], ...]:
    """Return (place, text) of every text of two words or more."""
    return tuple(_screen_strings())


def _screen_strings() -> Iterator[tuple[str, str]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from _prose(path, python_strings(path))
    for folder in SCRIPTS:
        for path in sorted((ROOT / folder).rglob("*.js")):
            if "vendor" not in path.parts:
                yield from _prose(path, script_strings(path))

    for path in (
        *sorted((ROOT / "ui" / "lessons").rglob("*.toml")),
        ROOT / "sample_corpora" / "samples.toml",
    ):
        yield from _prose(path, spoken_strings(path))


def _prose(path: Path, strings: Iterator[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    for line, text in strings:
        if PROSE.search(text):
            yield f"{path.relative_to(ROOT)}:{line}", text
