"""Initial symbols of a token: the symbols from which merges built it."""

import re

from bpe.symbols import END_OF_WORD, FIRST_OF_WORD, Symbol, Word
from bpe.text.variants import Variant

_CHARACTER = rb"[\x00-\x7f\xc2-\xf4][\x80-\xbf]*"
_MARKER_ALONE = re.compile(_CHARACTER + rb"|[\xfe\xff]")
_OR_BYTE = re.compile(_CHARACTER + rb"|[\x80-\xff]")
_MARKER_IN_FRONT = re.compile(rb"\xfd?(?:" + _CHARACTER + rb")")
_MARKER_ATTACHED = re.compile(rb"(?:" + _CHARACTER + rb")\xff?")


def initial_symbols(token: Symbol, variant: Variant) -> Word:
    r"""Return the token as a word of initial symbols; empty for bytes that the variant cannot spell.

    >>> from bpe import VARIANTS
    >>> initial_symbols(b"est\xff", VARIANTS["char-eow-attached"])
    (b'e', b's', b't\xff')
    """
    if token in variant.own_symbols:
        return (token,)
    attached = variant.marker is not None and not variant.marker_is_symbol
    if variant.unit == "bytes":
        if attached and len(token) > 1 and token.endswith(END_OF_WORD):
            return (*initial_symbols(token[:-2], variant), token[-2:])
        return tuple(bytes([value]) for value in token)
    if variant.marker == FIRST_OF_WORD:
        pattern = _MARKER_IN_FRONT
    else:
        pattern = _OR_BYTE if variant.lone_bytes else _MARKER_ATTACHED if attached else _MARKER_ALONE
    symbols = pattern.findall(token)
    return tuple(symbols) if sum(map(len, symbols)) == len(token) else ()
