"""Invisible characters: the abbreviations that Unicode's charts draw in a dashed box, and their names.

https://www.unicode.org/charts/ has both. Some characters of this table join or change their neighbours, so a label
keeps them between others; all the rest are spelled wherever they stand, since nobody could see them.
"""

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
