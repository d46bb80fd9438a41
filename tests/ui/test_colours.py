"""Every palette in use is the one of config.toml, and its colours can be told apart and read."""

import re
import tomllib
from itertools import combinations

import pytest

from bpe.comparison.lanes import MOST
from tests import ROOT
from tests.colours import contrast, difference_for_every_eye
from ui.view import charts
from ui.view.charts import _DARK, _LIGHT, Colours, colours_of

THEMES = {"light": _LIGHT, "dark": _DARK}
every_theme = pytest.mark.parametrize("colours", THEMES.values(), ids=THEMES)
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
# Colours of the palette -> the options of Streamlit's theme that repeat them.
ROLES = {
    "bg": ["backgroundColor"],
    "shade": ["secondaryBackgroundColor"],
    "ink": ["textColor", "codeTextColor"],
    "accent": ["primaryColor", "linkColor"],
    "line": ["borderColor", "dataframeBorderColor"],
    "soft": ["grayTextColor"],
    "tie": ["orangeColor", "orangeTextColor"],
    "tie-soft": ["orangeBackgroundColor"],
}
PALETTE = ROOT / "film" / "browser" / "shared" / "palette.css"
PAIR = re.compile(r"--([a-z-]+): light-dark\((#\w{6}), (#\w{6})\);")
LITERAL = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch|oklab)a?\(")


@every_theme
def test_lanes_can_be_told_apart_by_colour_alone(colours: Colours) -> None:
    assert len(colours.lanes) == len(set(charts.DASHES)) == MOST
    for colour in colours.lanes:
        assert contrast(colour, colours.page) >= 3
    for one, other in combinations(colours.lanes, 2):
        assert difference_for_every_eye(one, other) >= 15, (one, other)


@every_theme
def test_chart_roles_can_be_told_apart_by_colour_alone(colours: Colours) -> None:
    for one, other in combinations((colours.accent, colours.tie, colours.soft, colours.other), 2):
        # These two differ in dash as well.
        least = 10 if {one, other} == {colours.accent, colours.soft} else 15
        assert difference_for_every_eye(one, other) >= least, (one, other)


@every_theme
def test_chart_text_can_be_read(colours: Colours) -> None:
    assert contrast(colours.ink, colours.page) >= 12
    assert contrast(colours.soft, colours.page) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_the_theme_asked_for_is_the_one_of_the_configuration(theme: str) -> None:
    colours = colours_of(dark=theme == "dark")
    assert (colours.accent, colours.page) == (CONFIG[theme]["primaryColor"], CONFIG[theme]["backgroundColor"])


@pytest.mark.parametrize("theme", THEMES)
def test_the_palette_has_the_configured_colours(theme: str) -> None:
    stated = {name: colours[theme == "dark"] for name, *colours in PAIR.findall(PALETTE.read_text("utf-8"))}
    repeated = {option: stated[name] for name, options in ROLES.items() for option in options}
    assert repeated == {option: CONFIG[theme][option] for option in repeated}


def test_no_style_sheet_states_a_colour_beside_the_palette() -> None:
    sheets = [path for folder in ("film", "ui", "gallery") for path in (ROOT / folder).rglob("*.css")]
    rules = {path: re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL) for path in sheets}
    # A colour is in a declaration, and ends with its value.
    stated = {
        path.relative_to(ROOT).as_posix(): found
        for path, text in rules.items()
        if path != PALETTE and (found := LITERAL.findall("".join(re.findall(r":[^;{}]*;", text))))
    }
    assert stated == {}


def test_no_python_file_states_a_colour_of_its_own() -> None:
    pages = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    assert [path.name for path in pages if re.search(r"#[0-9a-fA-F]{6}\b", path.read_text("utf-8"))] == []


@pytest.mark.parametrize(("theme", "colours"), [("light", _LIGHT), ("dark", _DARK)])
def test_the_picture_of_every_way_draws_a_lane_in_the_colour_that_charts_give_it(
    theme: str, colours: Colours
) -> None:
    looks = (ROOT / "film/browser/every_way/looks.js").read_text("utf-8")
    _, _, look = looks.partition(f"  {theme}: {{")
    lines, *_ = re.findall(r"lines: \[([^\]]*)\]", look)
    assert re.findall(r"#\w{6}", lines) == list(colours.lanes)
    assert colours.lanes[-1] == colours.tie
