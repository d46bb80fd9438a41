"""Vocabulary of a trace: the tokens and ids at every step, and the segmentation of new text.

A training fills its vocabulary itself: special tokens, alphabet, then one token per merge, and ids are positions. A
replay has the vocabulary of the tokenizer whose merges it plays: `ReplayedVocabulary`.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, repeat
from typing import Protocol, Self, TypeVar

from bpe.checks import shortened_repr
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from bpe.settings.pieces import MergeFilter
from bpe.settings.request import TrainingRequest
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.variants import Variant
from bpe.trace.merge_log import Step
from bpe.trace.unmerge import OutsideToken

_Result = TypeVar("_Result")


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

    def merge_rank(self, symbol: Symbol) -> int:
        """Return the rank of the merge that makes a symbol of the vocabulary; -1 if no merge makes it."""

    def parents(self, symbol: Symbol) -> Pair | None:
        """Return the pair that is merged into a symbol of the vocabulary; None if no merge makes it."""

    def tokenizer(self, k: int, frequencies: Mapping[Symbol, int]) -> Tokenizer:
        """Return the tokenizer of the first `k` merges. `frequencies` are the occurrences of its tokens."""

    def new_tokens(self, pre_token: str) -> Sequence[int | OutsideToken]:
        """Return the final tokens of a pre-token that is not in the corpus."""


def look_up(function: Callable[[Symbol], _Result], symbol: object, variant: Variant) -> _Result:
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

    def merge_rank(self, symbol: Symbol) -> int:
        """Return the rank of that merge, too."""
        return self.born(symbol)

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


@dataclass(frozen=True, slots=True, eq=False)
class Replayed:
    """A merge list that was replayed, and which of its merges became steps.

    Merges that never apply to the corpus are no steps, but they apply to new text. Such a merge is assigned to the
    first step with which the replay gets beyond it in the tokenizer's list. After the last step every merge has been
    made.

        list       0 h+e   1 x+y   2 t+he   3 o+f        corpus: the
        steps      0 h+e           1 t+he
        made with  0       1       1        1

    After a replay that went on to learn, list and tokenizer hold the learned merges too, each a step.
    """

    tokenizer: Tokenizer
    # For each step, the rank of its merge in the tokenizer's list; ascending, unless the list is out of order.
    list_ranks: Sequence[int]
    complete: bool = True  # whether the list has ended; a step that was learned comes after all of it anyway
    learned: int = 0  # number of steps that were learned after the replay

    @classmethod
    def of(
        cls, tokenizer: Tokenizer, list_ranks: Sequence[int], steps: Sequence[Step], complete: bool
    ) -> Self:
        """Return what is known of a replay of `tokenizer` and the merges that were learned after it.

        `list_ranks` are those of the replayed steps, the first ones of `steps`.
        """
        learned = [step.pair for step in steps[len(list_ranks) :]]
        listed = len(tokenizer.merges)
        ranks = array("i", [*list_ranks, *range(listed, listed + len(learned))])
        return cls(tokenizer.extended(learned) if learned else tokenizer, ranks, complete, len(learned))

    @property
    def replayed_ranks(self) -> Sequence[int]:
        """List ranks of the steps that were replayed."""
        return self.list_ranks[: len(self.list_ranks) - self.learned]

    @property
    def second_stage(self) -> int | None:
        """Number of steps before the first one that was learned; None if none was."""
        return len(self.replayed_ranks) if self.learned else None

    def may_learn(self, alphabet: Iterable[Symbol]) -> MergeFilter:
        """Return which pairs may be learned after the replay: of known symbols, and for a token that is new.

        `alphabet` holds the initial symbols of the corpus.
        """
        ids = self.tokenizer.ids
        first_new = len(self.tokenizer.vocabulary) - self.learned
        # The libraries join byte tokens only to a character, one by one.
        apart = self.tokenizer.variant.byte_symbols
        unknown = {symbol for symbol in alphabet if symbol not in ids or symbol in apart}
        # No file can tell a token from a special token that reads alike.
        special = {token.encode() for token in self.tokenizer.special_tokens}
        return lambda left, right: (
            ids.get(left + right, first_new) >= first_new
            and left + right not in special
            and left not in unknown
            and right not in unknown
        )

    @property
    def reordered(self) -> int:
        """Number of steps that come after one of a later merge of the list, since they need what a later one makes."""
        latest = accumulate(self.list_ranks, max)
        return sum(rank < last for rank, last in zip(self.list_ranks, latest, strict=True))

    def steps_of_merges(self) -> "array[int]":
        """Return, for each merge of the list, the rank of the step to which it is assigned.

        Those that come after the last step have the number of steps.
        """
        steps = array("i")
        for step, rank in enumerate(accumulate(self.list_ranks, max)):
            steps.extend(repeat(step, rank + 1 - len(steps)))
        steps.extend(repeat(len(self.list_ranks), len(self.tokenizer.merges) - len(steps)))
        for step, rank in enumerate(self.list_ranks):
            steps[rank] = step
        return steps


class ReplayedVocabulary:
    """The vocabulary of a tokenizer, over the steps of its replay."""

    def __init__(self, replayed: Replayed, initial: Container[Symbol]) -> None:
        """Take a replay and the initial symbols of its corpus, unknown ones included."""
        self._opened, self._list_ranks = replayed.tokenizer, replayed.list_ranks
        self._steps_of_merges = replayed.steps_of_merges
        self._initial = initial
        self._complete = replayed.complete
        self._replayed = len(replayed.replayed_ranks)

    def _is_end(self, k: int) -> bool:
        """Return whether every merge of the list is made after `k` steps."""
        return self._complete and k == len(self._list_ranks)

    @cached_property
    def _step_of(self) -> Sequence[int]:
        """By list rank, the step to which a merge is assigned; the number of steps if it comes after the last one."""
        return self._steps_of_merges()

    def _is_made(self, list_rank: int, k: int) -> bool:
        """Return whether a merge of the list is made after `k` steps."""
        return self._step_of[list_rank] < k

    @cached_property
    def _rank_of(self) -> Mapping[Symbol, int]:
        """List rank of the merge that makes each symbol: the one that is a step, or else the first one."""
        merges, ids, vocabulary = self._opened.merges, self._opened.ids, self._opened.vocabulary
        rank_of: dict[Symbol, int] = {}
        for rank in reversed(range(len(merges))):
            symbol = b"".join(merges[rank])
            # the same number, not a copy: 10 MB of GPT-4o
            rank_of[vocabulary[ids[symbol]] if symbol in ids else symbol] = rank
        rank_of |= {b"".join(merges[rank]): rank for rank in self._list_ranks}
        # An initial symbol that a merge could make is a word that is taken whole: it is there from the start.
        return {symbol: rank for symbol, rank in rank_of.items() if symbol not in self._initial}

    def at(self, k: int) -> list[Symbol]:
        """Return the tokens after `k` merges, in the order of their ids in the file."""
        return [symbol for symbol in self._with_gaps(k) if symbol]

    def _with_gaps(self, k: int) -> Sequence[Symbol]:
        vocabulary, rank_of = self._opened.vocabulary, self._rank_of
        if self._is_end(k):
            return vocabulary
        special = set(self._opened.special_ids)
        return [
            symbol if number in special or symbol not in rank_of or self._is_made(rank_of[symbol], k) else b""
            for number, symbol in enumerate(vocabulary)
        ]

    def size(self, k: int) -> int:
        """Return the number of those tokens."""
        if self._is_end(k):
            return len(self._opened.vocabulary) - len(self._opened.gaps)
        return self._sizes[0] + bisect_left(self._sizes[1], k)

    @cached_property
    def _sizes(self) -> tuple[int, Sequence[int]]:
        """Number of tokens that no merge makes, and the step of the merge of each other token, ascending."""
        special, step_of = set(self._opened.special_ids), self._step_of
        ranks = [
            -1 if number in special else self._rank_of.get(symbol, -1)
            for number, symbol in enumerate(self._opened.vocabulary)
            if symbol
        ]
        merged = sorted(step_of[rank] for rank in ranks if rank >= 0)
        return len(ranks) - len(merged), merged

    def id_of(self, symbol: Symbol) -> int:
        """Return the symbol's id in the file; that of the unknown token for an unknown symbol of the corpus."""
        number = self._opened.ids.get(symbol)
        if number is not None:
            return number
        if symbol not in self._initial:
            raise KeyError(symbol)
        return UNKNOWN_ID if self._opened.unknown is None else self._opened.unknown

    def born(self, symbol: Symbol) -> int:
        """Return the rank of the step to which the merge that makes the symbol is assigned."""
        self.id_of(symbol)
        return -1 if symbol not in self._rank_of else self._last_or(self._step_of[self._rank_of[symbol]])

    def _last_or(self, step: int) -> int:
        return min(step, len(self._list_ranks) - 1)

    def merge_rank(self, symbol: Symbol) -> int:
        """Return the rank of that merge in the tokenizer's list."""
        self.id_of(symbol)
        return self._rank_of.get(symbol, -1)

    def parents(self, symbol: Symbol) -> Pair | None:
        """Return the pair of that merge."""
        self.id_of(symbol)
        rank = self._rank_of.get(symbol)
        return None if rank is None else self._opened.merges[rank]

    def tokenizer(self, k: int, frequencies: Mapping[Symbol, int]) -> Tokenizer:
        """Return the opened tokenizer with the merges of its list that are made after `k` steps; at the end, itself.

        Before superwords are learned, it splits text as the file says.
        """
        tokenizer = self._up_to(k, frequencies)
        first = tokenizer.variant.first
        return replace(tokenizer, variant=first) if first and k <= self._replayed else tokenizer

    def _up_to(self, k: int, frequencies: Mapping[Symbol, int]) -> Tokenizer:
        if self._is_end(k):
            return self._opened
        vocabulary = tuple(self._with_gaps(k))
        present = frozenset(vocabulary)
        return replace(
            self._opened,
            vocabulary=vocabulary,
            gaps=frozenset(number for number, symbol in enumerate(vocabulary) if not symbol),
            # In a list out of order, a merge may stand before those that make its parts.
            merges=tuple(
                (left, right)
                for (left, right), step in zip(self._opened.merges, self._step_of, strict=True)
                if step < k and left in present and right in present and left + right in present
            ),
            frequencies=frequencies,
        )

    def new_tokens(self, pre_token: str) -> Sequence[OutsideToken]:
        """Return tokens that hold the step at which each boundary between their initial symbols closes."""
        word = self._opened.variant.spell(pre_token)
        closings = [-1] * len(word)
        latest: dict[int, int] = {}  # where a token begins -> the last step that made a part of it
        for step in self._opened.word_steps(pre_token):
            made = 0 if step.rank is None else self._step_of[step.rank]
            if not self._complete and made == len(self._list_ranks):
                break
            if step.rank is None:
                closings[: len(word) - 1] = [made] * (len(word) - 1)
                continue
            # A merge out of order counts as made no earlier than the merges that made its parts.
            for start, boundary in zip(step.starts, step.closes, strict=True):
                parts = latest.get(start, -1), latest.get(boundary + 1, -1)
                latest[start] = closings[boundary] = max(self._last_or(made), *parts)
        tokens: list[OutsideToken] = []
        start = 0
        for end, closing in enumerate(closings, start=1):
            if closing < 0:
                tokens.append(OutsideToken(word[start:end], tuple(closings[start : end - 1])))
                start = end
        return tokens
