"""Where a module is tested can be guessed from its name, or ARCHITECTURE.md says it."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from tests import ROOT
from tests.house.test_architecture import graph, graph_of, module_name
from tests.js.test_rooms import IMPORT

TESTS = sorted(
    path
    for path in (ROOT / "tests").rglob("*")
    if re.fullmatch(r"test_\w+\.py|\w+\.test\.js", path.name) and path.parent.name != "house"
)


@cache
def facades() -> set[str]:
    """Return the packages that define nothing: others know their modules by names of the package."""
    return {
        module
        for module in graph()
        if (init := ROOT / module.replace(".", "/") / "__init__.py").exists()
        and not any(
            isinstance(node, ast.FunctionDef | ast.ClassDef)
            for node in ast.parse(init.read_text("utf-8")).body
        )
    }


def shipped() -> Iterator[Path]:
    """Yield the modules of the core, of films and of the browser that define something."""
    for folder in ("bpe", "film"):
        for path in (ROOT / folder).rglob("*"):
            is_ours = path.suffix in (".py", ".js") and "vendor" not in path.parts
            if is_ours and path.stem not in ("__init__", "__main__", "main"):
                yield path


def table() -> dict[Path, list[Path]]:
    """Return {module or folder: its tests} of ARCHITECTURE's table."""
    section = (ROOT / "ARCHITECTURE.md").read_text("utf-8").partition("## Where a module is tested")[2]
    tests: dict[Path, list[Path]] = {}
    for line in section.partition("\n## ")[0].splitlines():
        if line.startswith("| `"):
            modules, files = (
                [ROOT / name for name in re.findall("`([^`]+/[^`]+)`", cell)] for cell in line.split("|")[1:3]
            )
            tests.update(dict.fromkeys(modules, files))
    return tests


@cache
def facade_names() -> dict[str, dict[str, str]]:
    """Return {package: {name that it exports: the module that defines it}}."""
    names: dict[str, dict[str, str]] = {}
    for package in facades():
        tree = ast.parse((ROOT / package.replace(".", "/") / "__init__.py").read_text("utf-8"))
        froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
        names[package] = {alias.name: str(node.module) for node in froms for alias in node.names}
    return names


def used_by(source: str) -> set[str]:
    """Return our Python modules that a source imports itself, or by a name of their package."""
    found = set(graph_of({**dict.fromkeys(graph(), ""), "test": source})["test"])
    exported = facade_names()
    for package in facades() & found:
        short = package.rpartition(".")[2]
        named = set(re.findall(rf"\b{short}\.(\w+)", source))
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.module == package:
                named |= {alias.name for alias in node.names}
        found |= {exported[package][name] for name in named & exported[package].keys()}
    return found - facades()


def closure(first: Iterable[str], needed: Mapping[str, set[str]]) -> set[str]:
    """Return these modules and what they need, directly or through others."""
    reached: set[str] = set()
    ahead = list(first)
    while ahead:
        if (module := ahead.pop()) not in reached:
            reached.add(module)
            ahead += needed.get(module, set()) - facades()
    return reached


@cache
def scripts_of(script: Path) -> frozenset[Path]:
    """Return the scripts that a script imports, for code or for types, directly or through others."""
    reached: set[Path] = set()
    ahead = [script]
    while ahead:
        one = ahead.pop()
        targets = {(one.parent / target).resolve() for target in IMPORT.findall(one.read_text("utf-8"))}
        ahead += targets - reached
        reached |= targets
    return frozenset(reached)


@cache
def modules_of(test: Path) -> frozenset[str]:
    """Return the Python modules that a test or a helper beside it imports, directly or through others."""
    source = test.read_text("utf-8")
    helpers = (path for path in test.parent.glob("*.py") if f".{path.stem} import" in source)
    sources = [source, *(path.read_text("utf-8") for path in helpers)]
    return frozenset(closure(set().union(*map(used_by, sources)), graph()))


def reaches(test: Path, module: Path) -> bool:
    """Return whether a test imports a module, directly or through others; a page's test does not import its scripts."""
    if module.suffix == ".js":
        return module in scripts_of(test) if test.suffix == ".js" else test.parent.name == "browser"
    return test.suffix == ".py" and module_name(module) in modules_of(test)


def guessed(module: Path) -> Iterator[Path]:
    """Yield the tests in a file of the module's name, or of its folder's."""
    suffix = ".test.js" if module.suffix == ".js" else ".py"
    before = "" if module.suffix == ".js" else "test_"
    names = {f"{before}{name}{suffix}" for name in (module.stem, module.parent.name)}
    yield from (test for test in TESTS if test.name in names and reaches(test, module))


def test_where_a_module_is_tested_can_be_guessed_or_looked_up() -> None:
    listed = table()
    unknown = []
    for module in shipped():
        files = listed.get(module, listed.get(module.parent, []))
        if not any(reaches(file, module) for file in files) and not any(guessed(module)):
            unknown.append(module.relative_to(ROOT).as_posix())
    assert sorted(unknown) == []


def test_the_table_promises_no_test_that_does_not_reach_its_module() -> None:
    wrong = []
    for module, files in table().items():
        inside = [module] if module.is_file() else [path for path in shipped() if path.parent == module]
        wrong += [
            (module.relative_to(ROOT).as_posix(), file.name)
            for file in files
            if not inside or not any(reaches(file, one) for one in inside)
        ]
    assert wrong == []


def test_a_test_reaches_what_it_imports_through_others_and_nothing_else() -> None:
    trace = used_by("import bpe\n\n\ndef test_it() -> None:\n    bpe.train('low')\n")
    assert "bpe.training.count_queue" in closure(trace, graph())
    assert "bpe.comparison.verdict" not in closure(trace, graph())
