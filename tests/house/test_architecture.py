"""The repository agrees with ARCHITECTURE.md: layers, sizes, commands, requirements, files that documents name.

A claim about many files is one test, which lists every file that violates it.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests import ROOT

SHIPPED = [
    ROOT / "app.py",
    *(
        path
        for folder in ("bpe", "command_line", "film", "pages", "published", "ui")
        for path in (ROOT / folder).rglob("*")
    ),
]
CODE = {".py", ".js", ".css", ".html"}
OURS = {
    "app",
    "benchmarks",
    "bpe",
    "command_line",
    "docs",
    "film",
    "gallery",
    "harness",
    "pages",
    "published",
}
OURS |= {"tests", "ui"}
# What each layer may import from outside; any other one, what requirements.txt names. The order of the layers is in
# pyproject.toml.
OUTSIDE: dict[str, set[str]] = {
    "bpe": {"regex"},
    "film": {"regex", "rjsmin"},
    "published": set(),
    "command_line": set(),
}
RUN = (
    "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt -c constraints.txt && "
    ".venv/bin/streamlit run app.py"
)
TEST = (
    "python3 -m venv .venv && .venv/bin/pip install -r requirements-dev.txt -c constraints.txt && "
    ".venv/bin/pytest -n 2 --dist worksteal"
)


def relative(paths: Iterable[Path]) -> list[str]:
    """Return the paths relative to the repository's root, sorted."""
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def read(path: str) -> str:
    """Return the text of a file of the repository."""
    return (ROOT / path).read_text(encoding="utf-8")


PYTHON = relative(path for path in SHIPPED if path.suffix == ".py")
FILES = relative(path for path in SHIPPED if path.suffix in CODE)
OTHERS = relative(
    path
    for folder in ("tests", "benchmarks", "deploy", "docs", "gallery", "harness")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in CODE
)
TESTS = [path for path in OTHERS if path.endswith(".py")]


def imports(source: str) -> set[str]:
    """Return the top-level names of all modules that a source imports, anywhere in it."""
    actual: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            actual |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            actual.add("." if node.level else (node.module or "").partition(".")[0])
    return actual


def requirements(file: str) -> dict[str, str]:
    """Return {name as in a package index: line} of a requirements file."""
    lines = [line for line in read(file).splitlines() if line and not line.startswith(("#", "-r"))]
    return {re.split(r"[\[<>=~! ]", line)[0].lower(): line for line in lines}


@cache
def distributions() -> Mapping[str, list[str]]:
    """Return {module: the packages that hold it}."""
    return packages_distributions()


def unwanted_imports(path: str) -> set[str]:
    """Return the imports of a file that its layer must not have."""
    outside = imports(read(path)) - sys.stdlib_module_names - OURS
    needed = requirements("requirements.txt")
    may = OUTSIDE.get(path.partition("/")[0])
    return {
        name
        for name in outside
        if (
            distributions()[name][0].lower().replace("_", "-") not in needed
            if may is None
            else name not in may
        )
    }


def test_each_layer_imports_only_the_packages_that_it_may_need() -> None:
    assert {path: names for path in PYTHON if (names := unwanted_imports(path))} == {}


def test_imports_run_downwards_and_form_no_circle() -> None:
    """The contracts are in pyproject.toml."""
    # In a process of its own: import-linter turns off every logger of the process in which it runs.
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_core_loads_nothing_that_is_built_on_it() -> None:
    program = f"import sys, bpe.trace.trace; print(sorted({OURS - {'bpe'}} & sys.modules.keys()))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def first_call(source: str) -> str:
    """Return the first statement of a script besides its docstring, imports and definitions."""
    for statement in ast.parse(source).body:
        passive = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
        docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not isinstance(statement, passive) and not docstring:
            return ast.unparse(statement)
    return ""


def test_every_page_can_be_the_first_that_a_new_server_is_asked_for() -> None:
    # Streamlit runs its file without app.py then. One page is opened like that in tests/browser/test_watch.py.
    pages = {path: first_call(read(path)) for path in PYTHON if path.startswith("pages/")}
    assert pages == dict.fromkeys(pages, "navigation.enter()")
    assert pages


def lines_over(path: str) -> int:
    """Return by how many lines a page, or app.py, exceeds its limit: each reads as a table of contents."""
    return max(0, len(read(path).splitlines()) - (40 if path == "app.py" else 80))


def test_a_page_is_a_table_of_contents() -> None:
    pages = [path for path in PYTHON if path == "app.py" or path.startswith("pages/")]
    assert {path: over for path in pages if (over := lines_over(path))} == {}
    assert len(pages) > 1


# No way for a text of the user's to become markup or code.
UNSAFE = re.compile(
    r"unsafe_allow\w+|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write\b|\beval\(|new Function\b|\bexec\("
)


def test_user_text_cannot_become_markup_or_code() -> None:
    assert {path: actual for path in FILES if (actual := UNSAFE.findall(read(path)))} == {}


URL = re.compile(r"(?:https?:)?//[\w-]+\.[\w.-]+")
NAMESPACE = "www.w3.org"  # of SVG: only a name, never fetched


def test_what_runs_in_the_browser_needs_no_network() -> None:
    browser = [path for path in FILES if not path.endswith(".py")]
    urls = {path: [url for url in URL.findall(read(path)) if NAMESPACE not in url] for path in browser}
    assert {path: actual for path, actual in urls.items() if actual} == {}
    assert urls


@pytest.mark.parametrize("command", [RUN, TEST], ids=["run", "test"])
def test_a_newcomer_needs_one_line(command: str) -> None:
    assert read("README.md").splitlines().count(command) == 1


def test_ci_runs_the_test_command_of_the_readme() -> None:
    pattern = re.search(r"grep -m 1 -x '(.+)' README\.md", read(".ci/run"))
    assert pattern
    lines = [line for line in read("README.md").splitlines() if re.fullmatch(pattern[1], line)]
    assert lines == [TEST]
    assert ".ci/run" in read(".github/workflows/ci.yml")
    # The command leaves out two kinds of tests: CI adds one, and a workflow runs all of them once a week.
    options = tomllib.loads(read("pyproject.toml"))["tool"]["pytest"]["addopts"]
    assert options[options.index("-m") + 1] == "not slow and not weekly"
    assert '"${test_command##* && }" |' in read(".ci/run")
    assert "-m slow |" in read(".ci/run")
    assert '-m "slow or not slow"' in read(".github/workflows/newest.yml")


def test_every_requirement_has_a_range_and_a_reason() -> None:
    for file in ("requirements.txt", "requirements-dev.txt"):
        for name, line in requirements(file).items():
            requirement, _, reason = line.partition(" # ")
            assert ">=" in requirement, name
            assert reason.strip(), name


# The pages that browser tests share stay as they were opened.

# What opens pages, and what keeps its page for itself.
MAY = {"chromium.py", "conftest.py", "stage_walk.py"}


def test_a_test_that_adds_a_script_to_its_page_says_so() -> None:
    # A script stays in the page. `run_first` of harness/chromium.py keeps the page from other tests.
    files = [path for path in (ROOT / "tests" / "browser").rglob("*.py") if path.name not in MAY]
    assert [path.name for path in files if ".add_init_script(" in path.read_text("utf-8")] == []
    assert files
