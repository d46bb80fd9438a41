"""Display: symbols, counts and merges as text for people, on one line."""

import codecs
import unicodedata

from bpe.symbols import Symbol
from bpe.text.invisible import SELECTORS, SPELLED

_GLYPHS = {" ": "·", "\n": "↵", "\t": "→", "\r": "␍", "\u00a0": "⍽"}

# Why a training ended, by `Trace.stopped`. Films and pictures say it to people who set nothing: no sentence says "you".
ENDINGS = {
    "merges": "that was the limit",
    "vocab_size": "the vocabulary has reached its target size",
    "no pairs": "no pairs are left to merge",
    "min_count": "no remaining pair is frequent enough",
    "end of list": "no other merge of the tokenizer fits this text",
    "cancelled": "the training was stopped here",
}


def visible_text(symbol: Symbol) -> str:
    r"""Return the bytes as text: white space as glyphs, bytes of no whole character as <0xE2>, a lone mark on a circle.

    Nothing stays invisible: other characters that nobody could see are spelled as <U+200B>.

    >>> visible_text(b"a\n\xe2\x82")
    'a↵<0xE2><0x82>'
    """
    text = symbol.decode("utf-8", "bpe-hex")
    # By category: a Devanagari vowel sign is a mark too, though its combining class is 0.
    mark = unicodedata.category(text[:1] or " ").startswith("M") and text[0] not in SELECTORS
    if text.isprintable() and " " not in text and not mark and text[:1] not in SELECTORS:
        return text
    last = len(text) - 1
    visible = "".join(
        _glyph(character, at_start=i == 0, at_edge=i in (0, last)) for i, character in enumerate(text)
    )
    return "◌" + visible if mark else visible


def _glyph(character: str, *, at_start: bool, at_edge: bool) -> str:
    if glyph := _GLYPHS.get(character):
        return glyph
    if at_start and character in SELECTORS:  # it has nothing to change
        return code_point(character)
    # A zero-width joiner inside an emoji joins its parts.
    joins = unicodedata.category(character) == "Cf" and character not in SPELLED and not at_edge
    return character if character.isprintable() or joins else code_point(character)


def code_point(character: str) -> str:
    r"""Return the character as its code point.

    >>> code_point("\u200b")
    '<U+200B>'
    """
    return f"<U+{ord(character):04X}>"


def _hex_bytes(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "".join(f"<0x{byte:02X}>" for byte in error.object[error.start : error.end]), error.end


def counted(count: int, singular: str, plural: str = "") -> str:
    """Return the count with its noun; the plural is `singular` + s unless it is given.

    >>> counted(1, "merge"), counted(1_000, "merge")
    ('1 merge', '1,000 merges')
    >>> counted(2, "tie at merge 3", "ties at merge 3")
    '2 ties at merge 3'
    """
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"


def merge_number(rank: int) -> str:
    """Return the number of a merge for people, who count from 1.

    >>> merge_number(0), merge_number(999)
    ('1', '1,000')
    """
    return f"{rank + 1:,}"


def merge_name(rank: int) -> str:
    """Return the name of a merge for people. `film/browser/shared/tokens/merge_names.js` writes the same.

    >>> merge_name(0), merge_name(999)
    ('merge 1', 'merge 1,000')
    """
    return f"merge {merge_number(rank)}"


codecs.register_error("bpe-hex", _hex_bytes)
