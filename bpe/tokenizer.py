"""Placeholder until the tokenizer lands: fields only, and the naive way to cut a word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bpe.symbols import Pair, Symbol, merge_pair
from bpe.variants import Variant


@dataclass(frozen=True)
class Tokenizer:
    """Learned merges, ready for new text."""

    variant: Variant
    vocabulary: Sequence[Symbol]
    merges: Sequence[Pair]
    special_tokens: Sequence[str]
    unknown: int | None
    frequencies: Mapping[Symbol, int]
    normalization: str | None

    def word_tokens(self, pre_token: str) -> Sequence[Symbol]:
        """The pre-token's tokens under the encoder `rank`; an unknown character is a token of its own bytes."""
        ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        word = self.variant.spell(pre_token)
        while applicable := [pair for pair in pairwise(word) if pair in ranks]:
            word = merge_pair(word, min(applicable, key=ranks.__getitem__))
        return word
