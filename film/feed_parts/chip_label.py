"""What a chip writes: a token's label, in which bytes of no whole character are told from text that looks like them."""

from collections.abc import Iterable

from bpe import Symbol, Variant
from bpe.analysis.vocabulary import LONGEST_SHOWN, ends_of
from bpe.text.sentence_label import joined_runs, label_pieces
from film.feed import ChipLabel


def chip_label(variant: Variant, symbol: Symbol) -> ChipLabel:
    r"""Return how a chip writes the symbol. `chipLabelOf` in spelling.js returns the same.

    >>> from bpe import VARIANTS
    >>> chip_label(VARIANTS["bytes"], b" \xf0\x9f"), chip_label(VARIANTS["bytes"], b"<0xF0>")
    (('·', 'F0 9F'), '<0xF0>')
    """
    return _joined(label_pieces(variant, symbol))


def short_chip_label(variant: Variant, symbol: Symbol, longest: int = LONGEST_SHOWN) -> ChipLabel:
    """Return how a chip writes the symbol; only its two ends if it has more than `longest` bytes.

    >>> from bpe import VARIANTS
    >>> short_chip_label(VARIANTS["bytes"], b"abcdefgh", longest=4)
    'ab…gh'
    """
    if len(symbol) <= longest:
        return chip_label(variant, symbol)
    head, tail = ends_of(symbol, longest)
    return _joined([*label_pieces(variant, head), (False, "…"), *label_pieces(variant, tail)])


def _joined(pieces: Iterable[tuple[bool, str]]) -> ChipLabel:
    runs = joined_runs(pieces)
    if not any(is_byte for is_byte, _ in runs):
        return runs[0][1] if runs else ""
    texts = tuple(text for _, text in runs)
    return ("", *texts) if runs[0][0] else texts
