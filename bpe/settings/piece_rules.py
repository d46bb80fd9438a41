"""Piece rules: which symbols a trainer may make. A rule allows a merge or not, given the two symbols."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import regex

from bpe.symbols import START_OF_WORD, Symbol

MergeFilter = Callable[[Symbol, Symbol], bool]

# sentencepiece, trainer option max_sentencepiece_length
SENTENCEPIECE_MOST_CHARACTERS = 16
# Of Unicode 15.
_SCRIPT_NAMES = """
    Latin Common Inherited Han Hiragana Katakana Cyrillic Greek Arabic Hebrew Devanagari Hangul Thai
    Bengali Tamil Telugu Kannada Malayalam Gujarati Gurmukhi Oriya Sinhala Lao Tibetan Myanmar Georgian
    Armenian Ethiopic Khmer Mongolian Cherokee Canadian_Aboriginal Bopomofo Yi Braille Syriac Thaana
    Ogham Runic Coptic Gothic Deseret Tagalog Hanunoo Buhid Tagbanwa Limbu Tai_Le Linear_B Ugaritic
    Shavian Osmanya Cypriot Buginese New_Tai_Lue Glagolitic Tifinagh Syloti_Nagri Old_Persian Kharoshthi
    Balinese Cuneiform Phoenician Phags_Pa Nko Sundanese Lepcha Ol_Chiki Vai Saurashtra Kayah_Li Rejang
    Lycian Carian Lydian Cham Tai_Tham Tai_Viet Avestan Egyptian_Hieroglyphs Samaritan Lisu Bamum
    Javanese Meetei_Mayek Imperial_Aramaic Old_South_Arabian Inscriptional_Parthian
    Inscriptional_Pahlavi Old_Turkic Kaithi Batak Brahmi Mandaic Chakma Meroitic_Cursive
    Meroitic_Hieroglyphs Miao Sharada Sora_Sompeng Takri Caucasian_Albanian Bassa_Vah Duployan Elbasan
    Grantha Khojki Khudawadi Linear_A Mahajani Manichaean Mende_Kikakui Modi Mro Nabataean
    Old_North_Arabian Old_Permic Pahawh_Hmong Palmyrene Pau_Cin_Hau Psalter_Pahlavi Siddham Tirhuta
    Warang_Citi Ahom Anatolian_Hieroglyphs Hatran Multani Old_Hungarian SignWriting Adlam Bhaiksuki
    Marchen Newa Osage Tangut Masaram_Gondi Nushu Soyombo Zanabazar_Square Dogra Gunjala_Gondi
    Hanifi_Rohingya Makasar Medefaidrin Old_Sogdian Sogdian Elymaic Nandinagari Nyiakeng_Puachue_Hmong
    Wancho Chorasmian Dives_Akuru Khitan_Small_Script Yezidi Cypro_Minoan Old_Uyghur Tangsa Toto
    Vithkuqi Kawi Nag_Mundari
"""
SCRIPTS = tuple(_SCRIPT_NAMES.split())


def any_piece(left: Symbol, right: Symbol) -> bool:
    """Allow every pair."""
    return True


def sentencepiece_piece(left: Symbol, right: Symbol) -> bool:
    """Allow at most 16 characters of one script, the marker only in front: sentencepiece, `IsValidSentencePiece`.

    Hiragana, Katakana and the long-vowel sign count as Han, an inherited mark has the script of the character before
    it. Digits are of the script Common, so they never join letters.
    """
    piece = left + right
    start = piece.startswith(START_OF_WORD)
    if START_OF_WORD in piece[start:]:
        return False
    text = piece[start:].decode()
    if start + len(text) > SENTENCEPIECE_MOST_CHARACTERS:
        return False
    scripts = [script for script in map(script_of, text) if script != "Inherited"]
    return len(set(scripts)) <= 1


@lru_cache(maxsize=1 << 16)
def script_of(character: str) -> str:
    """Return the Unicode script of a character; the scripts of Japanese are one.

    >>> [script_of(character) for character in "aя日の1"]
    ['Latin', 'Cyrillic', 'Han', 'Han', 'Common']
    """
    if character == "ー":
        return "Han"
    for script in SCRIPTS:
        if regex.fullmatch(rf"\p{{Script={script}}}", character):
            return "Han" if script in ("Hiragana", "Katakana") else script
    return "Unknown"


@dataclass(frozen=True, slots=True)
class PieceRule:
    """One rule on which symbols a trainer may make."""

    slug: str
    may_merge: MergeFilter
    needs_start_of_word: bool = False  # reads characters, and START_OF_WORD as a piece's first


_ROWS = (
    PieceRule("any", any_piece),
    PieceRule("sentencepiece", sentencepiece_piece, needs_start_of_word=True),
)
PIECE_RULES: Mapping[str, PieceRule] = MappingProxyType({row.slug: row for row in _ROWS})
