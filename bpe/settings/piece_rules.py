"""Piece rules: which symbols a trainer may make. A rule allows a merge or not, given the two symbols."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from bpe.settings.scripts import sentencepiece_script
from bpe.symbols import START_OF_WORD, Symbol
from bpe.text.initial_symbols import initial_symbols
from bpe.text.variants import Variant

MergeFilter = Callable[[Symbol, Symbol], bool]

# sentencepiece, trainer option max_sentencepiece_length
SENTENCEPIECE_MOST_CHARACTERS = 16


def any_piece(left: Symbol, right: Symbol) -> bool:
    """Allow every pair."""
    return True


def both(one: MergeFilter, other: MergeFilter) -> MergeFilter:
    """Return the filter that allows what both allow."""
    if any_piece in (one, other):
        return one if other is any_piece else other
    return partial(_allow, one, other)


def _allow(one: MergeFilter, other: MergeFilter, left: Symbol, right: Symbol) -> bool:
    return one(left, right) and other(left, right)


def shorter_than(length: int, variant: Variant) -> MergeFilter:
    """Return the filter that allows tokens of fewer initial symbols than `length`, and those of two.

    Hugging Face's BpeTrainer does not look at the length of two initial symbols either.
    """
    return partial(_is_short, variant, length)  # not a lambda: it can be pickled


def _is_short(variant: Variant, length: int, left: Symbol, right: Symbol) -> bool:
    merged = len(initial_symbols(left, variant)) + len(initial_symbols(right, variant))
    return merged == 2 or merged < length


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
    scripts = [script for script in map(sentencepiece_script, text) if script != "Inherited"]
    return len(set(scripts)) <= 1


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
