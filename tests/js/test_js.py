"""The browser's code: `node --test` on its pure functions, types, lint and format.

Where a tool is missing, its test is skipped with the reason; TypeScript comes from npm, so `npm ci` is tried first.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import ROOT
from tests.js.fixtures import fixtures

TESTS = sorted((ROOT / "tests/js").glob("*.test.js"))
FOLDERS = ("film", "ui", "tests/js")
LEAST_NODE = 20  # the first one with toSorted and findLastIndex


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write what the engine says, and return the file."""
    path = tmp_path_factory.mktemp("js") / "fixtures.json"
    path.write_text(json.dumps(fixtures()), "utf-8")
    return path


@pytest.mark.parametrize("path", TESTS, ids=[path.name.removesuffix(".test.js") for path in TESTS])
def test_the_browser_s_pure_functions_do_what_they_promise(path: Path, engine: Path) -> None:
    run([node(), "--test", "--test-reporter=spec", str(path)], FIXTURES=str(engine))


def test_the_fixtures_are_needed(tmp_path: Path) -> None:
    """A test that could not read what the engine says would prove nothing."""
    command = [node(), "--test", str(ROOT / "tests/js/segmentation.test.js")]
    broken = tmp_path / "fixtures.json"
    broken.write_text("{}", "utf-8")
    environment = os.environ | {"FIXTURES": str(broken)}
    assert subprocess.run(command, env=environment, capture_output=True, check=False).returncode != 0


def test_types_hold_under_strict_checks() -> None:
    run([str(typescript()), "--project", str(ROOT / "jsconfig.json")])


def test_the_linter_finds_nothing() -> None:
    run([installed("oxlint"), *FOLDERS])


def test_the_format_is_the_formatter_s() -> None:
    run([installed("oxfmt"), "--check", *FOLDERS])


def run(command: Sequence[str], **environment: str) -> None:
    """Run a command in the project's folder; fail with what it says if it fails."""
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, f"{Path(command[0]).name} says:\n{result.stdout}{result.stderr}"


def node() -> str:
    """Return the path of node, or skip the test."""
    path = shutil.which("node")
    if path is None:
        pytest.skip("node is not installed")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.removeprefix("v").partition(".")[0]) < LEAST_NODE:
        pytest.skip(f"node {LEAST_NODE} or newer is needed, found {version.strip()}")
    return path


def installed(name: str) -> str:
    """Return the path of a tool that requirements-dev.txt installs beside this Python."""
    path = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    assert path, f"{name} is missing: pip install -r requirements-dev.txt"
    return path


def typescript() -> Path:
    """Return the path of TypeScript's compiler, installed from package-lock.json if need be; or skip the test."""
    compiler = ROOT / "node_modules" / ".bin" / "tsc"
    node()
    if not compiler.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("npm is not installed")
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            pytest.skip(f"npm cannot install TypeScript: {result.stderr.strip()[-200:]}")
    return compiler
