"""The browser's code: its folders import one way, and each component can be joined into one script."""

import os
import re
from pathlib import Path

import pytest

from film.modules import BROWSER, join_scripts, join_styles
from tests import ROOT

# Imports of code, and of types alone.
IMPORT = re.compile(
    r'(?:^import \{[^}]*\} from |@import \{[^}]*\} from |\bimport\()"(\.[^"]+)"', re.MULTILINE
)
ENTRIES = sorted(
    path
    for layer in ("film", "ui")
    for path in (ROOT / layer).rglob("*.js")
    if path.name == "main.js" or (path.parent.name == "film" and path.name in ("fixed.js", "loader.js"))
)


def rooms_imported(folder: Path) -> set[Path]:
    """Return the other folders of `film/browser` whose code or types the scripts of a folder import."""
    targets = {
        Path(os.path.normpath(path.parent / target)).parent
        for path in folder.glob("*.js")
        for target in IMPORT.findall(path.read_text("utf-8"))
    }
    return {target for target in targets if target.is_relative_to(BROWSER)} - {folder}


def circle(edges: dict[Path, set[Path]]) -> set[Path]:
    """Return the folders that are part of a circle or lead to one.

    >>> circle({Path("a"): {Path("b")}, Path("b"): set()})
    set()
    """
    left = dict(edges)
    while free := [folder for folder, needed in left.items() if not needed & left.keys()]:
        for folder in free:
            del left[folder]
    return set(left)


def test_the_folders_import_one_way() -> None:
    """Types count, too: what a lower folder says of an upper one's objects, it would have to know."""
    rooms = [path for path in (BROWSER, *BROWSER.rglob("*")) if path.is_dir()]
    edges = {room: rooms_imported(room) for room in rooms}
    assert circle(edges) == set()
    upper, lower = next((room, needed) for room, needed in edges.items() if needed)
    assert circle({**edges, next(iter(lower)): {upper}}) >= {upper}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_component_can_be_joined(entry: Path) -> None:
    """Two modules that declare the same name would fail only when a page starts."""
    assert join_scripts(entry)
    styles = entry.with_name("main.css")
    assert not styles.exists() or join_styles(styles)
