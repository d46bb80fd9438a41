"""The tests with the newest releases of everything: `python -m tests.newest [PYTEST ARGUMENTS]`.

Installs what constraints.txt names into one environment, and the newest releases, whatever the requirements allow, into
another. Runs the tests in the second. If some fail there that pass in the first, each requirement that has a newer
release is installed alone into the first, and those with which a test fails are named. Exit code 1 if a test fails.

Under GitHub Actions, the result is also in the summary of the run.
"""

import os
import re
import subprocess
import sys
import tempfile
import venv
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests import ROOT

FILES = ("requirements.txt", "requirements-dev.txt")
RANGE = re.compile(r"\s*[<>=!~][^#;]*")
NAME = re.compile(r"[\w.-]+")


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


def newer(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """Return {package: its version in `after`} for those with another version than in `before`.

    >>> newer({"regex": "1", "dask": "2"}, {"regex": "1", "dask": "3", "new": "1"})
    {'dask': '3'}
    """
    return {name: version for name, version in after.items() if before.get(name, version) != version}


def culprits(
    failed: Sequence[str], updates: Iterable[str], fails_with: Callable[[str], set[str]]
) -> dict[str, list[str]]:
    """Return {package: the failed tests that fail with this update alone}, for those with at least one.

    fails_with: returns the tests that fail with an update.
    """
    with_each = {name: fails_with(name) for name in updates}
    blamed = {name: [test for test in failed if test in tests] for name, tests in with_each.items()}
    return {name: tests for name, tests in blamed.items() if tests}


def report(updates: Mapping[str, str], failed: Sequence[str], blamed: Mapping[str, Sequence[str]]) -> str:
    """Return the result as Markdown."""
    lines = [
        f"{len(updates)} packages have newer releases than constraints.txt names; {len(failed)} tests fail."
    ]
    lines += [
        f"- {name} {updates[name]} breaks {len(tests)}: {', '.join(tests)}" for name, tests in blamed.items()
    ]
    named = {test for tests in blamed.values() for test in tests}
    rest = [test for test in failed if test not in named]
    lines += [f"- no single update breaks {test}" for test in rest]
    lines += [f"- {name} {version}" for name, version in updates.items() if name not in blamed]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment in a folder."""

    folder: Path

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a Python module of the environment in the project's folder."""
        python = self.folder / ("Scripts" if os.name == "nt" else "bin") / "python"
        return subprocess.run(
            [str(python), "-m", *command], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=False
        )

    def install(self, *what: str) -> None:
        """Install packages. Raises CalledProcessError if pip cannot."""
        self.run("pip", "install", "--quiet", *what).check_returncode()

    def versions(self) -> dict[str, str]:
        """Return {package: version} of all that is installed."""
        lines = self.run("pip", "freeze").stdout.splitlines()
        return dict(line.lower().split("==") for line in lines if "==" in line)

    def failing(self, arguments: Sequence[str]) -> list[str]:
        """Run these tests and return the names of those that fail, as pytest takes them."""
        results = self.folder / "results.xml"
        print(self.run("pytest", f"--junit-xml={results}", "-o", "junit_family=xunit1", *arguments).stdout)
        return failures(ET.parse(results).getroot())


def failures(results: ET.Element) -> list[str]:
    """Return the names of the failed tests in pytest's results, as pytest takes them."""
    return [
        f"{case.get('file')}::{case.get('name')}"
        for case in results.iter("testcase")
        if case.find("failure") is not None or case.find("error") is not None
    ]


def environment_with(folder: Path, *what: str) -> Environment:
    """Make an environment with these packages."""
    venv.create(folder, with_pip=True)
    environment = Environment(folder)
    environment.install(*what)
    return environment


def main(arguments: Sequence[str]) -> int:
    """Compare both environments, print the report and return the exit code."""
    names = [name for file in FILES for name in unbounded((ROOT / file).read_text("utf-8").splitlines())]
    seen = ["-r", FILES[-1], "-c", "constraints.txt"]
    with tempfile.TemporaryDirectory(prefix="newest-") as folder:
        newest = environment_with(Path(folder) / "newest", "--upgrade", *names)
        known = environment_with(Path(folder) / "known", *seen)
        updates = newer(known.versions(), newest.versions())
        failed = newest.failing(arguments)
        broken = set(failed) - set(known.failing(failed)) if failed else set()
        candidates = [name for full in names if (name := NAME.match(full)[0].lower()) in updates]  # type: ignore[index]  # a requirement begins with a name

        def fails_with(name: str) -> set[str]:
            known.install(f"{name}=={updates[name]}")
            tests = set(known.failing(sorted(broken)))
            known.install("--force-reinstall", "--no-deps", f"{name}=={before[name]}")
            return tests

        before = known.versions()
        blamed = culprits(sorted(broken), candidates, fails_with) if broken else {}
    text = report(updates, failed, blamed)
    print(text)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
