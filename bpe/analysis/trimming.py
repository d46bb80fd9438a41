"""Trimming: which tokens a vocabulary could do without, and how many more tokens the corpus then needs."""

from collections.abc import Sequence
from dataclasses import dataclass

from bpe.checkpoints import with_checkpoints
from bpe.encoding.encoders import parts_of
from bpe.symbols import Symbol
from bpe.text.variants import initial_symbols
from bpe.trace.trace import Trace

TOKENS = 1 << 10  # between two checkpoints


@dataclass(frozen=True, slots=True)
class Trimmed:
    """One token that is removed."""

    symbol: Symbol
    count: int  # occurrences in the corpus before
    parts: tuple[Symbol, ...]  # the tokens that replace it

    @property
    def cost(self) -> int:
        """How many more tokens the corpus needs without it."""
        return self.count * (len(self.parts) - 1)


@dataclass(frozen=True, slots=True)
class Trimming:
    """A vocabulary without the tokens that occur fewer than `threshold` times in the corpus."""

    threshold: int
    removed: Sequence[Trimmed]  # in id order
    vocabulary_before: int
    tokens_before: int  # of the corpus

    @property
    def vocabulary_after(self) -> int:
        """Number of tokens that remain, special tokens and the alphabet included."""
        return self.vocabulary_before - len(self.removed)

    @property
    def free(self) -> int:
        """Number of removed tokens that occur in the corpus only inside longer tokens, or not at all."""
        return sum(not trimmed.count for trimmed in self.removed)

    @property
    def tokens_after(self) -> int:
        """Number of tokens of the corpus without the removed ones."""
        return self.tokens_before + sum(trimmed.cost for trimmed in self.removed)

    @property
    def price(self) -> float:
        """How many more tokens the corpus needs, as a share."""
        return self.tokens_after / self.tokens_before - 1 if self.tokens_before else 0.0


def trimming(trace: Trace, k: int, threshold: int) -> Trimming:
    """Return what is left of the vocabulary after `k` merges if rare tokens are undone, as the encoder `trimmed` does.

    >>> import bpe
    >>> trace = bpe.train("low low low lower lowest", merges=6)
    >>> trimming(trace, 6, 2).vocabulary_before, trimming(trace, 6, 2).vocabulary_after
    (14, 9)
    """
    tokenizer = trace.tokenizer(k)
    counts = trace.token_counts(k)
    parts = parts_of(tokenizer.merges, counts, threshold)
    removed = [
        Trimmed(symbol, counts.get(symbol, 0), parts[symbol]) for symbol in tokenizer.ids if symbol in parts
    ]
    return Trimming(threshold, removed, trace.vocabulary_size(k), sum(counts.values()))


def unreachable_tokens(trace: Trace, k: int) -> list[Symbol]:
    """Return the merged tokens that encoding by rank never gives after `k` merges, in id order.

    The merges encode the token's own text as other tokens. A training learns no such tokens from its own corpus, but
    a vocabulary from a file can hold some.
    """
    tokenizer = trace.tokenizer(k)
    merged = dict.fromkeys(left + right for left, right in tokenizer.merges)
    return [
        symbol
        for symbol in with_checkpoints(merged, TOKENS)
        if list(tokenizer.spelled_word_tokens(initial_symbols(symbol, trace.variant))) != [symbol]
    ]
