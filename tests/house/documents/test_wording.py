"""One plain voice: words of a private dialect stay off the screen, in the sense in which they confuse."""

import ast
import re

import pytest

from tests import ROOT
from tests.house.documents.screen_strings import screen_strings

# What a reader stumbles over -> what to write instead.
BANNED = {
    r"\b[Ss]t(and|ands|ood|anding)\b": "occurs, is, in use",
    r"\b(counts|it count) (once|twice|\d|…|as (one|much|often)|less|more|enough)\b": "occurs … times",
    r"\b[Cc]ut(s|ting)?\b": "split",
    r"\balike\b": "the same (way)",
    r"(?<!created )\bby merge (\d|…)": "created by merge …",
    r"\b([Tt]akes|[Tt]ook)\b(?! (too long|longer|more than|…? ?seconds|a moment))": "picks, needs, uses, replaces",
    r"\b[Tt]aken by hand\b": "your picks",
    r"\bborn\b|\blives?\b": "created by merge …, occurs in",
    r"\bpart(s|ed)? (at|company)\b": "differ, diverge",
    r"\bc(a|o)me to (them|it|be)?\b(?=$|\.|:)|\bbec(a|o)me of\b": "the outcome",
    r"\b(merges?|step) 0\b": "merge 1: people count from 1",
    r"\botherwise than\b|\bsplit otherwise\b": "differently",
    r"\basks for\b": "contains",
    r"\bwhoever\b|\bfalls? away\b|\bin place of what\b|\bwhat there is not\b": "a plain clause",
    r"(?<!, )\bso (many|large a|long a)\b": "a number",
    r"\bAll right\b": "OK",
}


@pytest.mark.parametrize("pattern", BANNED)
def test_no_string_on_the_screen_has_a_word_of_a_private_dialect(pattern: str) -> None:
    banned = re.compile(pattern)
    hits = [f"{source}: {text!r}" for source, text in screen_strings() if banned.search(text)]
    assert not hits, f"write {BANNED[pattern]!r} in\n" + "\n".join(hits)


def test_the_strings_of_the_screen_are_collected() -> None:
    texts = {text for _, text in screen_strings()}
    assert len(texts) > 900
    for part in ("Picks the tied pair that appears earliest in the text.", "… comes next?"):
        assert any(part in text for text in texts), part


def test_icons_are_material_symbols_beside_a_text() -> None:
    """Emoji are empty boxes where no colour font is installed."""
    for path in (*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if "icon=" in source else ():
            if isinstance(node, ast.keyword) and node.arg == "icon" and isinstance(node.value, ast.Constant):
                assert str(node.value.value).startswith(":material/"), f"{path}:{node.value.lineno}"
