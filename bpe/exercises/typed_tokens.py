"""A typed answer: the tokens of a text in the spellings that people use.

Between tokens there are spaces, or signs that the text itself does not hold, such as commas, quotes and brackets. A
space of the text and a marker may be written as other tokenizers write them, and the case of letters does not matter.
"""

import re
from collections.abc import Iterator, Sequence

from bpe.symbols import Symbol
from bpe.text.variants import Variant

SPACE = "·"  # how a space of the text is shown
MARKERS = ("</w>", "▁", "Ġ", "␣", "_")  # how tokenizers and lectures write a marker or a space
BETWEEN = ",;|+/-–·[](){}'\"`“”‘’«»"
BYTE = re.compile("<?0x([0-9a-f]{2})>?")


def read_tokens(typed: str, symbols: Sequence[Symbol], variant: Variant) -> tuple[Symbol, ...] | None:
    r"""Return the tokens of a typed answer; None if they do not spell the symbols.

    >>> from bpe import VARIANTS
    >>> read_tokens("['Low', 'er_']", [b"l", b"o", b"w", b"e", b"r", b"\xff"], VARIANTS["char-eow"])
    (b'low', b'er\xff')
    """
    labels = [_plain(variant.label(symbol)) for symbol in symbols]
    for parts in _readings(_plain(typed), "".join(labels), _plain(variant.marker_text)):
        tokens = _joined(parts, symbols, labels)
        if tokens is not None:
            return tokens
    return None


def names_marker(typed: str, variant: Variant) -> bool:
    """Return whether a typed answer writes a marker in any of its spellings."""
    return any(marker in typed for marker in (variant.marker_text, *MARKERS))


def _plain(text: str) -> str:
    """Return a text in small letters, with bytes as their two digits."""
    return BYTE.sub(r"\1", text.lower())


def _readings(typed: str, spelled: str, marker: str) -> Iterator[list[str]]:
    """Yield the parts of a typed answer: as it is, then with other signs for spaces, markers and what is between."""
    yield typed.split()
    for mark in MARKERS:
        if mark.lower() not in spelled:
            typed = typed.replace(mark.lower(), SPACE if SPACE in spelled else marker)
    yield typed.split()
    yield typed.translate({ord(sign): " " for sign in BETWEEN if sign not in spelled}).split()


def _joined(
    parts: Sequence[str], symbols: Sequence[Symbol], labels: Sequence[str]
) -> tuple[Symbol, ...] | None:
    tokens: list[Symbol] = []
    waiting = iter(zip(symbols, labels, strict=True))
    for part in parts:
        token, spelled = b"", ""
        while len(spelled) < len(part):
            symbol, label = next(waiting, (b"", ""))
            if not label:
                return None
            token, spelled = token + symbol, spelled + label
        if spelled != part:
            return None
        tokens.append(token)
    return tuple(tokens) if next(waiting, None) is None else None
