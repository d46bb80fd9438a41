"""Final words: the words of a corpus after the last merge in one flat array, and the order of pairs in words."""

from array import array
from collections.abc import Iterable, Iterator
from itertools import pairwise

from bpe.pair_ids import WALL
from bpe.symbols import Pair, Symbol


class FinalWords:
    """The words in a flat array of tokens (internal ids), with WALL before, between and after them."""

    def __init__(self, tokens: "array[int]") -> None:
        self._tokens = tokens
        self._walls = array("i", (index for index, token in enumerate(tokens) if token == WALL))

    def __getitem__(self, number: int) -> "array[int]":
        return self._tokens[self._walls[number] + 1 : self._walls[number + 1]]

    def __iter__(self) -> Iterator["array[int]"]:
        return (self._tokens[wall + 1 : end] for wall, end in pairwise(self._walls))


def by_first_occurrence(pairs: set[Pair], words: Iterable[Iterable[Symbol]]) -> Iterator[Pair]:
    """Yield the pairs in the order in which they first occur in the words, and read no further than the last one.

    >>> list(by_first_occurrence({(b"a", b"b"), (b"b", b"c")}, [[b"b", b"c"], [b"a", b"b", b"c"]]))
    [(b'b', b'c'), (b'a', b'b')]
    """
    missing = set(pairs)
    for word in words:
        for pair in pairwise(word):
            if pair in missing:
                missing.remove(pair)
                yield pair
                if not missing:
                    return
