"""The installed package: the wheel of this project in a folder of its own, as pip installs it."""

import os
import subprocess
import sys
from pathlib import Path

from tests import ROOT


def install(folder: Path) -> Path:
    """Build the wheel, install it into a folder without its dependencies, and return the folder."""
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(ROOT)], check=True
    )
    return folder


def environment(installed: Path) -> dict[str, str]:
    """Return the environment of a process that sees the installed package and not the repository."""
    return {**os.environ, "PYTHONPATH": str(installed)}


def run(installed: Path, *command: str) -> str:
    """Run Python outside the repository, with the installed package on its path, and return its output."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=installed,
        env=environment(installed),
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()
