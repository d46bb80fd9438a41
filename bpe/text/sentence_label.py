"""Symbols in sentences on the screen: bytes of no whole character as their digits, as chips write them."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby

from bpe.symbols import Symbol
from bpe.text.variant import Variant

_LONE = re.compile("<0x[0-9A-F]{2}>")

# As decoded below: a lone byte is one character.
_LONE_OR_TYPED = re.compile("<0x[0-9A-F]{2}>|[\udc80-\udcff]")
_SPACES = ("·", "▁")  # what a space is written as


def sentence_label(variant: Variant) -> Callable[[Symbol], str]:
    r"""Return the function that writes a symbol of the variant in a sentence. `labelText` in chip.js writes the same.

    >>> from bpe import VARIANTS
    >>> label = sentence_label(VARIANTS["bytes"])
    >>> label(b" \xf0\x9f"), label(b"a\xf0b"), label(b"<0xF0>")
    ('·F0 9F', 'a F0 b', '<0xF0>')
    """
    return partial(_in_sentence, variant)


def label_pieces(variant: Variant, symbol: Symbol) -> Iterator[tuple[bool, str]]:
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


def joined_runs(pieces: Iterable[tuple[bool, str]]) -> list[tuple[bool, str]]:
    """Return the pieces with neighbours of one kind joined, bytes by spaces; without empty ones."""
    return [
        (is_byte, (" " if is_byte else "").join(text for _, text in run))
        for is_byte, run in groupby((piece for piece in pieces if piece[1]), key=lambda piece: piece[0])
    ]


def spaced(labels: Iterable[str]) -> str:
    """Return labels of tokens with a space between two, or two spaces if a label has one itself.

    >>> spaced(["lo", "w"]), spaced(["F0 9F", "98"])
    ('lo w', 'F0 9F  98')
    """
    listed = list(labels)
    return ("  " if any(" " in label for label in listed) else " ").join(listed)


def _label_runs(variant: Variant, symbol: Symbol) -> list[tuple[bool, str]]:
    r"""Return the texts and the runs of bytes of a label in order, and whether each is bytes.

    >>> from bpe import VARIANTS
    >>> _label_runs(VARIANTS["bytes"], b" \xf0\x9f"), _label_runs(VARIANTS["bytes"], b"<0xF0>")
    ([(False, '·'), (True, 'F0 9F')], [(False, '<0xF0>')])
    """
    return joined_runs(label_pieces(variant, symbol))


def _in_sentence(variant: Variant, symbol: Symbol) -> str:
    written = ""
    for _, text in _label_runs(variant, symbol):
        written += text if written in ("", *_SPACES) else f" {text}"
    return written
