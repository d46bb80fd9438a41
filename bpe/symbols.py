"""Symbols, pairs and words: the vocabulary of this package, and its two smallest operations.

Glossary (these words and no others, everywhere in `bpe/`):

document      a text no pair reaches out of
pre-token     a piece of a document that no merge reaches out of, as text
word          a pre-token spelled as a sequence of symbols; it has a *frequency* in the corpus
symbol        a token's bytes: UTF-8, or a marker byte that UTF-8 cannot hold
token         a symbol at its place in a segmentation
boundary      the place between two neighbouring initial symbols of one text
pair          two neighbouring symbols; it has a *count* (overlapping windows, times frequency)
merge         the rule that replaces a pair by one symbol, the two joined
rank          a merge's number in training order, from 0
id            a symbol's number in the vocabulary
alphabet      the initial symbols, in id order
vocabulary    special tokens, alphabet and merged symbols; it never shrinks
step          one merge as it was decided: rank, pair, count, how many pairs tied
trace         all steps of a training, and the words they were learned from
tie           several pairs share the highest count
segmentation  a word or text as the tokens it is cut into
variant       how text becomes words of initial symbols
preset        a real trainer: variant, tie-breaking rule, stop rule and ids
encoder       a way to cut new text with learned merges
special token a text that takes an id and is never merged
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise

Symbol = bytes
Pair = tuple[Symbol, Symbol]
Word = tuple[Symbol, ...]

END_OF_WORD: Symbol = b"\xff"  # Neither byte occurs in UTF-8, so no text can hold one.
START_OF_WORD: Symbol = b"\xfe"


class BPEError(ValueError):
    """A request that cannot be met, in one sentence a user can read: what must hold, and what was found."""


def merge_pair(word: Word, pair: Pair) -> Word:
    """The word with the pair replaced by one symbol, from left to right, without overlap.

    >>> merge_pair((b"a", b"a", b"a"), (b"a", b"a"))
    (b'aa', b'a')
    """
    left, right = pair
    merged: list[Symbol] = []
    place = 0
    while place < len(word):
        if word[place] == left and place + 1 < len(word) and word[place + 1] == right:
            merged.append(left + right)
            place += 2
        else:
            merged.append(word[place])
            place += 1
    return tuple(merged)


def count_pairs(words: Mapping[Word, int] | Iterable[tuple[Word, int]]) -> dict[Pair, int]:
    """Count of every pair of (word, frequency) items, in order of first occurrence.

    Overlaps count, as in every trainer we know: `aaa` holds (a, a) twice, though only one can be merged.

    >>> count_pairs({(b"a", b"a", b"a"): 2})
    {(b'a', b'a'): 4}
    """
    counts: dict[Pair, int] = {}
    for word, frequency in words.items() if isinstance(words, Mapping) else words:
        for pair in pairwise(word):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts
