"""Exercises: questions about one step of a training or about one new text, and why an answer is wrong.

Each question judges an answer: `next_pair`, `pair_count`, `merge_order`, `word_tokens`, `quantity`, `wrong_split`,
`tied_text` and `word_of_tokens`. A wrong answer is compared with what each misconception would give, such as counting
letters instead of pairs, so that the reason is about that mistake. `verdict` holds what all of them return,
`across_words` counts the pairs that no merge may join, and `typed_tokens` reads a typed answer.
"""

from bpe.exercises.merge_order import MergeOrder
from bpe.exercises.next_pair import NextPair
from bpe.exercises.pair_count import PairCount
from bpe.exercises.quantity import QUANTITIES, Quantity
from bpe.exercises.tied_text import TiedText
from bpe.exercises.verdict import Piece, Verdict
from bpe.exercises.word_of_tokens import WordOfTokens
from bpe.exercises.word_tokens import WordTokens
from bpe.exercises.wrong_split import WrongSplit

__all__ = [
    "QUANTITIES",
    "MergeOrder",
    "NextPair",
    "PairCount",
    "Piece",
    "Quantity",
    "TiedText",
    "Verdict",
    "WordOfTokens",
    "WordTokens",
    "WrongSplit",
]
