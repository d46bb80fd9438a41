"""Typed text: the tokens of one text under any tokenizer, as cells over the bytes that were typed.

So rows of tokenizers that spell a space in different ways, as a space or as ▁, line up with each other.
"""

from collections.abc import Sequence

from bpe.analysis.text_rows.alignment import Cell, Kind, Row
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from bpe.symbols import Symbol
from bpe.text.display import counted
from bpe.text.variants import VARIANTS

_METASPACE = "▁".encode()


def typed_row(text: str, tokenizer: Tokenizer, slug: str = "tokens", title: str = "Tokens") -> Row | None:
    """Return the tokens of the text as a row; None if they do not spell what was typed, as after lower-casing.

    >>> from bpe import train
    >>> row = typed_row("low low", train("low low", merges=2).tokenizer())
    >>> row is None  # the end-of-word marker is no part of the text
    True
    >>> row = typed_row("low low", train("low low", "bytes", merges=2).tokenizer())
    >>> [(cell.start, cell.end, cell.label) for cell in row.cells]
    [(0, 3, 'low'), (3, 4, '·'), (4, 7, 'low')]
    """
    symbols = tokenizer.tokens(text)
    written = written_bytes(text, symbols)
    if written is None:
        return None
    unknown = UNKNOWN_ID if tokenizer.unknown is None else tokenizer.unknown
    label = VARIANTS["bytes"].label
    cells: list[Cell] = []
    end = 0
    for symbol, part in zip(symbols, written, strict=True):
        start, end = end, end + len(part)
        number = tokenizer.ids.get(symbol, unknown)
        about = f"id {number:,}; {counted(len(part), 'byte')}, {part.hex(' ').upper()}"
        if part:
            kind: Kind = "token" if symbol in tokenizer.ids else "unknown"
            cells.append(Cell(start, end, label(part), about, kind, part))
    return Row(slug, title, tuple(cells), VARIANTS["bytes"])


def written_bytes(text: str, symbols: Sequence[Symbol]) -> list[bytes] | None:
    """Return which bytes of the text each token covers; None if the tokens do not spell the text.

    A space that the tokenizer puts in front of the text is left out, so that a first token of nothing else is empty.
    """
    typed = text.encode()
    for parts in ([*symbols], [symbol.replace(_METASPACE, b" ") for symbol in symbols]):
        joined = b"".join(parts)
        if joined == typed:
            return parts
        if joined == b" " + typed:
            return [parts[0][1:], *parts[1:]]
    return None
