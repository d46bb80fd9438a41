"""Token numbers: how a feed refers to a token: by its vocabulary id, or by a large number if it has none.

The browser computes the same large numbers (`film/browser/token_grid/data/token_numbers.js`).
"""

from array import array
from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary
from zlib import crc32

from bpe import Symbol, Trace

# Ids are smaller.
FIRST_NUMBER = 1 << 20
MOST_NUMBERS = 1 << 30

_NUMBERS: "WeakKeyDictionary[Trace, Sequence[int]]" = WeakKeyDictionary()
_IDS: "WeakKeyDictionary[Trace, Mapping[Symbol, int]]" = WeakKeyDictionary()


def ids_of(trace: Trace) -> Mapping[Symbol, int]:
    """Return {token: its vocabulary id} of the corpus's initial symbols and of the tokens that steps make.

    A replay leaves out unknown symbols: they share the id of the unknown token, and have none of their own.
    """
    ids = _IDS.get(trace)
    if ids is None:
        if trace.replayed:
            known = trace.replayed.tokenizer.ids
            ids = {symbol: known[symbol] for symbol in trace.symbols if symbol in known}
        else:
            ids = {
                symbol: number for number, symbol in enumerate(trace.symbols, start=len(trace.special_tokens))
            }
        _IDS[trace] = ids
    return ids


def token_number(trace: Trace, symbol: Symbol) -> int:
    """Return the token's id; for one without id, a number to tell it from others and to colour it by."""
    number = ids_of(trace).get(symbol)
    return FIRST_NUMBER + crc32(symbol) % MOST_NUMBERS if number is None else number


def symbol_numbers(trace: Trace) -> Sequence[int]:
    """Return the numbers of the trace's symbols, in the order of `trace.symbols`."""
    numbers = _NUMBERS.get(trace)
    if numbers is None:
        numbers = _NUMBERS[trace] = array("q", (token_number(trace, symbol) for symbol in trace.symbols))
    return numbers
