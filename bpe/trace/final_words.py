"""Final words: the words of a corpus after the last merge in one flat array."""

from array import array
from collections.abc import Iterator
from itertools import pairwise

from bpe.pair_ids import WALL


class FinalWords:
    """The words in a flat array of tokens (internal ids), with WALL before, between and after them."""

    def __init__(self, tokens: "array[int]") -> None:
        self.tokens = tokens
        self.walls = array("i", (index for index, token in enumerate(tokens) if token == WALL))

    def __getitem__(self, number: int) -> "array[int]":
        return self.tokens[self.walls[number] + 1 : self.walls[number + 1]]

    def __iter__(self) -> Iterator["array[int]"]:
        return (self.tokens[wall + 1 : end] for wall, end in pairwise(self.walls))
