"""Removal: a tokenizer without some of its tokens. All that another token is made of stays."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from bpe.checks import shortened_repr
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import BPEError, Symbol
from bpe.text.variants import initial_symbols


@dataclass(frozen=True, slots=True)
class Removal:
    """A tokenizer after a removal."""

    tokenizer: Tokenizer
    removed: tuple[Symbol, ...]
    needed: tuple[Symbol, ...]  # were to be removed, but others are made of them


def remove_tokens(
    tokenizer: Tokenizer, ids: Collection[int], unreachable: Collection[Symbol] | None = None
) -> Removal:
    r"""Return the tokenizer without the tokens of these ids. All other tokens keep their ids.

    Texts in which a removed token does not occur, not even on the way to another, are encoded as before. Raises
    BPEError for an id that is no learned token's. `unreachable` are the tokens that an audit calls so, if one was made:
    to find them again takes as long as the audit.

    >>> import bpe
    >>> tokenizer = bpe.train("low low lower lowest lowest", merges=8).tokenizer()
    >>> removal = remove_tokens(tokenizer, [tokenizer.ids[b"lowes"], tokenizer.ids[b"lowest\xff"]])
    >>> removal.removed, removal.needed
    ((b'lowest\xff',), (b'lowes',))
    >>> removal.tokenizer.tokens("lowest")
    [b'lowest', b'\xff']
    """
    symbol_of = {number: symbol for symbol, number in tokenizer.ids.items()}
    asked = set()
    for number in ids:
        symbol = symbol_of.get(number, b"")
        if len(initial_symbols(symbol, tokenizer.variant)) < 2:
            raise BPEError(f"Only learned tokens can be removed, got the id {shortened_repr(number)}.")
        asked.add(symbol)

    def is_made(symbol: Symbol) -> bool:
        return _is_made(tokenizer, symbol) if unreachable is None else symbol not in unreachable

    needed = asked & _parts_of_others(tokenizer, asked, is_made)
    removed = asked - needed
    gone = frozenset(number for symbol, number in tokenizer.ids.items() if symbol in removed)
    smaller = replace(
        tokenizer,
        vocabulary=[b"" if number in gone else symbol for number, symbol in enumerate(tokenizer.vocabulary)],
        merges=[
            (left, right)
            for left, right in tokenizer.merges
            if removed.isdisjoint((left, right, left + right))
        ],
        gaps=frozenset(tokenizer.gaps) | gone,
        frequencies={
            symbol: count for symbol, count in tokenizer.frequencies.items() if symbol not in removed
        },
    )
    return Removal(smaller, _in_id_order(tokenizer, removed), _in_id_order(tokenizer, needed))


def _parts_of_others(
    tokenizer: Tokenizer, asked: Collection[Symbol], is_made: Callable[[Symbol], bool]
) -> set[Symbol]:
    """Return what tokens that stay are made of, and what those parts are made of.

    A merge that no text leads to needs nothing: the merges make other tokens of its letters.
    """
    pairs_of: dict[Symbol, list[tuple[Symbol, Symbol]]] = {}
    for left, right in tokenizer.merges:
        pairs_of.setdefault(left + right, []).append((left, right))
    stays = [symbol for symbol in pairs_of if symbol not in asked and is_made(symbol)]
    needed: set[Symbol] = set()
    while stays:
        for part in (part for pair in pairs_of.get(stays.pop(), ()) for part in pair):
            if part not in needed:
                needed.add(part)
                stays.append(part)
    return needed


def _is_made(tokenizer: Tokenizer, symbol: Symbol) -> bool:
    word = initial_symbols(symbol, tokenizer.variant)
    return list(tokenizer.spelled_word_tokens(word)) == [symbol]


def _in_id_order(tokenizer: Tokenizer, symbols: Collection[Symbol]) -> tuple[Symbol, ...]:
    listed: Sequence[Symbol] = [symbol for symbol in tokenizer.ids if symbol in symbols]
    return tuple(listed)
