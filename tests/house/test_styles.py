"""Style sheets have no rules for elements that do not exist."""

import re
from functools import cache

from tests import ROOT

FOLDERS = ("film", "ui", "docs", "deploy")
SHEETS = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.css"))
STREAMLIT = re.compile(r"st[A-Z]\w+")
FOREIGN = {"hoverlayer"}  # plotly's, for the label at the pointer
KEY = "st-key-"  # Streamlit's class for the element of a key


@cache
def sources() -> str:
    """Return all code that can name an element."""
    return "\n".join(
        path.read_text("utf-8")
        for folder in (*FOLDERS, "pages")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".js", ".html"}
    )


@cache
def words() -> set[str]:
    """Return the words of that code."""
    return set(re.findall(r"[\w-]+", sources()))


def selectors(sheet: str) -> str:
    """Return all selectors of a sheet, without the texts in them.

    >>> selectors('/* .a */ .b:not([title=".c"]) { color: red; } @media print { .d, e { top: 0.5em; } }')
    '.b:not([title=]) .d, e '
    """
    plain = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    rules = re.findall(r"([^{};]+)\{", plain)
    return "".join(
        re.sub(r'"[^"]*"', "", rule).lstrip() for rule in rules if not rule.lstrip().startswith("@")
    )


def unused_classes(sheet: str) -> set[str]:
    """Return the classes of a sheet that no script, page or module mentions."""
    classes = set(re.findall(r"\.([A-Za-z][\w-]*)", selectors(sheet)))
    named = {name.removeprefix(KEY) for name in classes if not STREAMLIT.fullmatch(name)}
    # A script may make a class from the name of a kind: "code point" becomes .code-point.
    return {name for name in named - words() - FOREIGN if name.replace("-", " ") not in sources()}


def test_every_class_belongs_to_an_element() -> None:
    assert SHEETS
    assert {
        path.relative_to(ROOT).as_posix(): names
        for path in SHEETS
        if (names := unused_classes(path.read_text("utf-8")))
    } == {}


def test_every_variable_of_a_style_is_read() -> None:
    styles = "\n".join(path.read_text("utf-8") for path in SHEETS)
    variables = {name for name in re.findall(r"(--[\w-]+)\s*:", styles) if not name.startswith("--st-")}
    assert variables
    assert {name for name in variables if f"var({name}" not in styles and name not in sources()} == set()


def test_a_class_without_an_element_is_reported() -> None:
    assert unused_classes(".chip.of-nothing-at-all { top: 0 }") == {"of-nothing-at-all"}
