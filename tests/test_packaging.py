"""The core installs with pip, alone, and says its version; docs/api.md describes every public name."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import bpe
from tests import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
API = (ROOT / "docs" / "api.md").read_text("utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package with pip, without its dependencies, and return the folder."""
    folder = tmp_path_factory.mktemp("installed")
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(ROOT)], check=True
    )
    return folder


def run(installed: Path, *command: str) -> str:
    """Run Python outside the repository, with only the installed package on its path, and return its output."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run(
        [sys.executable, *command], cwd=installed, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_pip_installs_the_core_and_nothing_of_the_app(installed: Path) -> None:
    packages = {path.name for path in installed.iterdir() if path.is_dir()}
    assert {name for name in packages if not name.endswith(".dist-info")} - {"bin"} == {"bpe", "film"}
    where = run(installed, "-c", "import bpe, film; print(bpe.__file__); print(film.__file__)")
    assert all(Path(line).is_relative_to(installed) for line in where.splitlines())


def test_the_installed_core_trains_and_says_its_version(installed: Path) -> None:
    program = "import bpe; print(bpe.__version__, bpe.train('low lower', merges=1).merges)"
    assert run(installed, "-c", program) == f"{bpe.__version__} [(b'l', b'o')]"
    assert run(installed, "-m", "bpe", "--version") == f"bpe {bpe.__version__}"


def test_the_installed_command_is_the_same_program(installed: Path) -> None:
    program = """
import sys
from importlib.metadata import entry_points

(script,) = entry_points(group="console_scripts", name="bpe")
sys.exit(script.load()(["--version"]))
"""
    assert run(installed, "-c", program) == f"bpe {bpe.__version__}"


def test_the_project_needs_what_the_core_imports() -> None:
    # tests/test_architecture.py holds bpe/ and film/ to the standard library and `regex`.
    (regex,) = PROJECT["dependencies"]
    assert regex in {line.partition("#")[0].strip() for line in _lines("requirements.txt")}


def test_the_changelog_has_the_version() -> None:
    assert re.search(
        rf"^## {re.escape(bpe.__version__)}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )


def test_the_api_page_names_every_public_name() -> None:
    missing = [name for name in bpe.__all__ if f"bpe.{name}" not in API]
    assert missing == []


@pytest.mark.parametrize("class_", [bpe.Trace, bpe.Tokenizer], ids=["Trace", "Tokenizer"])
def test_the_api_page_names_every_member(class_: type) -> None:
    members = [name for name in dir(class_) if not name.startswith("_")]
    assert [name for name in members if not re.search(rf"`[^`]*\b{name}\b[^`]*`", API)] == []


def test_the_api_page_names_only_what_exists() -> None:
    named = set(re.findall(r"`bpe\.(\w+)", API)) - {"formats"}
    assert {name for name in named if not hasattr(bpe, name)} == set()


def _lines(file: str) -> list[str]:
    return (ROOT / file).read_text("utf-8").splitlines()
