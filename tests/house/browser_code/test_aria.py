"""Attributes for screen readers are spelled as WAI-ARIA 1.2 spells them: a browser ignores all others in silence."""

import re

import pytest

from tests import ROOT

FOLDERS = ("film", "ui", "pages", "docs", "deploy", "merge_by_merge")
SUFFIXES = {".js", ".html", ".css", ".py"}
# https://www.w3.org/TR/wai-aria-1.2/#state_prop_def
NAMES = frozenset(
    re.findall(
        r"\w+",
        "activedescendant atomic autocomplete braillelabel brailleroledescription busy checked colcount colindex "
        "colindextext colspan controls current describedby description details disabled dropeffect errormessage "
        "expanded flowto grabbed haspopup hidden invalid keyshortcuts label labelledby level live modal multiline "
        "multiselectable orientation owns placeholder posinset pressed readonly relevant required roledescription "
        "rowcount rowindex rowindextext rowspan selected setsize sort valuemax valuemin valuenow valuetext",
    )
)
# An attribute; a property, which JavaScript writes with a capital after a dot; or that word where an attribute belongs.
ATTRIBUTE = re.compile(r"\baria-([A-Za-z]+)|(\.)?\baria([A-Z]\w+)")


def misspelled(source: str) -> list[str]:
    """Return what is no attribute of WAI-ARIA in a source, and no property of an element."""
    return [
        match[0]
        for match in ATTRIBUTE.finditer(source)
        if not (match[1] in NAMES or (match[2] and match[3].lower() in NAMES))
    ]


REFUSED = {
    "a capital": 'make("p", "", { "aria-labelledBy": id })',
    "one l": '<p aria-labeledby="title">',
    "a property as an attribute": 'make("p", "", { ariaLabel: "Films" })',
    "a property that no element has": 'element.ariaLabelled = "Films"',
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_a_misspelled_name_is_seen(source: str) -> None:
    assert misspelled(source)


def test_every_name_for_screen_readers_is_one_that_browsers_know() -> None:
    wrong = {
        str(path.relative_to(ROOT)): names
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in SUFFIXES and (names := misspelled(path.read_text("utf-8")))
    }
    assert wrong == {}
    assert misspelled('button.ariaPressed = "true"; make("p", "", { "aria-label": "Films" })') == []
