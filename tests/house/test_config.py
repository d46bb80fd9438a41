"""Settings: those of Streamlit, what git and containers ignore, and the requirements that are pinned."""

import itertools
import re
import tomllib
from collections.abc import Iterator

import pytest
import streamlit as st
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests import ROOT
from tests.colours import contrast, difference_for_every_eye
from tests.newest import FILES

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


# The requirements allow what the tests have seen, constraints.txt names it, and a newer release is noticed.

CALENDAR = {"regex"}  # its versions are dates: they name no minor version
CONSTRAINTS = {
    canonicalize_name(name): Version(version)
    for name, _, version in (
        line.partition("==")
        for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
        if not line.startswith("#")
    )
}


def requirements(file: str) -> list[Requirement]:
    """Return the requirements of a file."""
    lines = (ROOT / file).read_text("utf-8").splitlines()
    return [
        Requirement(line.partition(" #")[0]) for line in lines if line and not line.startswith(("#", "-r"))
    ]


NEEDED = [need for file in FILES for need in requirements(file)]


@pytest.mark.parametrize("need", NEEDED, ids=lambda need: need.name)
def test_a_constraint_is_in_the_range_of_its_requirement(need: Requirement) -> None:
    assert CONSTRAINTS[canonicalize_name(need.name)] in need.specifier


@pytest.mark.parametrize("need", requirements("requirements.txt"), ids=lambda need: need.name)
def test_the_app_takes_only_the_minor_version_that_the_tests_have_seen(need: Requirement) -> None:
    seen = CONSTRAINTS[canonicalize_name(need.name)]
    assert f"{seen.major}.{seen.minor}.99" in need.specifier
    assert (f"{seen.major}.{seen.minor + 1}.0" in need.specifier) == (need.name in CALENDAR)
    assert f"{seen.major + 1}.0" not in need.specifier


def test_every_week_the_tests_run_with_the_newest_releases() -> None:
    workflow = (ROOT / ".github" / "workflows" / "newest.yml").read_text("utf-8")
    assert re.search(r'cron: "\d+ \d+ \* \* [0-6]"', workflow)
    assert "python -m tests.newest" in workflow
