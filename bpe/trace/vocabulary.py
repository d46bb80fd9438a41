"""Vocabulary of a trace: the tokens and ids at every step, and the segmentation of new text.

A training fills its vocabulary itself: special tokens, alphabet, then one token per merge, and ids are positions. A
replay has the vocabulary of the tokenizer whose merges it plays: see `bpe.trace.replayed`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from bpe.checks import shortened_repr
from bpe.encoding.tokenizer import Tokenizer
from bpe.settings.request import TrainingRequest
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.variants import Variant
from bpe.trace.unmerge import OutsideToken

Result = TypeVar("Result")


class Vocabulary(Protocol):
    """The interface that a trace uses. `k` is a number of merges, from 0 to that of the trace."""

    def at(self, k: int) -> list[Symbol]:
        """Return the tokens after `k` merges, in id order."""

    def size(self, k: int) -> int:
        """Return the number of tokens after `k` merges."""

    def id_of(self, symbol: Symbol) -> int:
        """Return a symbol's id. Raises KeyError for one that the vocabulary does not hold."""

    def born(self, symbol: Symbol) -> int:
        """Return the rank of the step from which on the token is in the vocabulary; -1 if it is from the start."""

    def parents(self, symbol: Symbol) -> Pair | None:
        """Return the pair that is merged into a symbol of the vocabulary; None if no merge makes it."""

    def tokenizer(self, k: int, frequencies: Mapping[Symbol, int]) -> Tokenizer:
        """Return the tokenizer of the first `k` merges. `frequencies` are the occurrences of its tokens."""

    def new_tokens(self, pre_token: str) -> Sequence[int | OutsideToken]:
        """Return the final tokens of a pre-token that is not in the corpus."""


def look_up(function: Callable[[Symbol], Result], symbol: object, variant: Variant) -> Result:
    """Return what a function of the vocabulary returns. Raises BPEError for a symbol that the vocabulary lacks."""
    if not isinstance(symbol, bytes):
        raise BPEError(f"A token must be given as bytes, got {shortened_repr(symbol)}.")
    try:
        return function(symbol)
    except KeyError:
        raise BPEError(
            f"The vocabulary does not contain the token {shortened_repr(variant.label(symbol))}."
        ) from None


@dataclass(frozen=True, eq=False)
class TrainedVocabulary:
    """The vocabulary of a training."""

    request: TrainingRequest
    symbols: Sequence[Symbol]  # by internal id: the alphabet, then one for each merge
    merges: Sequence[Pair]

    @property
    def _alphabet_size(self) -> int:
        return len(self.symbols) - len(self.merges)

    @cached_property
    def _internal(self) -> Mapping[Symbol, int]:
        return {symbol: number for number, symbol in enumerate(self.symbols)}

    def at(self, k: int) -> list[Symbol]:
        """Return special tokens, alphabet and merged symbols."""
        specials = [token.encode() for token in self.request.special_tokens]
        return [*specials, *self.symbols[: self._alphabet_size + k]]

    def size(self, k: int) -> int:
        """Return the number of those tokens."""
        return len(self.request.special_tokens) + self._alphabet_size + k

    def id_of(self, symbol: Symbol) -> int:
        """Return the symbol's position."""
        return self._internal[symbol] + len(self.request.special_tokens)

    def born(self, symbol: Symbol) -> int:
        """Return the rank of the merge that made the symbol."""
        return max(self._internal[symbol] - self._alphabet_size, -1)

    def parents(self, symbol: Symbol) -> Pair | None:
        """Return the pair of that merge."""
        rank = self.born(symbol)
        return None if rank < 0 else self.merges[rank]

    def tokenizer(self, k: int, frequencies: Mapping[Symbol, int]) -> Tokenizer:
        """Return a tokenizer with the training's variant, special tokens and normalization."""
        request = self.request
        superwords = request.second is not None and k > request.second_after
        return Tokenizer(
            variant=request.encoding_variant(self.symbols[: self._alphabet_size], superwords=superwords),
            vocabulary=tuple(self.at(k)),
            merges=tuple(self.merges[:k]),
            special_tokens=request.special_tokens,
            unknown=None
            if request.unknown_token is None
            else request.special_tokens.index(request.unknown_token),
            frequencies=frequencies,
            normalization=request.normalization,
        )

    def new_tokens(self, pre_token: str) -> Sequence[int | OutsideToken]:
        """Return internal ids, and the symbols that the alphabet lacks."""
        return [
            self._internal[symbol] if symbol in self._internal else OutsideToken((symbol,), ())
            for symbol in self._all_merges.word_tokens(pre_token)
        ]

    @cached_property
    def _all_merges(self) -> Tokenizer:
        return self.tokenizer(len(self.merges), {})
