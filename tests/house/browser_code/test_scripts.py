"""The scripts that a page loads can be joined: each has every name once."""

from pathlib import Path

import pytest

from film.modules import BROWSER, join_scripts, without_comments

ENTRIES = sorted([*BROWSER.glob("*/main.js"), BROWSER / "film" / "fixed.js", BROWSER / "film" / "loader.js"])


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_script_has_every_name_once(entry: Path) -> None:
    assert without_comments(join_scripts(entry))
