"""The characters that labels do not show unchanged, listed for the browser.

`bpe.text.display.visible_text` uses Python's Unicode tables; a browser may have those of another version. So Python
lists the special characters of a feed, and both sides show the same labels.
"""

import unicodedata
from collections.abc import Iterable

from bpe import Symbol
from bpe.text.display import INVISIBLE, SELECTORS, SPELLED
from film.feed import Characters

# Shown as glyphs by a rule that both sides implement: `bpe/text/display.py` and `spelling.js` of the token grid.
GLYPHS = " \n\t\r\u00a0"


def special_characters(texts: Iterable[str], tokens: Iterable[Symbol]) -> Characters:
    r"""Return the special characters that occur in texts and tokens, in order of code points.

    >>> special = special_characters(["a\u0301\u200d b\x00"], [b"\xc2\x80"])
    >>> special["hidden"], special["joining"], special["marks"], special["names"]
    ('\x00\x80', '\u200d', '\u0301', {'\u200d': ['ZWJ', 'zero-width joiner']})
    """
    # A space between tokens keeps bytes of two tokens from forming a character.
    spelled = b" ".join(tokens).decode("utf-8", "ignore")
    everything = sorted(set(spelled).union(*texts))
    of_class: dict[str, list[str]] = {"hidden": [], "joining": [], "marks": [], "selectors": []}
    for character in everything:
        if name := class_of(character):
            of_class[name].append(character)
    return {
        "hidden": "".join(of_class["hidden"]),
        "joining": "".join(of_class["joining"]),
        "marks": "".join(of_class["marks"]),
        "selectors": "".join(of_class["selectors"]),
        "names": {c: list(INVISIBLE[c]) for c in everything if c in INVISIBLE},
    }


def class_of(character: str) -> str:
    """Return the class of a character; "" if labels show it unchanged, or as a glyph."""
    category = unicodedata.category(character)
    if character in GLYPHS:
        return ""
    if character in SELECTORS:
        return "selectors"
    if category.startswith("M"):
        return "marks"
    if category == "Cf" and character not in SPELLED:
        return "joining"
    return "" if character.isprintable() else "hidden"
