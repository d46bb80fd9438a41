"""Pieces: which symbols a trainer allows to be made. A rule looks at a pair's two symbols and says yes or no."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from bpe.symbols import Symbol

PieceRule = Callable[[Symbol, Symbol], bool]


def any_piece(left: Symbol, right: Symbol) -> bool:
    """Every pair may merge."""
    return True


PIECE_RULES: Mapping[str, PieceRule] = MappingProxyType({"any": any_piece})
