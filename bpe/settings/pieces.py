"""Which tokens a training may learn: SentencePiece's rules for pieces, and the scripts that they tell apart."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from types import MappingProxyType

import regex

from bpe.symbols import START_OF_WORD, Symbol
from bpe.text.variants import Variant, initial_symbols

# Source of both tables: Unicode, Scripts.txt; google/sentencepiece, src/unicode_script_map.h and unicode_script.cc.
# What that map does not name, because it is newer, is of the script Common. `regex` knows the scripts of today.
_SCRIPT_NAMES = """
    Latin Common Inherited Han Hiragana Katakana Cyrillic Greek Arabic Hebrew Devanagari Hangul Thai Bengali
    Tamil Telugu Kannada Malayalam Gujarati Gurmukhi Oriya Sinhala Lao Tibetan Myanmar Georgian Armenian
    Ethiopic Khmer Mongolian Cherokee Canadian_Aboriginal Bopomofo Yi Braille Syriac Thaana Ogham Runic Coptic
    Gothic Deseret Tagalog Hanunoo Buhid Tagbanwa Limbu Tai_Le Linear_B Old_Italic Ugaritic Shavian Osmanya
    Cypriot Buginese New_Tai_Lue Glagolitic Tifinagh Syloti_Nagri Old_Persian Kharoshthi Balinese Cuneiform
    Phoenician Phags_Pa Nko Sundanese Lepcha Ol_Chiki Vai Saurashtra Kayah_Li Rejang Lycian Carian Lydian Cham
    Tai_Tham Tai_Viet Avestan Egyptian_Hieroglyphs Samaritan Lisu Bamum Javanese Meetei_Mayek Imperial_Aramaic
    Old_South_Arabian Inscriptional_Parthian Inscriptional_Pahlavi Old_Turkic Kaithi Batak Brahmi Mandaic
    Chakma Meroitic_Cursive Meroitic_Hieroglyphs Miao Sharada Sora_Sompeng Takri Caucasian_Albanian Bassa_Vah
    Duployan Elbasan Grantha Khojki Khudawadi Linear_A Mahajani Manichaean Mende_Kikakui Modi Mro Nabataean
    Old_North_Arabian Old_Permic Pahawh_Hmong Palmyrene Pau_Cin_Hau Psalter_Pahlavi Siddham Tirhuta
    Warang_Citi Ahom Anatolian_Hieroglyphs Hatran Multani Old_Hungarian SignWriting Adlam Bhaiksuki Marchen
    Newa Osage Tangut Masaram_Gondi Nushu Soyombo Zanabazar_Square Dogra Gunjala_Gondi Hanifi_Rohingya Makasar
    Medefaidrin Old_Sogdian Sogdian Elymaic Nandinagari Nyiakeng_Puachue_Hmong Wancho Chorasmian Dives_Akuru
    Khitan_Small_Script Yezidi Cypro_Minoan Old_Uyghur Tangsa Toto Vithkuqi Kawi Nag_Mundari
"""
SCRIPTS = tuple(_SCRIPT_NAMES.split())

# Ranges of code points that have a script today and had none in Unicode 9.
_NEWER = """
    558 560 588 58B-58C 5C8-5C9 5EF 61D 7FD-7FF 860-89F 8B5 8BE-8D3 9FC-9FE A76 AFA-AFF B53-B55 C04 C3C
    C5C-C5D C77 C84 CDC-CDD CF3-D00 D04 D3B-D3C D81 E86 E89 E8C E8E-E93 E98 EA0 EA8-EA9 EAC EBA ECE 170D
    1715-171F 180F 1878 1ABF-1AF0 1B4C-1B4F 1B7D-1B7F 1C89-1CBF 1DF6-1DFA 209D-209F 2C2F 2C5F 312E-312F
    31BB-31BF 4DB6-4DBF 9FD6-9FFF A7AF A7B8-A7F6 A82C A8FE-A8FF AB66-AB6D FBC2-FBD2 FD40-FD4F FD90-FD91
    FDC8-FDCF FDFE-FDFF 1032D-1032F 10570-105BC 10780-107BF 10A34-10A35 10A48 10D00-10D39 10E80-10FF6
    11070-11075 110C2-110CD 11144-11147 111CE-111CF 1123F-11241 1133B 1145A 1145E-11461 116B8-116B9
    116D0-116E3 1171A 11740-1183B 11900-11ABF 11B00-11B67 11D00-11FFF 1246F 12475-1247F 12550-12FF2
    1342F-143FA 16A70-16AC9 16E40-16E9A 16F45-16F4F 16F7F-16F87 16FE1-16FF6 187ED-187FF 18AF3-1AFFE
    1B002-1B2FB 1CF00-1CF46 1D127-1D128 1D25B-1D25C 1DF00-1DFFF 1E030-1E7FE 1E94B 2A6D7-2A6DF 2B735-2B73F
    2B81E 2CEA2-2EE5D 30000-33479
