"""The house stands as ARCHITECTURE.md draws it: layers, sizes, commands, requirements, tables of files."""

import ast
import re
import sys
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import bpe
from tests import ROOT

SHIPPED = [
    ROOT / "app.py",
    *(path for folder in ("bpe", "film", "pages", "ui") for path in (ROOT / folder).rglob("*")),
]
CODE = {".py", ".js", ".css", ".html"}
OURS = {"app", "benchmarks", "bpe", "docs", "film", "pages", "tests", "ui"}
# What each layer may import besides the standard library; None: whatever requirements.txt names.
LAYERS: dict[str, tuple[set[str], set[str] | None]] = {
    "bpe": ({"bpe"}, {"regex"}),
    "film": ({"bpe", "film"}, {"regex"}),
    "ui": ({"bpe", "film", "ui"}, None),
    "pages": ({"bpe", "film", "ui"}, None),
    "app": ({"bpe", "ui"}, None),
}
RUN = "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && .venv/bin/streamlit run app.py"
TEST = "python3 -m venv .venv && .venv/bin/pip install -r requirements-dev.txt && .venv/bin/pytest"
DISTRIBUTIONS = packages_distributions()  # {module: [package]}
DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
PATH = re.compile(r"(?:[\w.-]+/)*[\w.-]+(?:\.(?:py|js|css|html|md|toml|txt|yml|png|svg)|/)")


def relative(paths: Iterable[Path]) -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


PYTHON = relative(path for path in SHIPPED if path.suffix == ".py")
FILES = relative(path for path in SHIPPED if path.suffix in CODE)
TESTS = relative(path for folder in ("tests", "benchmarks", "docs") for path in (ROOT / folder).rglob("*.py"))


def imports(source: str) -> set[str]:
    """Top-level names of all modules a source imports, wherever it does."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." if node.level else (node.module or "").partition(".")[0])
    return found


def requirements(file: str) -> dict[str, str]:
    """{name as in an index: the line} of a requirements file."""
    lines = [line for line in read(file).splitlines() if line and not line.startswith(("#", "-r"))]
    return {re.split(r"[\[<>=~! ]", line)[0].lower(): line for line in lines}


@pytest.mark.parametrize("path", PYTHON)
def test_imports_run_one_way(path: str) -> None:
    ours, theirs = LAYERS[path.partition("/")[0].removesuffix(".py")]
    found = imports(read(path)) - sys.stdlib_module_names
    assert "." not in found, "import absolutely, so that the line shows the layer it reaches into"
    assert found & OURS <= ours
    if theirs is None:
        needed = {DISTRIBUTIONS[name][0].lower().replace("_", "-") for name in found - OURS}
        assert needed <= requirements("requirements.txt").keys()
    else:
        assert found - OURS <= theirs


def test_the_layer_test_sees_imports_wherever_they_stand() -> None:
    source = "import a.b\nfrom c.d import e\ndef f():\n    from . import g\n    import h as i\n"
    assert imports(source) == {"a", "c", ".", "h"}


@pytest.mark.parametrize("path", FILES + TESTS)
def test_a_file_is_one_idea(path: str) -> None:
    # Tables of cases make a test longer than what it tests.
    most = {"app.py": 40, "pages": 80, "tests": 400}.get(path.partition("/")[0], 300)
    assert len(read(path).splitlines()) <= most


# No way for a text of the user's to become markup or code.
UNSAFE = re.compile(
    r"unsafe_allow\w+|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write\b|\beval\(|new Function\b|\bexec\("
)


@pytest.mark.parametrize("path", FILES)
def test_user_text_cannot_become_markup_or_code(path: str) -> None:
    assert not UNSAFE.findall(read(path))


@pytest.mark.parametrize("path", [path for path in FILES if path.startswith("ui/")])
def test_components_need_no_network(path: str) -> None:
    urls = re.findall(r"(?:https?:)?//[\w-]+\.[\w.-]+", read(path)) if not path.endswith(".py") else []
    assert {url for url in urls if "www.w3.org/" not in url + "/"} == set()  # a namespace is only a name


@pytest.mark.parametrize("command", [RUN, TEST], ids=["run", "test"])
def test_a_newcomer_needs_one_line(command: str) -> None:
    assert read("README.md").splitlines().count(command) == 1


def test_ci_runs_the_readme_s_test_command() -> None:
    pattern = re.search(r"grep -m 1 -x '(.+)' README\.md", read(".ci/run"))
    assert pattern
    lines = [line for line in read("README.md").splitlines() if re.fullmatch(pattern[1], line)]
    assert lines == [TEST]
    assert ".ci/run" in read(".github/workflows/ci.yml")


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_has_a_range_and_a_reason(file: str) -> None:
    for name, line in requirements(file).items():
        requirement, _, reason = line.partition(" # ")
        assert ">=" in requirement, name
        assert reason.strip(), name


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_name_files_that_exist(document: str) -> None:
    text = read(document)
    linked = {target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)}
    named = {code for code in re.findall(r"`([^`\n]+)`", text) if PATH.fullmatch(code)}
    paths = {path for path in linked | named if path and not path.startswith(("http", ".venv"))}
    made = {"screenshots/"}  # by docs/screenshots.py
    assert {path for path in paths - made if not (ROOT / path).exists()} == set()


# A folder stands for the files in it.
PARTS = sorted({"/".join(path.split("/")[:2]) + "/" * (path.count("/") > 1) for path in PYTHON})


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_on_the_map(part: str) -> None:
    drawn = read("ARCHITECTURE.md").split("```")[1]
    assert re.search(rf"\b{Path(part).stem}\b", drawn)


@pytest.mark.parametrize("page", [part for part in PARTS if part.startswith("pages/")])
def test_every_page_is_in_the_table_of_pages(page: str) -> None:
    assert f"(`{page}`) |" in read("README.md")


@pytest.mark.parametrize("preset", bpe.PRESETS.values(), ids=bpe.PRESETS)
def test_the_table_of_trainers_is_the_registry(preset: bpe.Preset) -> None:
    assert f"| `{preset.slug}` | {preset.title} | {preset.checked} |" in read("README.md")
