"""Streamlit's settings: Streamlit knows each, a comment gives each reason, and the palette can be read."""

import itertools
import re
import tomllib
from collections.abc import Iterator

import pytest
import streamlit as st

from tests import ROOT
from tests.colours import contrast, difference_for_every_eye

FILE = ROOT / ".streamlit" / "config.toml"
CONFIG = tomllib.loads(FILE.read_text(encoding="utf-8"))
THEMES = ["light", "dark"]


def options(table: dict[str, object], prefix: str = "") -> Iterator[str]:
    """Yield full names, as in theme.dark.sidebar.backgroundColor."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from options(value, f"{prefix}{name}.")
        else:
            yield prefix + name


def test_streamlit_knows_every_option() -> None:
    for option in options(CONFIG):
        st.get_option(option)  # raises RuntimeError, with the name, for an unknown one


def test_every_option_has_a_reason_above_it() -> None:
    # One comment may cover the options right below it; the dark theme's roles are explained in the light one.
    reason, unexplained = False, []
    for line in FILE.read_text(encoding="utf-8").partition("[theme.dark]")[0].splitlines():
        if line.startswith("["):
            reason = False
        elif line.startswith("#"):
            reason = True
        elif re.match(r"\w+ = ", line) and not reason:
            unexplained.append(line)
    assert unexplained == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("part", ["main", "sidebar"])
def test_text_and_colours_with_a_meaning_can_be_read(theme: str, part: str) -> None:
    colours = CONFIG["theme"][theme]
    surfaces = colours if part == "main" else colours["sidebar"]
    for surface in (surfaces["backgroundColor"], surfaces["secondaryBackgroundColor"]):
        assert contrast(colours["textColor"], surface) >= 12
        for role in ("primaryColor", "linkColor", "orangeTextColor", "grayTextColor"):
            assert contrast(colours[role], surface) >= 4.5, (role, surface)
    assert contrast(colours["orangeTextColor"], colours["orangeBackgroundColor"]) >= 4.5
    assert contrast(colours["codeTextColor"], colours["codeBackgroundColor"]) >= 12


@pytest.mark.parametrize("theme", THEMES)
def test_chart_colours_stay_apart_for_every_eye(theme: str) -> None:
    colours = CONFIG["theme"][theme]
    palette = colours["chartCategoricalColors"]
    assert len(palette) >= 10  # fewer, and plotly draws in its own colours (Streamlit 1.67)
    distinct = list(dict.fromkeys(palette))
    assert len(distinct) >= 6
    for colour in distinct:
        assert contrast(colour, colours["backgroundColor"]) >= 3
    for one, other in itertools.combinations(distinct, 2):
        assert difference_for_every_eye(one, other) >= 15, (one, other)


@pytest.mark.parametrize("theme", THEMES)
def test_sequential_colours_go_one_way(theme: str) -> None:
    colours = CONFIG["theme"][theme]
    steps = [contrast(colour, colours["backgroundColor"]) for colour in colours["chartSequentialColors"]]
    assert len(steps) == 10
    assert steps == sorted(steps)


def test_nothing_is_fetched_from_the_network() -> None:
    assert "://" not in FILE.read_text(encoding="utf-8")
    assert CONFIG["browser"]["gatherUsageStats"] is False


def test_white_on_the_accent_is_not_used_where_it_cannot_be_read() -> None:
    # Streamlit writes white on primary buttons in both themes.
    assert contrast("#ffffff", CONFIG["theme"]["dark"]["primaryColor"]) < 4.5
    sources = [ROOT / "app.py", *(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    primary = [path.name for path in sources if 'type="primary"' in path.read_text(encoding="utf-8")]
    assert primary == []
