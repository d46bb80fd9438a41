"""No module imports itself through others, so each can be read and tested after the modules that it uses.

All imports count, also those in functions and those for types only. Rooms obey the same rule: the folders of a layer,
and the rooms in a folder, have an order in which each imports only those below it.
"""

import ast
from collections.abc import Container, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests import ROOT

LAYERS = ("bpe", "film", "published", "ui", "command_line")


def module_name(path: Path) -> str:
    """Return the name under which a file of the repository is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def sources() -> dict[str, str]:
    """Return {module: its source} of all layers."""
    paths = (path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
    return {module_name(path): path.read_text("utf-8") for path in paths}


def imported(source: str, modules: Container[str]) -> Iterator[str]:
    """Yield the modules that a source imports anywhere."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in modules else str(node.module) for name in names)


def graph_of(sources: dict[str, str]) -> dict[str, set[str]]:
    """Return {module: the modules of ours that it imports}."""
    return {name: set(imported(source, sources)) & sources.keys() for name, source in sources.items()}


@cache
def graph() -> dict[str, set[str]]:
    """Return the graph of our modules."""
    return graph_of(sources())


def in_order(imports: dict[str, set[str]]) -> list[str]:
    """Return the modules, each after those it imports. Raises CycleError if there is no such order."""
    return [*TopologicalSorter(imports).static_order()]


def rooms(package: str, imports: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return {part of a package: the other parts that it imports}. A part is a module, or a folder with all in it."""

    def part(module: str) -> str | None:
        inside = module.removeprefix(f"{package}.")
        return None if inside == module else inside.partition(".")[0]

    parts: dict[str, set[str]] = {}
    for module, others in imports.items():
        if (room := part(module)) is not None:
            parts.setdefault(room, set()).update(other for name in others if (other := part(name)))
            parts[room].discard(room)
    return parts


def test_no_imports_form_a_circle() -> None:
    assert sorted(in_order(graph())) == sorted(sources())


def test_no_rooms_form_a_circle() -> None:
    circles = {}
    packages = {module.rpartition(".")[0] for module in graph()} - {""}
    for package in packages:
        try:
            in_order(rooms(package, graph()))
        except CycleError as error:
            circles[package] = error.args[1]
    assert circles == {}
    assert {"bpe", "ui", "ui.sidebar"} <= packages


def test_a_circle_is_reported() -> None:
    late = graph_of({"a": "def f():\n    import b\n", "b": "from a import f\n"})
    types = graph_of({"a": "if TYPE_CHECKING:\n    import b\n", "b": "import a\n"})
    for circle in (late, types, graph_of({"a": "import b\n", "b": "from a import f\n"})):
        with pytest.raises(CycleError):
            in_order(circle)
    assert in_order(graph_of({"a": "import b", "b": ""})) == ["b", "a"]


def test_a_circle_of_rooms_is_reported() -> None:
    three = graph_of({"p.a.x": "import p.b.y", "p.a.z": "", "p.b.y": "import p.a.z"})
    in_order(three)
    with pytest.raises(CycleError):
        in_order(rooms("p", three))
