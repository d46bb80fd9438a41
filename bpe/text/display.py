"""How symbols and characters are written for people: on the screen, within sentences, and in CSV files."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence

from bpe.symbols import Symbol

# https://www.unicode.org/charts/ has both. Some characters of this table join or change their neighbours, so a label
# keeps them between others; all the rest are spelled wherever they stand, since nobody could see them.
__all__ = ["INVISIBLE", "JOINERS", "SELECTORS", "SPELLED"]
_SPACES = {
    "\u00a0": ("NBSP", "no-break space"),
    "\u1680": ("OGSP", "Ogham space mark"),
    "\u2000": ("NQSP", "en quad"),
    "\u2001": ("MQSP", "em quad"),
    "\u2002": ("ENSP", "en space"),
    "\u2003": ("EMSP", "em space"),
    "\u2004": ("3/MSP", "three-per-em space"),
    "\u2005": ("4/MSP", "four-per-em space"),
    "\u2006": ("6/MSP", "six-per-em space"),
    "\u2007": ("FSP", "figure space"),
    "\u2008": ("PSP", "punctuation space"),
    "\u2009": ("THSP", "thin space"),
    "\u200a": ("HSP", "hair space"),
    "\u2028": ("LSEP", "line separator"),
    "\u2029": ("PSEP", "paragraph separator"),
    "\u202f": ("NNBSP", "narrow no-break space"),
    "\u205f": ("MMSP", "medium mathematical space"),
    "\u3000": ("IDSP", "ideographic space"),
}
_SPELLED = {
    "\u00ad": ("SHY", "soft hyphen"),
    "\u061c": ("ALM", "Arabic letter mark"),
    "\u180e": ("MVS", "Mongolian vowel separator"),
    "\u200b": ("ZWSP", "zero-width space"),
    "\u200e": ("LRM", "left-to-right mark"),
    "\u200f": ("RLM", "right-to-left mark"),
    "\u202a": ("LRE", "left-to-right embedding"),
    "\u202b": ("RLE", "right-to-left embedding"),
    "\u202c": ("PDF", "pop directional formatting"),
    "\u202d": ("LRO", "left-to-right override"),
    "\u202e": ("RLO", "right-to-left override"),
    "\u2060": ("WJ", "word joiner"),
    "\u2061": ("f()", "function application"),
    "\u2062": ("×", "invisible times"),
    "\u2063": (",", "invisible separator"),
    "\u2064": ("+", "invisible plus"),
    "\u2066": ("LRI", "left-to-right isolate"),
    "\u2067": ("RLI", "right-to-left isolate"),
    "\u2068": ("FSI", "first strong isolate"),
    "\u2069": ("PDI", "pop directional isolate"),
    "\u206a": ("ISS", "inhibit symmetric swapping"),
    "\u206b": ("ASS", "activate symmetric swapping"),
    "\u206c": ("IAFS", "inhibit Arabic form shaping"),
    "\u206d": ("AAFS", "activate Arabic form shaping"),
    "\u206e": ("NADS", "national digit shapes"),
    "\u206f": ("NODS", "nominal digit shapes"),
    "\ufeff": ("BOM", "byte order mark"),
    "\ufff9": ("IAA", "interlinear annotation anchor"),
    "\ufffa": ("IAS", "interlinear annotation separator"),
    "\ufffb": ("IAT", "interlinear annotation terminator"),
}
_JOINERS = {"\u200c": ("ZWNJ", "zero-width non-joiner"), "\u200d": ("ZWJ", "zero-width joiner")}
_SELECTORS = {"\u034f": ("CGJ", "combining grapheme joiner")}
_SELECTORS |= {
    chr(0xFE00 + number): (f"VS{number + 1}", f"variation selector {number + 1}") for number in range(16)
}
_SELECTORS |= {
    chr(0xE0100 + number): (f"VS{number + 17}", f"variation selector {number + 17}") for number in range(240)
}
SPELLED = frozenset(_SPELLED)  # format characters that a label spells wherever they stand
JOINERS = frozenset(_JOINERS)
SELECTORS = frozenset(_SELECTORS)  # they change the character before them
INVISIBLE = {**_SPACES, **_SPELLED, **_JOINERS, **_SELECTORS}  # {character: (abbreviation, name)}
_GLYPHS = {" ": "·", "\n": "↵", "\t": "→", "\r": "␍"}

# Why a training ended, by `Trace.stopped`. Films and pictures say it to people who set nothing: no sentence says "you".
ENDINGS = {
    "merges": "that was the limit",
    "vocab_size": "the vocabulary has reached its target size",
    "no pairs": "no pairs are left to merge",
    "min_count": "no remaining pair is frequent enough",
    "end of list": "no other merge of the tokenizer fits this text",
    "cancelled": "the training was stopped here",
}
SURROGATES = re.compile("[\ud800-\udfff]")

# What a spreadsheet may run, even behind apostrophes: otherwise a reader cannot tell which ones `in_cell` has added.
_SIGNS = r"=+\-@\uff1d\uff0b\uff0d\uff20"
_BLANKS = r"\0\ufeff"  # beside white space: LibreOffice leaves NUL out
FORMULA_START = re.compile(rf"'*([\s{_BLANKS}]*[{_SIGNS}]|[\t\r\n])")

# Where a spreadsheet that separates cells by another sign than a comma begins one within a text; the quotation marks
# around the text then count for nothing.
_BEGIN, _FORMULA = r"(?<=[;|\t\r\n])", rf"(?=(?:[^\S\t\r\n]|[\"'{_BLANKS}])*[{_SIGNS}])"
_CELL_START = re.compile(_BEGIN + _FORMULA)
_CELL_MARK = re.compile(f"{_BEGIN}'{_FORMULA}")


def visible_text(symbol: Symbol) -> str:
    r"""Return the bytes as text: white space as glyphs, bytes of no whole character as <0xE2>, a lone mark on a circle.

    Nothing stays invisible: other characters that nobody could see have their names, such as <ZWJ> or <U+0000>.

    >>> visible_text(b"a\n\xe2\x82")
    'a↵<0xE2><0x82>'

    A joiner or selector is kept only between characters that are shown as they are. Anywhere else it has a name:

    >>> visible_text(b"\xa9\xe2\x80\x8d\xf0\x9f")
    '<0xA9><ZWJ><0xF0><0x9F>'
    """
    try:
        return _visible_characters(symbol.decode())
    except UnicodeDecodeError:
        parts = _LONE_BYTES.split(symbol.decode("utf-8", "surrogateescape"))
        return "".join(
            "".join(f"<0x{ord(byte) & 0xFF:02X}>" for byte in part)
            if number % 2
            else _visible_characters(part)
            for number, part in enumerate(parts)
        )


_LONE_BYTES = re.compile("([\udc80-\udcff]+)")  # as decoded: a lone byte is one character


def _visible_characters(text: str) -> str:
    # By category: a Devanagari vowel sign is a mark too, though its combining class is 0.
    mark = unicodedata.category(text[:1] or " ").startswith("M") and text[0] not in SELECTORS
    if text.isprintable() and " " not in text and not mark and text[:1] not in SELECTORS:
        return text
    between = zip(text, ["", *text], [*text[1:], ""], strict=False)
    visible = "".join(_glyph(character, before, after) for character, before, after in between)
    return "◌" + visible if mark else visible


def character_name(character: str) -> str:
    r"""Return the short name of a character that nobody could see: its abbreviation, or its code point if it has none.

    Labels write it in angle brackets, and the grid in a dashed box. `characterName` in spelling.js returns the same.

    >>> character_name("\u200d"), character_name("\0")
    ('ZWJ', 'U+0000')
    """
    return INVISIBLE[character][0] if character in INVISIBLE else code_point(character)


def code_point(character: str) -> str:
    r"""Return the code point of a character as Unicode writes it.

    >>> code_point("\u200b")
    'U+200B'
    """
    return f"U+{ord(character):04X}"


def characters_in(symbol: Symbol) -> int:
    r"""Return the number of characters of a symbol, at least 1: markers and parts of characters count only alone.

    >>> (
    ...     characters_in("日本".encode()),
    ...     characters_in(b"x\xff"),
    ...     characters_in(b"\x80"),
    ...     characters_in(b"\xfe"),
    ... )
    (2, 1, 1, 1)
    """
    return max(1, sum((byte & 0xC0) != 0x80 and byte < 0xFD for byte in symbol))


def counted(count: int, singular: str, plural: str = "") -> str:
    """Return the count with its noun; the plural is `singular` + s unless it is given.

    >>> counted(1, "merge"), counted(1_000, "merge")
    ('1 merge', '1,000 merges')
    >>> counted(2, "tie at merge 3", "ties at merge 3")
    '2 ties at merge 3'
    """
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"


def listed(texts: Sequence[str], word: str = "and") -> str:
    """Return texts as they stand in a sentence.

    >>> listed(["low"]), listed(["low", "lower", "lowest"])
    ('low', 'low, lower and lowest')
    """
    return f" {word} ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def merge_number(rank: int) -> str:
    """Return the number of a merge for people, who count from 1.

    >>> merge_number(0), merge_number(999)
    ('1', '1,000')
    """
    return f"{rank + 1:,}"


def merge_name(rank: int) -> str:
    """Return the name of a merge for people. `film/browser/shared/numbers.js` writes the same.

    >>> merge_name(0), merge_name(999)
    ('merge 1', 'merge 1,000')
    """
    return f"merge {merge_number(rank)}"


def well_formed(text: str) -> str:
    r"""Return the text with U+FFFD for every lone surrogate: half a character, which nothing can show or send.

    >>> well_formed("a\ud83d")
    'a\ufffd'
    """
    return SURROGATES.sub("\ufffd", text)


def in_cell(value: object) -> object:
    """Return a value for a cell, with an apostrophe before a text that a spreadsheet would run as a formula, `=1+1`.

    OWASP advises this against CSV injection. Another apostrophe goes behind each `;`, `|`, tab or line end that a
    formula follows, since a spreadsheet may begin a new cell there. Numbers stay numbers. `from_cell` gives the text
    back.

    >>> in_cell("=1+1"), in_cell("'=1+1"), in_cell("a;=1"), in_cell(-3)
    ("'=1+1", "''=1+1", "a;'=1", -3)
    """
    if not isinstance(value, str):
        return value
    return ("'" if FORMULA_START.match(value) else "") + _CELL_START.sub("'", value)


def from_cell(text: str) -> str:
    """Return the text that `in_cell` wrote, as docs/hosting.md says how.

    >>> from_cell("'=1+1"), from_cell("''tis")
    ('=1+1', "''tis")
    """
    text = _CELL_MARK.sub("", text)
    return text[1:] if text.startswith("'") and FORMULA_START.match(text) else text


def csv_file(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    r"""Return a CSV file in UTF-8 with a byte-order mark, which Excel needs. Texts are quoted, formulas disarmed.

    >>> csv_file(["token", "count"], [["=a", 2]]).decode("utf-8-sig")
    '"token","count"\r\n"\'=a",2\r\n'
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([in_cell(name) for name in header])
    writer.writerows([in_cell(value) for value in row] for row in rows)
    return file.getvalue().encode("utf-8-sig", "backslashreplace")  # a file's name may hold lone surrogates


def _glyph(character: str, before: str, after: str) -> str:
    """Return what stands for a character; `before` and `after` are its neighbours, "" at an end of the text."""
    if glyph := _GLYPHS.get(character):
        return glyph
    if character in SELECTORS:  # it changes the character before it
        return character if _is_shown(before) else _named(character)
    # A zero-width joiner inside an emoji joins its parts.
    joins = character not in SPELLED and _is_format(character) and _is_shown(before) and _is_shown(after)
    return character if character.isprintable() or joins else _named(character)


def _is_shown(character: str) -> bool:
    """Return whether a character is shown as it is within a text, not as a glyph or by its name; "" is not."""
    if not character or character in _GLYPHS or character in SPELLED:
        return False
    return character.isprintable() or _is_format(character)


def _is_format(character: str) -> bool:
    return unicodedata.category(character) == "Cf"


def _named(character: str) -> str:
    return f"<{character_name(character)}>"
