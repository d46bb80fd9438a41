"""Lexicon and take: what an encoder may look at, and what it tells about each of its steps."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bpe.symbols import Pair, Symbol, Word
from bpe.text.variants import Variant


@dataclass(frozen=True, slots=True)
class EncoderInput:
    """What is known for cutting words."""

    variant: Variant
    symbols: Mapping[Symbol, int]  # known symbol -> id; special tokens are not among them
    merges: Sequence[Pair]  # by rank
    frequencies: Mapping[Symbol, int]  # token -> occurrences in the corpus; may be empty


class WordStep(NamedTuple):
    """One step of encoding one word: a token made or taken, at one place or several that do not overlap."""

    token: Symbol
    rank: int | None  # of the merge applied; None where a token was taken from the vocabulary
    starts: Sequence[int]  # the initial symbols of the word at which it starts, ascending
    closes: Sequence[int]  # the boundaries it closes; boundary b stands after initial symbol b
    turn: tuple[int, ...]  # of the takes that are possible in several words, the least comes first


@dataclass(frozen=True, slots=True)
class WordEncoder:
    """An encoder, ready for one lexicon. Symbols the lexicon does not hold stay as they are spelled."""

    cut: Callable[[Word], Sequence[Symbol]]  # initial symbols -> tokens
    takes: Callable[[Word], Iterator[WordStep]]  # the same, step by step


def apply_steps(word: Word, takes: Iterable[WordStep]) -> list[Symbol]:
    """The word's tokens after the takes.

    >>> apply_steps((b"a", b"b", b"c"), [WordStep(b"ab", 0, [0], [0], (0,))])
    [b'ab', b'c']
    """
    closed = bytearray(len(word))
    for take in takes:
        for boundary in take.closes:
            closed[boundary] = 1
    tokens: list[Symbol] = []
    start = 0
    while start < len(word):
        end = closed.index(0, start) + 1
        tokens.append(b"".join(word[start:end]))
        start = end
    return tokens
