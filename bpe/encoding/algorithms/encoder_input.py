"""Encoder input: the data that an encoder works from, and the steps that it reports for a word."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bpe.symbols import Pair, Symbol, Word
from bpe.text.variants import Variant


@dataclass(frozen=True, slots=True)
class EncoderInput:
    """The data that an encoder works from: variant, vocabulary, merges and frequencies."""

    variant: Variant
    ids: Mapping[Symbol, int]  # symbol -> id, in id order; special tokens are left out
    merges: Sequence[Pair]  # by rank
    frequencies: Mapping[Symbol, int]  # token -> occurrences in the corpus; may be empty
    one_by_one: bool = False  # see bpe/encoding/algorithms/one_by_one.py
    whole_words: bool = False  # see bpe/encoding/algorithms/whole_words.py


class WordStep(NamedTuple):
    """One step of encoding a word: a token made or looked up, at one or several positions without overlap."""

    token: Symbol
    rank: int | None  # of the merge applied; None if the token was looked up in the vocabulary
    starts: Sequence[int]  # positions of the token's first initial symbols in the word, ascending
    closes: Sequence[int]  # boundaries that close; boundary b is the one after initial symbol b
    order_key: tuple[int, ...]  # of the next steps of several words, the one with the least key comes first


@dataclass(frozen=True, slots=True)
class WordEncoder:
    """An encoder, prepared for one vocabulary. Initial symbols that the vocabulary lacks are tokens of their own."""

    encode: Callable[[Word], Sequence[Symbol]]  # initial symbols -> tokens
    steps: Callable[[Word], Iterator[WordStep]]  # the steps that lead to the same tokens


def apply_steps(word: Word, steps: Iterable[WordStep]) -> list[Symbol]:
    """Return the word's tokens after the steps.

    >>> apply_steps((b"a", b"b", b"c"), [WordStep(b"ab", 0, [0], [0], (0,))])
    [b'ab', b'c']
    """
    closed = bytearray(len(word))
    for step in steps:
        for boundary in step.closes:
            closed[boundary] = 1
    tokens: list[Symbol] = []
    start = 0
    while start < len(word):
        end = closed.index(0, start) + 1
        tokens.append(b"".join(word[start:end]))
        start = end
    return tokens
