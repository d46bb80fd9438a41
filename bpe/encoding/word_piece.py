"""How WordPiece and Unigram split a word. WordPiece begins a piece inside a word with `##`."""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Mapping
from math import copysign, inf
from operator import add

from bpe.checkpoints import with_checkpoints

CONTINUATION = "##"
UNKNOWN = "[UNK]"
Pieces = list[str]

# Taku Kudo, Subword Regularization, ACL 2018. As in google/sentencepiece, src/unigram_model.cc (EncodeOptimized).
UNKNOWN_PENALTY = 10.0  # below the lowest score, for a character that is no piece
Add = Callable[[float, float], float]
_FLOAT = struct.Struct("<f")


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
