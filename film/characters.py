"""The characters that labels do not show unchanged, listed for the browser.

`bpe.text.display.visible_text` uses Python's Unicode tables; a browser may have those of another version. So Python
lists the special characters of a feed, and both sides show the same labels.
"""

import unicodedata
from collections.abc import Iterable

from bpe import Symbol
from film.feed import Characters

# Shown as glyphs by a rule that both sides implement: `bpe/text/display.py` and `film/browser/token_grid/spelling.js`.
GLYPHS = " \n\t\r\u00a0"


def special_characters(texts: Iterable[str], tokens: Iterable[Symbol]) -> Characters:
    r"""Return the special characters that occur in texts and tokens, in order of code points.

    >>> special_characters(["a\u0301\u200d b\x00"], [b"\xc2\x80"])
    {'hidden': '\x00\x80', 'joining': '\u200d', 'marks': '\u0301'}
    """
    # A space between tokens keeps bytes of two tokens from forming a character.
    spelled = b" ".join(tokens).decode("utf-8", "ignore")
    characters = sorted(set(spelled).union(*texts).difference(GLYPHS))
    category_of = {character: unicodedata.category(character) for character in characters}
    marks = [character for character in characters if category_of[character].startswith("M")]
    joining = [character for character in characters if category_of[character] == "Cf"]
    hidden = [
        character
        for character in characters
        if not character.isprintable() and category_of[character] != "Cf"
    ]
    return {"hidden": "".join(hidden), "joining": "".join(joining), "marks": "".join(marks)}
