"""The rooms of the browser's code import one way."""

import os
import re
from pathlib import Path

import pytest

from film.modules import BROWSER

GRID = BROWSER / "token_grid"
CODE = {".js", ".css"}
IMPORT = re.compile(r'^import \{[^}]*\} from "([^"]+)"', re.MULTILINE)


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


@pytest.mark.parametrize("hall", [GRID], ids=lambda hall: hall.name)
def test_the_rooms_of_a_hall_import_one_way(hall: Path) -> None:
    rooms = [path for path in (hall, *hall.rglob("*")) if path.is_dir()]
    edges = {room: rooms_imported(hall, room) for room in rooms}
    assert circle(edges) == set()
    upper, lower = next((room, needed) for room, needed in edges.items() if needed)
    assert circle({**edges, next(iter(lower)): {upper}}) >= {upper}
