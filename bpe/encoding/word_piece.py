"""WordPiece: merge the pair with the best score, where BPE merges the one with the highest count.

Mike Schuster and Kaisuke Nakajima, 2012, Japanese and Korean Voice Search, add the unit that raises the likelihood of
the training text most. BERT was published without its trainer; the one that TensorFlow Text has now starts from whole
words. Hugging Face's course, chapter 6.6, gives its best guess: a pair's count divided by the counts of its two parts.
Its listing is the oracle of this module.

A piece is written as text. One that does not begin a word begins with `##`.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import copysign, inf
from operator import add

from bpe.checkpoints import with_checkpoints

CONTINUATION = "##"
UNKNOWN = "[UNK]"
Pieces = list[str]

# (count of the pair, count of its left piece, count of its right piece) -> the higher, the better
Score = Callable[[int, int, int], Fraction]

# Taku Kudo, Subword Regularization, ACL 2018. As in google/sentencepiece, src/unigram_model.cc (EncodeOptimized).
UNKNOWN_PENALTY = 10.0  # below the lowest score, for a character that is no piece
Add = Callable[[float, float], float]
_FLOAT = struct.Struct("<f")


def merges(words: Mapping[str, int], score: Score | None = None) -> Iterator[_PieceMerge]:
    """Yield the merges learned from words with their frequencies, until every word is one piece.

    Without a `score` it is WordPiece's: the count of a pair divided by the counts of its parts.

    Among pairs with equal scores, the one that occurs first in the words is merged. As in BPE, overlapping pairs are
    counted, and merged from left to right.

    >>> next(merges({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5})).piece
    '##gs'
    """
    score = score or _by_parts
    splits = {word: _spell(word) for word in words}
    while True:
        pairs: Counter[tuple[str, str]] = Counter()
        counts: Counter[str] = Counter()
        for word, pieces in splits.items():
            for piece in pieces:
                counts[piece] += words[word]
            for pair in pairwise(pieces):
                pairs[pair] += words[word]
        if not pairs:
            return
        scores = {
            (left, right): score(count, counts[left], counts[right]) for (left, right), count in pairs.items()
        }
        best = max(scores.values())
        tied = [pair for pair, value in scores.items() if value == best]
        left, right = tied[0]
        both = counts[left], counts[right]
        yield _PieceMerge(left, right, pairs[left, right], both, best, len(tied))
        for word, pieces in splits.items():
            if left in pieces and right in pieces:
                splits[word] = _merged(pieces, left, right)


def _spell(word: str) -> Pieces:
    """Return a word's first pieces, one per character.

    >>> _spell("hug")
    ['h', '##u', '##g']
    """
    return [letter if position == 0 else CONTINUATION + letter for position, letter in enumerate(word)]


def _joined(left: str, right: str) -> str:
    """Return the piece that two neighbours make.

    >>> _joined("##u", "##g")
    '##ug'
    """
    return left + right.removeprefix(CONTINUATION)


def alphabet(words: Mapping[str, int]) -> list[str]:
    """Return the first pieces of all words, in order of first appearance."""
    return list(dict.fromkeys(piece for word in words for piece in _spell(word)))


def encode(word: str, vocabulary: Collection[str]) -> Pieces:
    """Split a word into pieces: the longest one that starts here, again and again.

    If no piece starts somewhere, the whole word is unknown.

    >>> encode("hugs", {"h", "hug", "##s"}), encode("bugs", {"h", "hug", "##s"})
    (['hug', '##s'], ['[UNK]'])
    """
    pieces: Pieces = []
    start = 0
    while start < len(word):
        mark = CONTINUATION if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if mark + word[start:end] in vocabulary), None)
        if end is None:
            return [UNKNOWN]
        pieces.append(mark + word[start:end])
        start = end
    return pieces


def add_single(one: float, other: float) -> float:
    """Return a sum in single precision, as SentencePiece has it: where two ways cost the same, rounding decides."""
    total = one + other
    try:
        single: float = _FLOAT.unpack(_FLOAT.pack(total))[0]
    except OverflowError:  # beyond the largest number, where C has infinity
        return copysign(inf, total)
    return single


def best_pieces(
    text: str, scores: Mapping[str, float], longest: int, lowest: float, plus: Add = add
) -> list[str]:
    """Return the pieces of a text. A character without a piece is a piece of its own.

    `longest` is the number of characters of the longest piece, `lowest` the lowest score, and `plus` adds scores. Of
    equal sums, the one whose last piece begins first wins.

    >>> best_pieces("hugs", {"h": -4.0, "u": -4.0, "g": -4.0, "s": -3.0, "hug": -2.0, "gs": -2.5}, 3, -4.0)
    ['hug', 's']
    """
    best = [0.0, *([-inf] * len(text))]  # of each beginning of the text
    start_of = [0] * (len(text) + 1)  # where the last piece of that beginning starts
    unknown = plus(lowest, -UNKNOWN_PENALTY)
    for start in with_checkpoints(range(len(text))):
        here = best[start]
        for end in range(start + 1, min(len(text), start + longest) + 1):
            score = scores.get(text[start:end])
            if score is not None and (total := plus(here, score)) > best[end]:
                best[end], start_of[end] = total, start
        if text[start] not in scores and (total := plus(here, unknown)) > best[start + 1]:
            best[start + 1], start_of[start + 1] = total, start
    pieces: list[str] = []
    end = len(text)
    while end:
        pieces.append(text[start_of[end] : end])
        end = start_of[end]
    return pieces[::-1]


def _by_parts(pair: int, left: int, right: int) -> Fraction:
    """Return WordPiece's score: how often two pieces meet, for how often each of them occurs.

    >>> _by_parts(5, 20, 5)
    Fraction(1, 20)
    """
    return Fraction(pair, left * right)


def _by_count(pair: int, left: int, right: int) -> Fraction:
    """Return BPE's score, the count of the pair. Hugging Face's WordPieceTrainer uses it."""
    return Fraction(pair)


@dataclass(frozen=True, slots=True)
class _PieceMerge:
    """One merge: the pair, its counts and score, and how many pairs had this score, itself included."""

    left: str
    right: str
    count: int
    counts: tuple[int, int]  # of left, of right
    score: Fraction
    tied: int

    @property
    def piece(self) -> str:
        """The new piece."""
        return _joined(self.left, self.right)


def _merged(pieces: Pieces, left: str, right: str) -> Pieces:
    after: Pieces = []
    position = 0
    while position < len(pieces):
        if pieces[position : position + 2] == [left, right]:
            after.append(_joined(left, right))
            position += 2
        else:
            after.append(pieces[position])
            position += 1
    return after
