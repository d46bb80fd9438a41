"""The folders of the browser's code: each says what its files hold, and those of the token grid import one way."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from film.modules import BROWSER
from tests import ROOT

GRID = BROWSER / "token_grid"
MOST_FILES = 13  # about a dozen
CODE = {".js", ".css"}
IMPORT = re.compile(r'^import \{[^}]*\} from "([^"]+)"', re.MULTILINE)


def folders() -> Iterator[Path]:
    """Yield the folders with a README.md, and those that hold so many files that they need one."""
    for folder in (BROWSER, *(path for path in BROWSER.rglob("*") if path.is_dir())):
        if "vendor" not in folder.relative_to(BROWSER).parts:
            files = [path for path in folder.iterdir() if path.suffix in CODE]
            if len(files) > 5 or (folder / "README.md").exists():
                yield folder


def names(folder: Path) -> set[str]:
    """Return what a README.md must name: scripts, style sheets, and folders that hold code themselves."""
    files = {path.name for path in folder.iterdir() if path.suffix in CODE}
    inner = {path.name + "/" for path in folder.iterdir() if path.is_dir()}
    return files | {name for name in inner if name != "styles/"}


def rooms_imported(folder: Path) -> set[Path]:
    """Return the other folders of the grid whose code the scripts of a folder import."""
    targets = {
        Path(os.path.normpath(path.parent / target)).parent
        for path in folder.glob("*.js")
        for target in IMPORT.findall(path.read_text("utf-8"))
    }
    return {target for target in targets if target.is_relative_to(GRID)} - {folder}


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


@pytest.mark.parametrize("folder", [*folders()], ids=lambda folder: folder.relative_to(ROOT).as_posix())
def test_a_folder_says_what_each_of_its_files_holds(folder: Path) -> None:
    text = (folder / "README.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    assert {name for name in names(folder) if f"`{name}`" not in text} == set()
    listed = {re.findall(r"`([^`]+)`", line)[0] for line in lines}
    assert {name for name in listed if not (folder / name).exists()} == set()


def test_a_room_of_the_grid_holds_about_a_dozen_files() -> None:
    rooms = {path for path in (GRID, *GRID.rglob("*")) if path.is_dir()}
    sizes = {room.name: sum(path.suffix in CODE for path in room.iterdir()) for room in rooms}
    assert {name: size for name, size in sizes.items() if size > MOST_FILES} == {}
    assert len(rooms) > 10


def test_the_rooms_of_the_grid_import_one_way() -> None:
    rooms = [path for path in (GRID, *GRID.rglob("*")) if path.is_dir()]
    edges = {room: rooms_imported(room) for room in rooms}
    assert circle(edges) == set()
    assert edges[GRID]
    assert circle({**edges, GRID / "data": {GRID}}) >= {GRID, GRID / "data"}
