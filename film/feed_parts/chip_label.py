"""What a chip writes: a token's label, in which bytes of no whole character are told from text that looks like them."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from bpe import Symbol, Variant
from bpe.analysis.vocabulary import LONGEST_SHOWN, ends_of
from film.feed import ChipLabel

_LONE = re.compile("<0x[0-9A-F]{2}>")
_LONE_OR_TYPED = re.compile(
    "<0x[0-9A-F]{2}>|[\udc80-\udcff]"
)  # as decoded below: a lone byte is one character


def chip_label(variant: Variant, symbol: Symbol) -> ChipLabel:
    r"""Return how a chip writes the symbol. `chipLabelOf` in spelling.js returns the same.

    >>> from bpe import VARIANTS
    >>> chip_label(VARIANTS["bytes"], b" \xf0\x9f"), chip_label(VARIANTS["bytes"], b"<0xF0>")
    (('·', 'F0 9F'), '<0xF0>')
    """
    return _joined(_pieces(variant, symbol))


def short_chip_label(variant: Variant, symbol: Symbol, longest: int = LONGEST_SHOWN) -> ChipLabel:
    """Return how a chip writes the symbol; only its two ends if it has more than `longest` bytes.

    >>> from bpe import VARIANTS
    >>> short_chip_label(VARIANTS["bytes"], b"abcdefgh", longest=4)
    'ab…gh'
    """
    if len(symbol) <= longest:
        return chip_label(variant, symbol)
    head, tail = ends_of(symbol, longest)
    return _joined([*_pieces(variant, head), (False, "…"), *_pieces(variant, tail)])


def _pieces(variant: Variant, symbol: Symbol) -> Iterator[tuple[bool, str]]:
    """Yield the texts and the single bytes of a label in order, and whether each is a byte."""
    label = variant.label(symbol)
    reached = 0
    if "<0x" in label:
        # A label spells bytes as somebody could type them. The symbol tells which of these spellings are bytes.
        texts = symbol.split(variant.marker) if variant.marker else [symbol]
        decoded = (text.decode("utf-8", "surrogateescape") for text in texts)
        spellings = [spelling for text in decoded for spelling in _LONE_OR_TYPED.findall(text)]
        for match, spelling in zip(_LONE.finditer(label), spellings, strict=True):
            if len(spelling) == 1:
                yield False, label[reached : match.start()]
                yield True, match.group()[3:5]
                reached = match.end()
    yield False, label[reached:]


def _joined(pieces: Iterable[tuple[bool, str]]) -> ChipLabel:
    runs = [
        (is_byte, (" " if is_byte else "").join(text for _, text in run))
        for is_byte, run in groupby((piece for piece in pieces if piece[1]), key=lambda piece: piece[0])
    ]
    if not any(is_byte for is_byte, _ in runs):
        return runs[0][1] if runs else ""
    texts = tuple(text for _, text in runs)
    return ("", *texts) if runs[0][0] else texts
