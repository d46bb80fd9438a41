"""Verdict: whether an answer is right, and why not, as a sentence with tokens in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bpe.symbols import Pair, Symbol

Piece = str | Symbol  # of a sentence: text, or a token


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one answer."""

    right: bool
    sentence: tuple[Piece, ...]
    # the misconceptions that give this answer; the sentence is about the first
    mistakes: tuple[str, ...] = ()


def times(count: int) -> str:
    """Return how often something occurs, as people say it.

    >>> times(1), times(2)
    ('once', '2 times')
    """
    return "once" if count == 1 else f"{count:,} times"


def pair_pieces(pair: Pair) -> tuple[Piece, ...]:
    """Return a pair as pieces of a sentence.

    >>> pair_pieces((b"e", b"s"))
    (b'e', ' + ', b's')
    """
    return pair[0], " + ", pair[1]


def listed(pairs: Iterable[Pair]) -> tuple[Piece, ...]:
    """Return pairs as pieces of a sentence, with commas and a last "and".

    >>> listed([(b"e", b"s"), (b"s", b"t")])
    (b'e', ' + ', b's', ' and ', b's', ' + ', b't')
    """
    all_pairs = list(pairs)
    pieces: list[Piece] = []
    for number, pair in enumerate(all_pairs):
        if number:
            pieces.append(" and " if number == len(all_pairs) - 1 else ", ")
        pieces += pair_pieces(pair)
    return tuple(pieces)


def token_pieces(tokens: Sequence[Symbol]) -> tuple[Piece, ...]:
    """Return tokens as pieces of a sentence, with spaces between.

    >>> token_pieces([b"h", b"ug"])
    (b'h', ' ', b'ug')
    """
    pieces: list[Piece] = []
    for token in tokens:
        pieces += (" ", token)
    return tuple(pieces[1:])
