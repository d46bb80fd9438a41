"""Symbols, pairs and words: the terms of this package, and its two smallest operations.

Glossary. `bpe/` uses these words in this sense only.

Text
    document            a text; no pair reaches across two documents
    pre-token           a part of a document, as text; no pair reaches across two pre-tokens
    chunk               a part of a long text that ends where no pre-token is split: at a safe cut
    symbol              a byte string: one initial symbol, or several merged; UTF-8 and marker bytes
    marker              a byte that UTF-8 never uses, which marks the start or the end of a word
    word                a pre-token spelled as a sequence of symbols; its *frequency* is how often it occurs
    boundary            between two neighbouring initial symbols of a text; a merge may close it
    variant             how text becomes words of initial symbols

Training
    pair                two neighbouring symbols; its *count* is weighted by frequency, and overlaps count unless a
                        setting says otherwise
    occurrence          one position of a pair in the corpus
    tie                 several pairs have the highest count; a tie-breaking rule chooses one
    overlap             two pairs overlap if somewhere in the corpus they share a token: (a, b) and (b, c) in `a b c`
    rival               a tied pair that overlaps the merged one: the merge can use up occurrences of it
    pick                a tied pair chosen by hand instead
    merge               replacing a pair by one symbol, the two joined
    rank                the number of a merge in training order, from 0
    step                one merge as it was decided: rank, pair, count, how many pairs tied
    neighbour           a symbol beside a merged pair; its own pair with it changes
    trace               all steps of a training, and the words they were learned from
    preset              the settings that reproduce a real trainer

What makes training fast
    inverted index      pair -> the positions at which it occurs
    pruning threshold   the count below which the index does not store a pair
    bucket queue        a priority queue for integers: count -> the pairs that have it
    lazy deletion       leaving an outdated entry in a queue until it comes to the top
    recount             counting all pairs of the corpus once more
    wall                a sentinel between two words in a flat list

Encoding
    token               a symbol at one position of a segmentation
    segmentation        a word or a text as a sequence of tokens
    alphabet            the initial symbols, in id order
    vocabulary          special tokens, alphabet and merged symbols; it never shrinks
    id                  the number of a symbol in the vocabulary
    internal id         the number of a symbol without special tokens (`bpe.pair_ids`)
    special token       a text that has an id and is never split or merged
    encoder             a way to turn new text into tokens with learned merges
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

Symbol = bytes
Pair = tuple[Symbol, Symbol]
Word = tuple[Symbol, ...]

# None of these bytes occurs in UTF-8, so no text can hold one.
END_OF_WORD: Symbol = b"\xff"
START_OF_WORD: Symbol = b"\xfe"
# For files that write a prefix, such as ##, before every token but the first of a word. Here the first one is marked
# instead: merging two symbols is then concatenation, as everywhere.
FIRST_OF_WORD: Symbol = b"\xfd"
# Before the text of a token that a file spells with characters that stand for no byte. No text has these bytes.
UNSPELLED: Symbol = b"\xff\xfe\xff"


Place = tuple[str, str]  # a file, and the line or field in it


class BPEError(ValueError):
    """The error for invalid input. The message is one sentence for users: what must hold, and what it got.

    If that is in a file, the message begins with the file and the line or field in it.

    >>> error = BPEError("expected two symbols, got 3.", "merges.txt", "line 7")
    >>> str(error), str(error.in_file("my.txt"))
    ('merges.txt, line 7: expected two symbols, got 3.', 'my.txt, line 7: expected two symbols, got 3.')
    """

    def __init__(self, what: str = "", file: str = "", at: str = "") -> None:
        """Make an error. A reader of a format calls its file by the format's usual name, as it knows no other."""
        self.what, self.file, self.at = what, file, at
        place = ", ".join(filter(None, (file, at)))
        super().__init__(f"{place}: {what}" if place else what)

    def in_file(self, name: str) -> "BPEError":
        """Return the same error in the file of this name."""
        return BPEError(self.what, name, self.at)


def merge_pair(word: Word, pair: Pair) -> Word:
    """Return the word with the pair replaced by one symbol, from left to right, without overlap.

    >>> merge_pair((b"a", b"a", b"a"), (b"a", b"a"))
    (b'aa', b'a')
    """
    left, right = pair
    merged: list[Symbol] = []
    index = 0
    while index < len(word):
        if word[index] == left and index + 1 < len(word) and word[index + 1] == right:
            merged.append(left + right)
            index += 2
        else:
            merged.append(word[index])
            index += 1
    return tuple(merged)


def count_pairs(
    words: Mapping[Word, int] | Iterable[tuple[Word, int]], *, overlaps: bool = True
) -> dict[Pair, int]:
    """Return the count of every pair in (word, frequency) items, in order of first occurrence.

    Overlaps count, as in minbpe: `aaa` holds (a, a) twice, though only one can be merged. Without `overlaps`, as in
    BoundlessBPE, a pair counts as often as it can be merged.

    >>> count_pairs({(b"a", b"a", b"a"): 2})
    {(b'a', b'a'): 4}
    >>> count_pairs({(b"a", b"a", b"a"): 2}, overlaps=False)
    {(b'a', b'a'): 2}
    """
    counts: dict[Pair, int] = {}
    for word, frequency in words.items() if isinstance(words, Mapping) else words:
        for pair in pairwise(word) if overlaps else pairs_apart(word):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


def pairs_apart(word: Word) -> Iterator[Pair]:
    """Yield the pairs of a word from left to right, but none that overlaps an equal one yielded before it.

    >>> len(list(pairs_apart((b"a", b"a", b"a", b"a"))))
    2
    """
    before: Pair | None = None
    for pair in pairwise(word):
        # Only in a run of one symbol does a pair equal the one before it.
        before = None if pair == before else pair
        if before:
            yield pair