"""
_FIRST, _LAST = ([int(code_points.split("-")[end], 16) for code_points in _NEWER.split()] for end in (0, -1))

# Whose script has changed since.
_CHANGED = {
    "\N{ARMENIAN FULL STOP}": "Common",
    "\N{ARABIC LETTER MARK}": "Common",
    "\N{DEVANAGARI GRAVE ACCENT}": "Devanagari",
    "\N{DEVANAGARI ACUTE ACCENT}": "Devanagari",
}
_JAPANESE = {"Hiragana": "Han", "Katakana": "Han"}

# A rule allows a merge or not, given the two symbols.
MergeFilter = Callable[[Symbol, Symbol], bool]

# sentencepiece, trainer option max_sentencepiece_length
_SENTENCEPIECE_MOST_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class PieceRule:
    """One rule on which symbols a trainer may make."""

    slug: str
    may_merge: MergeFilter
    needs_start_of_word: bool = False  # reads characters, and START_OF_WORD as a piece's first
    joins_unknown: bool = False  # neighbouring characters without a piece are one unknown token


def any_piece(left: Symbol, right: Symbol) -> bool:
    """Return True: every pair may be merged."""
    return True


def both(one: MergeFilter, other: MergeFilter) -> MergeFilter:
    """Return the filter that allows what both allow."""
    if any_piece in (one, other):
        return one if other is any_piece else other
    return partial(_allow, one, other)


def shorter_than(length: int, variant: Variant) -> MergeFilter:
    """Return the filter that allows tokens of fewer initial symbols than `length`, and those of two.

    Hugging Face's BpeTrainer does not look at the length of two initial symbols either.
    """
    return partial(_is_short, variant, length)


@lru_cache(maxsize=1 << 16)
def _sentencepiece_script(character: str) -> str:
    """Return the script of a character for sentencepiece; the three of Japanese and the long-vowel sign are one.

    >>> [_sentencepiece_script(character) for character in "aя日の1։"]
    ['Latin', 'Cyrillic', 'Han', 'Han', 'Common', 'Common']
    """
    if character == "ー":
        return "Han"
    if character in _CHANGED:
        return _CHANGED[character]
    code_point = ord(character)
    nearest = bisect_right(_FIRST, code_point) - 1
    if nearest >= 0 and code_point <= _LAST[nearest]:
        return "Common"
    for script in SCRIPTS:
        if regex.fullmatch(rf"\p{{Script={script}}}", character):
            return _JAPANESE.get(script, script)
    return "Common"  # unassigned, then and now


def _sentencepiece_piece(left: Symbol, right: Symbol) -> bool:
    """Return whether a piece has at most 16 characters of one script, and the marker only in front.

    Hiragana, Katakana and the long-vowel sign count as Han, an inherited mark has the script of the character before
    it. Digits are of the script Common, so they never join letters. This is sentencepiece's `IsValidSentencePiece`.
    """
    piece = left + right
    start = piece.startswith(START_OF_WORD)
    if START_OF_WORD in piece[start:]:
        return False
    text = piece[start:].decode()
    if start + len(text) > _SENTENCEPIECE_MOST_CHARACTERS:
        return False
    scripts = [script for script in map(_sentencepiece_script, text) if script != "Inherited"]
    return len(set(scripts)) <= 1


_ROWS = (
    PieceRule("any", any_piece),
    PieceRule("sentencepiece", _sentencepiece_piece, needs_start_of_word=True, joins_unknown=True),
)
PIECE_RULES: Mapping[str, PieceRule] = MappingProxyType({row.slug: row for row in _ROWS})


def _allow(one: MergeFilter, other: MergeFilter, left: Symbol, right: Symbol) -> bool:
    return one(left, right) and other(left, right)


def _is_short(variant: Variant, length: int, left: Symbol, right: Symbol) -> bool:
    merged = len(initial_symbols(left, variant)) + len(initial_symbols(right, variant))
    return merged == 2 or merged < length
