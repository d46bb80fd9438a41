"""What a chip writes: a token's label, in which bytes of no whole character are told from text that looks like them."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from weakref import WeakKeyDictionary
from zlib import crc32

from bpe import Symbol, Trace, Variant
from bpe.analysis.vocabulary import LONGEST_SHOWN, ends_of
from bpe.symbols import UNSPELLED
from bpe.text.sentence_label import joined_runs, label_pieces
from film.feed import FIRST_NUMBER, MOST_NUMBERS, ChipLabel

# The browser computes the same large numbers (`film/browser/player/feed.js`).
_NUMBERS: "WeakKeyDictionary[Trace, Sequence[int]]" = WeakKeyDictionary()
_IDS: "WeakKeyDictionary[Trace, Mapping[Symbol, int]]" = WeakKeyDictionary()


def chip_label(variant: Variant, symbol: Symbol) -> ChipLabel:
    r"""Return how a chip writes the symbol. `chipLabelOf` in spelling.js returns the same.

    >>> from bpe import VARIANTS
    >>> chip_label(VARIANTS["bytes"], b" \xf0\x9f"), chip_label(VARIANTS["bytes"], b"<0xF0>")
    (('·', 'F0 9F'), '<0xF0>')

    A marker is between two noncharacters, so that a chip draws it as a tab: letters that look like it have none.

    >>> chip_label(VARIANTS["char-eow"], b"t\xff"), chip_label(VARIANTS["char-eow"], b"t</w>")
    ('t\ufffe</w>\uffff', 't</w>')
    """
    return _joined(_pieces(variant, symbol))


@lru_cache(maxsize=1 << 14)  # a table of many merges is drawn at each step
def short_chip_label(variant: Variant, symbol: Symbol, longest: int = LONGEST_SHOWN) -> ChipLabel:
    """Return how a chip writes the symbol; only its two ends if it has more than `longest` bytes.

    Letters that are not ASCII have two to four bytes each, so that then there are twice as many. Chips are coloured by
    six letters of each end (`shadeOf` in colour.js).

    >>> from bpe import VARIANTS
    >>> short_chip_label(VARIANTS["bytes"], b"abcdefgh", longest=4)
    'ab…gh'
    """
    if not symbol.strip(variant.marker or b"").isascii():
        longest *= 2
    if len(symbol) <= longest:
        return chip_label(variant, symbol)
    head, tail = ends_of(symbol, longest)
    return _joined([*_pieces(variant, head), (False, "…"), *_pieces(variant, tail)])


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
    """Return the token's id; for one without id, a number to tell it from others."""
    number = ids_of(trace).get(symbol)
    return FIRST_NUMBER + crc32(symbol) % MOST_NUMBERS if number is None else number


def symbol_numbers(trace: Trace) -> Sequence[int]:
    """Return the numbers of the trace's symbols, in the order of `trace.symbols`."""
    numbers = _NUMBERS.get(trace)
    if numbers is None:
        numbers = _NUMBERS[trace] = array("q", (token_number(trace, symbol) for symbol in trace.symbols))
    return numbers


def _pieces(variant: Variant, symbol: Symbol) -> Iterator[tuple[bool, str]]:
    """Yield the texts and the single bytes of a label, as `label_pieces` does, but markers as tabs."""
    if variant.marker is None or symbol.startswith(UNSPELLED):
        yield from label_pieces(variant, symbol)
        return
    for number, part in enumerate(symbol.split(variant.marker)):
        if number:
            yield False, f"\ufffe{variant.marker_text}\uffff"
        yield from label_pieces(variant, part)


def _joined(pieces: Iterable[tuple[bool, str]]) -> ChipLabel:
    runs = joined_runs(pieces)
    if not any(is_byte for is_byte, _ in runs):
        return runs[0][1] if runs else ""
    texts = tuple(text for _, text in runs)
    return ("", *texts) if runs[0][0] else texts
