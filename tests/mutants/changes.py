"""Small changes of the code, each of which should fail a test."""

import ast
import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests import ROOT

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed place: the file, its line, the code before and after, and the whole changed source.

    `lines` are those of the statement around it; of a statement that holds others, those before the first of them.
    """

    path: str
    line: int
    lines: frozenset[int]
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before}  ->  {self.after}"


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield changed copies of a node, without those of its children."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        changed = copy.deepcopy(node)
        changed.ops[0] = SWAPPED[type(node.ops[0])]()  # type: ignore[call-overload]  # a comparison for a comparison
        yield changed
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPPED:
        changed_operation = copy.deepcopy(node)
        changed_operation.op = SWAPPED[type(node.op)]()  # type: ignore[assignment]  # an operator for an operator
        yield changed_operation
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif type(node) in SWAPPED and isinstance(node, ast.Break | ast.Continue):
        yield SWAPPED[type(node)]()


def mutants(path: str, source: str) -> Iterator[Mutant]:
    r"""Yield every mutant of a module.

    >>> [str(mutant) for mutant in mutants("a.py", "def f(n):\n    return n < 1\n")]
    ['a.py:2: n < 1  ->  n <= 1', 'a.py:2: 1  ->  2']
    """
    tree = ast.parse(source)
    skipped = {id(node) for node in ast.walk(tree) if _cannot_matter(node) for node in ast.walk(node)}
    lines_around = _lines_around(tree)
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            for at, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(node, ast.AST) or id(node) in skipped:
                    continue
                for changed in changes(node):
                    _put(parent, field, at, changed)
                    line, lines = getattr(node, "lineno", 0), lines_around[id(node)] | _lines(node)
                    yield Mutant(
                        path, line, lines, ast.unparse(node), ast.unparse(changed), ast.unparse(tree)
                    )
                    _put(parent, field, at, node)


def _cannot_matter(node: ast.AST) -> bool:
    """Return whether no test can notice a change of this: a dataclass that is not frozen, a zip that is not strict."""
    return isinstance(node, ast.keyword) and node.arg in {"frozen", "slots", "weakref_slot", "strict"}


def _lines_around(tree: ast.AST) -> dict[int, frozenset[int]]:
    """Return the lines of the innermost statement around every node, by the node's id."""
    around: dict[int, frozenset[int]] = {}
    for statement in ast.walk(tree):  # outer ones come first
        if isinstance(statement, ast.stmt):
            around.update(dict.fromkeys(map(id, ast.walk(statement)), _lines(statement)))
    return around


def _lines(node: ast.AST) -> frozenset[int]:
    """Return the lines of a node; of a statement that holds others, those before the first of them."""
    begin, end = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    body = getattr(node, "body", None)
    if isinstance(node, ast.stmt) and isinstance(body, list):
        begin = min([begin, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
        end = max(begin, body[0].lineno - 1)
    return frozenset(range(begin, end + 1))


def _put(parent: ast.AST, field: str, at: int | None, node: ast.AST) -> None:
    if at is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[at] = node


def every_mutant(package: str) -> list[Mutant]:
    """Return all mutants of a package."""
    paths = sorted((ROOT / package).rglob("*.py"))
    return [
        mutant
        for path in paths
        for mutant in mutants(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
    ]


def sample(package: str, number: int, seed: int) -> list[Mutant]:
    """Return so many random mutants of a package."""
    every = every_mutant(package)
    return random.Random(seed).sample(every, min(number, len(every)))
