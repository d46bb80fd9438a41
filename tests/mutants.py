"""Mutants, small changes that should fail a test: `python -m tests.mutants PACKAGE [NUMBER] [SEED]`.

`python -m tests.mutants bpe/training 200` changes one place at a time in a copy of the repository, at 200 random places
of the package, and runs the tests that mirror it. It prints every mutant that survives: a test is missing, or the
change makes no difference. The same seed makes the same mutants. The tools on PyPI either run all tests for each mutant
or load their own copy of the code, which our tests of whole processes would not see.
"""

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests import ROOT

# {package: the tests that must notice a change of it}
TESTS = {
    "bpe/training": [
        "tests/bpe/training",
        "tests/bpe/trace",
        "tests/bpe/test_worked_examples.py",
        "tests/bpe/test_checkpoints.py",
        "bpe/training",
    ],
    "bpe/encoding": ["tests/bpe/encoding", "tests/bpe/test_worked_examples.py", "bpe/encoding"],
    "bpe/formats": ["tests/bpe/formats", "bpe/formats"],
    "film": ["tests/film", "film"],
}
SLOWEST = 300  # seconds; a mutant that takes longer loops, which counts as noticed

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
    """One changed place: the file, its line, the code before and after, and the whole changed source."""

    path: str
    line: int
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
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            for at, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(node, ast.AST) or id(node) in skipped:
                    continue
                for changed in changes(node):
                    _put(parent, field, at, changed)
                    line = getattr(node, "lineno", 0)
                    yield Mutant(path, line, ast.unparse(node), ast.unparse(changed), ast.unparse(tree))
                    _put(parent, field, at, node)


def _cannot_matter(node: ast.AST) -> bool:
    """Return whether no test can notice a change of this: a dataclass that is not frozen, a zip that is not strict."""
    return isinstance(node, ast.keyword) and node.arg in {"frozen", "slots", "weakref_slot", "strict"}


def _put(parent: ast.AST, field: str, at: int | None, node: ast.AST) -> None:
    if at is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[at] = node


def sample(package: str, number: int, seed: int) -> list[Mutant]:
    """Return so many random mutants of a package."""
    paths = sorted((ROOT / package).rglob("*.py"))
    every = [
        mutant
        for path in paths
        for mutant in mutants(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
    ]
    return random.Random(seed).sample(every, min(number, len(every)))


def survives(mutant: Mutant, copied: Path, tests: list[str]) -> bool:
    """Return whether all these tests pass with the mutant in place of the module."""
    file = copied / mutant.path
    original = file.read_text("utf-8")
    file.write_text(mutant.source, "utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(
            command,
            cwd=copied,
            env=os.environ | {"PYTHONPATH": str(copied), "PYTHONDONTWRITEBYTECODE": "1", "CI": "true"},
            capture_output=True,
            check=False,
            timeout=SLOWEST,
        )
    except subprocess.TimeoutExpired:
        return False
    finally:
        file.write_text(original, "utf-8")
    return done.returncode == 0


def main() -> None:
    """Make the mutants that the command asks for, and print those that survive."""
    parser = argparse.ArgumentParser(
        description="Change the code in small ways and see whether a test notices."
    )
    parser.add_argument("package", choices=TESTS)
    parser.add_argument("number", nargs="?", type=int, default=20)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    options = parser.parse_args()
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copied = Path(folder)
        for name in filter(None, files.split("\0")):
            (copied / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copied / name)
        chosen = sample(options.package, options.number, options.seed)
        survivors = 0
        for mutant in chosen:
            if survives(mutant, copied, TESTS[options.package]):
                survivors += 1
                print(f"survives: {mutant}", flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants of {options.package} fail a test.")


if __name__ == "__main__":
    main()
