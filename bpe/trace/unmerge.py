"""History: a token contains the merges that made it. Undo the young ones, or read which merge closed which boundary."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from bpe.symbols import Symbol
from bpe.trace.merge_log import MergeLog

T = TypeVar("T")


class ByToken(dict[int | Symbol, tuple[T, ...]]):
    """Token id -> a tuple worked out the first time it is asked for; `unknown` for a symbol that has no id."""

    def __init__(
        self, work_out: Callable[[int], Iterable[T]], unknown: Callable[[Symbol], tuple[T, ...]]
    ) -> None:
        self._work_out = work_out
        self._unknown = unknown

    def __missing__(self, token: int | Symbol) -> tuple[T, ...]:
        found = tuple(self._work_out(token)) if isinstance(token, int) else self._unknown(token)
        self[token] = found
        return found


def symbols_at_step(log: MergeLog, symbols: Sequence[Symbol], k: int) -> ByToken[Symbol]:
    """Token -> the symbols it was after `k` merges."""
    size, limit = log.alphabet_size, log.alphabet_size + k
    lefts, rights = log.lefts, log.rights

    def symbols_of(token: int) -> Iterator[Symbol]:
        waiting = [token]  # a stack, not recursion: a merge tree may be thousands deep
        while waiting:
            token = waiting.pop()
            if token < limit:
                yield symbols[token]
            else:
                waiting += (rights[token - size], lefts[token - size])

    return ByToken(symbols_of, lambda symbol: (symbol,))


def closing_ranks(log: MergeLog) -> ByToken[int]:
    """Token -> the ranks of the merges that closed the boundaries inside it, left to right."""
    size, lefts, rights = log.alphabet_size, log.lefts, log.rights

    def ranks_of(token: int) -> Iterator[int]:
        waiting = [token]  # tokens, and ranks as -1 - rank
        while waiting:
            token = waiting.pop()
            if token < 0:
                yield -1 - token
            elif token >= size:
                rank = token - size
                waiting += (rights[rank], -1 - rank, lefts[rank])

    return ByToken(ranks_of, lambda symbol: ())
