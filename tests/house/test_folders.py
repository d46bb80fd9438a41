"""A folder can be read at a glance: about a dozen files, besides those that say what it holds."""

import subprocess
from collections import Counter
from pathlib import PurePosixPath

from tests import ROOT

MOST = 12
SIGNS = {"__init__.py", "README.md"}  # they say what the other files hold
# Folders that hold more, and why a room would not help.
FULL = {
    ".": "what tools look for at the root",
    "sample_corpora": "texts, which samples.toml lists in order",
    "tests/golden": "recorded merges, a file for each trainer",
    "docs/gallery": "a page of the website beside its style",
    "film/browser/film": "a film, whose parts one loader joins",
    "film/browser/film/own": "one panel of a film",
    "film/browser/picture": "one component",
}


def folder_sizes() -> Counter[str]:
    """Return how many files each folder of the repository holds, besides those that say what it holds."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = map(PurePosixPath, listed.splitlines())
    return Counter(str(path.parent) for path in paths if path.name not in SIGNS)


def test_a_folder_holds_about_a_dozen_files() -> None:
    full = {folder: size for folder, size in folder_sizes().items() if size > MOST}
    assert {folder: size for folder, size in full.items() if folder not in FULL} == {}
    assert [folder for folder in FULL if folder not in full] == []
