"""No module imports itself through others, so each can be read and tested after the modules that it uses."""

import ast
import re
from collections.abc import Container, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests import ROOT

LAYERS = ("bpe", "film", "published", "ui", "command_line")
DEFINITION = re.compile(r"^(?:def|class|@)", re.MULTILINE)


def module_name(path: Path) -> str:
    """Return the name under which a file of the repository is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


SOURCES = {
    module_name(path): path.read_text("utf-8") for layer in LAYERS for path in (ROOT / layer).rglob("*.py")
}


def imported(source: str, modules: Container[str]) -> Iterator[str]:
    """Yield the modules that a source imports when it is loaded, not in functions and not for types only."""
    head = DEFINITION.split(source, maxsplit=1)[0]  # ruff allows no import below
    statements: list[ast.stmt] = ast.parse(head).body
    while statements:
        node = statements.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in modules else str(node.module) for name in names)
        elif not is_for_types(node):
            statements += [inner for inner in ast.iter_child_nodes(node) if isinstance(inner, ast.stmt)]


def is_for_types(node: ast.stmt) -> bool:
    """Return whether this is `if TYPE_CHECKING:`."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def in_order(sources: dict[str, str]) -> list[str]:
    """Return the modules, each after those it imports. Raises CycleError if there is no such order."""
    graph = {name: set(imported(source, sources)) & sources.keys() for name, source in sources.items()}
    return [*TopologicalSorter(graph).static_order()]


def test_no_imports_form_a_circle() -> None:
    assert sorted(in_order(SOURCES)) == sorted(SOURCES)


def test_a_circle_is_reported() -> None:
    late = {"a": "def f():\n    import b\n", "b": "from a import f\n"}
    assert in_order(late) == ["a", "b"]
    with pytest.raises(CycleError):
        in_order({"a": "import b\n", "b": "from a import f\n"})
