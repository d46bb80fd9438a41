"""Session state has owners: each private value is a slot of one module, which alone reads and writes it."""

import ast
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from functools import cache

from tests import ROOT

PRIVATE = re.compile(r"_[a-z]\w*")


@cache
def sources() -> Mapping[str, str]:
    """Return {path: source} of all modules that may use the session."""
    files = [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "ui").rglob("*.py")]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sorted(files)}


@cache
def parsed(source: str) -> ast.Module:
    """Return the syntax tree of a source, which several tests walk."""
    return ast.parse(source)


def slots(source: str) -> Iterator[tuple[str, str]]:
    """Yield (name, key) of every slot that a module defines."""
    for node in parsed(source).body:
        if isinstance(node, ast.AnnAssign | ast.Assign) and is_slot(node.value):
            call = node.value
            assert isinstance(call, ast.Call)
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            yield ast.unparse(target), ast.literal_eval(call.args[0])


def is_slot(node: ast.AST | None) -> bool:
    """Return whether this is `Slot(…)`."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("Slot")


def taken_slots(source: str, owned: Mapping[str, Container[str]]) -> set[str]:
    """Return the slots that a source takes from other modules. owned: {module: its slots}."""
    nodes = list(ast.walk(parsed(source)))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    modules = {
        alias.asname or alias.name: f"{node.module}.{alias.name}" for node in imports for alias in node.names
    }
    by_name = {
        alias.name
        for node in imports
        for alias in node.names
        if alias.name in owned.get(node.module or "", ())
    }
    of_modules = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.attr in owned.get(modules.get(node.value.id, ""), ())
    }
    return by_name | of_modules


@cache
def all_slots() -> Mapping[str, Mapping[str, str]]:
    """Return {module: {name: key} of its slots}."""
    return {
        path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): dict(slots(source))
        for path, source in sources().items()
    }


def private_keys(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of every literal that looks like a private key, except those of widgets and of slots."""
    nodes = list(ast.walk(parsed(source)))
    allowed = {id(node.value) for node in nodes if isinstance(node, ast.keyword) and node.arg == "key"}
    allowed |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    allowed |= {id(node.args[0]) for node in nodes if isinstance(node, ast.Call) and is_slot(node)}
    for node in nodes:
        texts: list[str] = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in allowed:
            texts = [node.value]
        elif isinstance(node, ast.Call) and "session_state" in ast.unparse(node.func):
            texts = [one.arg or "" for one in node.keywords]
        elif isinstance(node, ast.Subscript) and "session_state" in ast.unparse(node.value):
            texts = [str(part.value) for part in ast.walk(node.slice) if isinstance(part, ast.Constant)]
        if isinstance(node, ast.expr):
            yield from ((node.lineno, text) for text in texts if PRIVATE.fullmatch(text))


def test_private_keys_are_those_of_slots() -> None:
    named = {path: list(private_keys(source)) for path, source in sources().items()}
    assert {path: keys for path, keys in named.items() if keys} == {}


def test_no_two_slots_have_one_key() -> None:
    keys = Counter(key for of_file in all_slots().values() for key in of_file.values())
    assert [key for key, number in keys.items() if number > 1] == []
    assert keys["_choice"] == 1


def test_only_its_own_module_touches_a_slot() -> None:
    taken = {path: taken_slots(source, all_slots()) for path, source in sources().items()}
    assert {path: names for path, names in taken.items() if names} == {}
