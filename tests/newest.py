"""The tests with the newest releases of everything: `python -m tests.newest [PYTEST ARGUMENTS]`.

Installs the newest releases, whatever the requirements allow, into an environment of its own, runs the tests there, and
lists the releases that are newer than constraints.txt says. Exit code 1 if a test fails.
"""

import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests import ROOT

FILES = ("requirements.txt", "requirements-dev.txt")
RANGE = re.compile(r"\s*[<>=!~][^#;]*")


def unbounded(lines: Iterable[str]) -> list[str]:
    """Return the requirements of a file without their ranges.

    >>> unbounded(
    ...     [
    ...         "# What we need",
    ...         "-r requirements.txt",
    ...         "streamlit>=1.67,<1.68  # pages",
    ...         "dask[distributed]>=2026.8",
    ...     ]
    ... )
    ['streamlit', 'dask[distributed]']
    """
    plain = (RANGE.sub("", line.partition("#")[0]).strip() for line in lines)
    return [line for line in plain if line and not line.startswith("-")]


def main(arguments: Sequence[str]) -> int:
    """Run the tests, print what is newer than in constraints.txt, and return pytest's exit code."""
    names = [name for file in FILES for name in unbounded((ROOT / file).read_text("utf-8").splitlines())]
    with tempfile.TemporaryDirectory(prefix="newest-") as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "-q", "--upgrade", *names], cwd=ROOT, check=True)
        tests = subprocess.run([python, "-m", "pytest", *arguments], cwd=ROOT, check=False)
        listed = subprocess.run(
            [python, "-m", "pip", "freeze"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    known = set((ROOT / "constraints.txt").read_text("utf-8").splitlines())
    newer = [line for line in listed.splitlines() if line not in known]
    print("Newer than in constraints.txt:", *newer, sep="\n")
    return tests.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
