"""Vocabulary ids: the id of each symbol, and checks that special tokens and merges fit the vocabulary."""

from collections.abc import Container, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType

from bpe.checkpoints import with_checkpoints
from bpe.checks import shortened_repr
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.display import merge_name
from bpe.text.variants import Variant

TOKENS = 1 << 13  # between two checkpoints
UNKNOWN_ID = -1  # of a character that the vocabulary lacks, if it has no unknown token
REPLACEMENT: Symbol = "\ufffd".encode()


def ids_of(
    vocabulary: Sequence[Symbol],
    special: Mapping[int, str],
    merges: Sequence[Pair],
    variant: Variant,
    gaps: Container[int] = (),
    added: Mapping[Symbol, int] = MappingProxyType({}),
) -> dict[Symbol, int]:
    """Return symbol -> id, in id order, without the special tokens. `special` maps an id to its special token,
    `gaps` holds the ids that no token has. `added` are ordinary added tokens, which a text is always split at: one that
    reads like a learned token takes its place, since no text leads to the learned one.

    Raises BPEError for a vocabulary with an empty or a repeated token, without one of the special tokens, or without a
    symbol that a merge names; and for a merge listed twice.
    """
    for number, token in special.items():
        if not 0 <= number < len(vocabulary) or vocabulary[number] != token.encode():
            raise BPEError(
                f"The vocabulary must contain the special token {shortened_repr(token)} as id {number}."
            )
    label = variant.label
    ids: dict[Symbol, int] = {}
    for number, symbol in enumerate(with_checkpoints(vocabulary, TOKENS)):
        if number in gaps:
            continue
        if not symbol:
            raise BPEError(f"A token must not be empty, got an empty one as id {number}.")
        if number not in special and symbol not in added and ids.setdefault(symbol, number) != number:
            raise BPEError(
                f"A token must be listed once, got {shortened_repr(label(symbol))} as id {ids[symbol]} and id {number}."
            )
    if added:
        ids = dict(sorted({**ids, **added}.items(), key=itemgetter(1)))
    rank_of: dict[Pair, int] = {}
    for rank, (left, right) in enumerate(with_checkpoints(merges, TOKENS)):
        for symbol in (left, right, left + right):
            if symbol not in ids:
                name = merge_name(rank).capitalize()
                raise BPEError(
                    f"{name}: the vocabulary must contain {shortened_repr(label(symbol))}, but it does not."
                )
        if rank_of.setdefault((left, right), rank) != rank:
            pair = f"{label(left)} + {label(right)}"
            raise BPEError(
                f"A merge must be listed once, got {pair} as {merge_name(rank_of[left, right])} and {merge_name(rank)}."
            )
    return ids


def symbol_of(number: object, position: int, vocabulary: Sequence[Symbol], gaps: Container[object]) -> Symbol:
    """Return the symbol of an id; U+FFFD for UNKNOWN_ID. Raises BPEError, with the position, for other ids."""
    if isinstance(number, int) and not isinstance(number, bool):
        if number == UNKNOWN_ID:
            return REPLACEMENT
        if 0 <= number < len(vocabulary) and vocabulary[number]:
            return vocabulary[number]
        if number in gaps:
            raise BPEError(f"No token has the id {number}, at position {position}.")
    raise BPEError(
        f"An id must be a whole number from 0 to {len(vocabulary) - 1}, or -1 for an unknown character; "
        f"got {shortened_repr(number)} at position {position}."
    )
