"""Where a check is told to look away, the same line says why."""

import re
import subprocess
from pathlib import PurePosixPath

import pytest

from tests import ROOT

# What silences a check without a reason after it: a second comment in Python, text behind `--` elsewhere.
BARE = {
    ".py": re.compile(r"# *(?:type: *ignore|(?:ruff: *)?noqa)\b(?![^#]*#\s*\w)"),
    ".js": re.compile(r"(?:(?:ox|es)lint-disable|@ts-(?:ignore|expect-error|nocheck))(?!.* -- \w)"),
    ".css": re.compile(r"stylelint-disable(?!.* -- \w)"),
}
EXAMPLES = {
    ".py": ("x = 1  # type: ignore[misc]", "x = 1  # type: ignore[misc]  # plotly has no types"),
    ".js": ("// oxlint-disable-next-line no-await-in-loop", "// oxlint-disable-line no-shadow -- one by one"),
    ".css": ("/* stylelint-disable color-no-hex */", "/* stylelint-disable color-no-hex -- in print */"),
}


def bare(ending: str, source: str) -> list[str]:
    """Return the lines that silence a check without a reason."""
    return [line.strip() for line in source.splitlines() if BARE[ending].search(line)]


def test_every_ignore_has_its_reason_beside_it() -> None:
    names = [f"*{ending}" for ending in BARE]
    listed = subprocess.run(["git", "ls-files", *names], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [path for path in listed.stdout.splitlines() if path != "tests/house/test_ignores.py"]
    silent = {path: bare(PurePosixPath(path).suffix, (ROOT / path).read_text("utf-8")) for path in paths}
    assert len(silent) > 500
    assert {path: lines for path, lines in silent.items() if lines} == {}


@pytest.mark.parametrize("ending", EXAMPLES)
def test_an_ignore_without_a_reason_is_seen(ending: str) -> None:
    without, reason = EXAMPLES[ending]
    assert bare(ending, without) == [without]
    assert bare(ending, reason) == []
