"""Exercises: questions about one step of a training or about one new text, and why an answer is wrong.

A wrong answer is compared with what each misconception would give, such as counting letters instead of pairs, so that
the reason is about that mistake.
"""

from bpe.exercises.merge_order import MergeOrder
from bpe.exercises.next_pair import NextPair
from bpe.exercises.quantity import QUANTITIES, Quantity
from bpe.exercises.tokens import WordTokens
from bpe.exercises.verdict import Piece, Verdict

__all__ = [
    "QUANTITIES",
    "MergeOrder",
    "NextPair",
    "Piece",
    "Quantity",
    "Verdict",
    "WordTokens",
]
