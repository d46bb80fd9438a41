"""Unmerge: a token contains the merges that made it, so undoing the late ones gives the segmentation at any step.

The same merge tree tells which merge closed which boundary inside the token.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple, TypeVar

from bpe.pair_ids import WALL
from bpe.symbols import Symbol, Word
from bpe.trace.merge_log import MergeLog

_T = TypeVar("_T")


class OutsideToken(NamedTuple):
    """A token of a text that is not the corpus, if it has no internal id."""

    symbols: Word  # its initial symbols
    closing_ranks: tuple[int, ...]  # for each boundary between them, the rank of the step that closes it


class LazyByToken(dict[int | OutsideToken, tuple[_T, ...]]):
    """Token -> a tuple, computed on first access. A token is an internal id, or a token that has none."""

    def __init__(
        self, of_id: Callable[[int], Iterable[_T]], of_outside: Callable[[OutsideToken], Iterable[_T]]
    ) -> None:
        self._of_id = of_id
        self._of_outside = of_outside

    def __missing__(self, token: int | OutsideToken) -> tuple[_T, ...]:
        value = tuple(self._of_id(token) if isinstance(token, int) else self._of_outside(token))
        self[token] = value
        return value


def symbols_at_step(log: MergeLog, symbols: Sequence[Symbol], k: int) -> LazyByToken[Symbol]:
    """Return a mapping of each token to the symbols it consisted of after `k` merges."""
    ids_of, spell = ids_at_step(log, k), symbols.__getitem__
    return LazyByToken(lambda token: map(spell, ids_of(token)), partial(_outside_at_step, k=k))


def ids_at_step(log: MergeLog, k: int) -> Callable[[int], Iterator[int]]:
    """Return the function from an internal id to the internal ids of which it consisted after `k` merges."""
    size, limit = log.alphabet_size, log.alphabet_size + k
    lefts, rights = log.lefts, log.rights

    def ids_of(token: int) -> Iterator[int]:
        stack = [token]  # No recursion: a merge tree may be thousands of merges deep.
        while stack:
            token = stack.pop()
            if token < limit:
                yield token
            else:
                stack += (rights[token - size], lefts[token - size])

    return ids_of


def closing_ranks(log: MergeLog) -> LazyByToken[int]:
    """Return a mapping of each token to the ranks of the merges that closed the boundaries inside it, left to right."""
    size, lefts, rights = log.alphabet_size, log.lefts, log.rights

    def ranks_of(token: int) -> Iterator[int]:
        stack = [token]  # Holds tokens, and ranks as -1 - rank.
        while stack:
            token = stack.pop()
            if token < 0:
                yield -1 - token
            elif token >= size:
                rank = token - size
                stack += (rights[rank], -1 - rank, lefts[rank])

    return LazyByToken(ranks_of, lambda token: token.closing_ranks)


class FinalWords:
    """The words in a flat array of tokens (internal ids), with WALL before, between and after them."""

    def __init__(self, tokens: "array[int]") -> None:
        self.tokens = tokens
        self.walls = array("i", (index for index, token in enumerate(tokens) if token == WALL))

    def __getitem__(self, number: int) -> "array[int]":
        return self.tokens[self.walls[number] + 1 : self.walls[number + 1]]

    def __iter__(self) -> Iterator["array[int]"]:
        return (self.tokens[wall + 1 : end] for wall, end in pairwise(self.walls))


def _outside_at_step(token: OutsideToken, k: int) -> Iterator[Symbol]:
    symbol = token.symbols[0]
    for rank, right in zip(token.closing_ranks, token.symbols[1:], strict=True):
        if rank < k:
            symbol += right
        else:
            yield symbol
            symbol = right
    yield symbol
