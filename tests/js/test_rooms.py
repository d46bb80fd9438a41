"""The folders of the browser's code: each says what its files hold, and the rooms of one hall import one way."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from film.modules import BROWSER
from tests import ROOT

GRID, SHARED = BROWSER / "token_grid", BROWSER / "shared"
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
    return files | inner


def rooms_imported(hall: Path, folder: Path) -> set[Path]:
    """Return the other folders of a hall whose code the scripts of a folder import."""
    targets = {
        Path(os.path.normpath(path.parent / target)).parent
        for path in folder.glob("*.js")
        for target in IMPORT.findall(path.read_text("utf-8"))
    }
    return {target for target in targets if target.is_relative_to(hall)} - {folder}


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


@pytest.mark.parametrize("hall", [GRID, SHARED], ids=lambda hall: hall.name)
def test_the_rooms_of_a_hall_import_one_way(hall: Path) -> None:
    rooms = [path for path in (hall, *hall.rglob("*")) if path.is_dir()]
    edges = {room: rooms_imported(hall, room) for room in rooms}
    assert circle(edges) == set()
    upper, lower = next((room, needed) for room, needed in edges.items() if needed)
    assert circle({**edges, next(iter(lower)): {upper}}) >= {upper}
