"""Initial symbols of a token: the symbols from which merges built it."""

import re

from bpe.symbols import Symbol, Word
from bpe.text.variants import Variant

_CHARACTER = rb"[\x00-\x7f\xc2-\xf4][\x80-\xbf]*"
_MARKER_ALONE = re.compile(_CHARACTER + rb"|[\xfe\xff]")
_MARKER_ATTACHED = re.compile(rb"(?:" + _CHARACTER + rb")\xff?")


def initial_symbols(token: Symbol, variant: Variant) -> Word:
    r"""Return the token as a word of initial symbols; empty for bytes that the variant cannot spell.

    >>> from bpe import VARIANTS
    >>> initial_symbols(b"est\xff", VARIANTS["char-eow-attached"])
    (b'e', b's', b't\xff')
    """
    if variant.unit == "bytes":
        return tuple(bytes([value]) for value in token)
    attached = variant.marker is not None and not variant.marker_is_symbol
    symbols = (_MARKER_ATTACHED if attached else _MARKER_ALONE).findall(token)
    return tuple(symbols) if sum(map(len, symbols)) == len(token) else ()
