"""Split rows: one text as several tokenizers split it, a row for each, as data that a browser draws.

The columns are the UTF-8 bytes of the text, so that the cells of all rows line up.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from bpe import Symbol
from bpe.analysis.alignment import AS_TYPED, token_row, written_bytes
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from bpe.text.counting import next_safe_cut
from bpe.text.display import counted
from film.feed import ChipLabel
from film.labels import chip_label

MOST_SHOWN = 1_000  # bytes of a text whose tokens a row shows; it counts all of them
_METASPACE = "▁".encode()


@dataclass(frozen=True, slots=True)
class SplitCell:
    """A token in a row. It covers the bytes [start, end) of the row's text; −1 is before the text."""

    start: int
    end: int
    label: ChipLabel
    id: int  # −1 for a token that the vocabulary lacks
    made: str  # the two tokens that a merge joined, such as "st + raw"; "" for a token that no merge makes


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A text as a tokenizer splits it."""

    count: int  # tokens of the whole text
    cells: tuple[SplitCell, ...]  # of its beginning
    text: str  # whose beginning the cells spell: as it was typed, or as the tokenizer changes it
    is_typed: bool  # whether the cells spell what was typed


def split_row(text: str, tokenizer: Tokenizer) -> SplitRow:
    """Return the row of a text, with the tokens that begin in its first MOST_SHOWN bytes.

    >>> from bpe import train
    >>> row = split_row("low lower", train("low lower", "bytes", merges=2).tokenizer())
    >>> row.count, [(cell.end, cell.label, cell.made) for cell in row.cells][:2]
    (5, [(3, 'low', 'lo + w'), (4, '·', '')])
    """
    symbols = tokenizer.tokens(text)
    written, is_typed = written_bytes(text, symbols), True
    if written is None:
        text, is_typed = tokenizer.normalise(text).text, False
        written = written_bytes(text, symbols)
    if written is None:
        cells = tuple(_cells_with_markers(text, tokenizer))
    else:
        cells = tuple(_cells(symbols, written, tokenizer))
    return SplitRow(len(symbols), cells, text[: 2 * MOST_SHOWN], is_typed)


def framed(rows: Sequence[SplitRow]) -> list[list[bool]]:
    """Return, for each cell of each row, whether most of the other rows have no such cell.

    Rows that do not spell what was typed have other columns, so they are left out.

    >>> from bpe import train
    >>> rows = [split_row("abc", train("abc", "bytes", merges=number).tokenizer()) for number in (1, 1, 0)]
    >>> framed(rows)
    [[False, False], [False, False], [True, True, False]]
    """
    typed = [row for row in rows if row.is_typed]
    times = Counter(span for row in typed for span in {(cell.start, cell.end) for cell in row.cells})
    # Of a long text, rows end in different places.
    end = min((row.cells[-1].end for row in typed if row.cells), default=0)
    return [
        [
            row.is_typed and cell.end <= end and 2 * times[cell.start, cell.end] < len(typed)
            for cell in row.cells
        ]
        for row in rows
    ]


def row_feed(row: SplitRow, marks: Sequence[bool]) -> list[list[object]]:
    """Return the cells as the browser gets them: [start, end, label, id, made, framed]."""
    return [
        [cell.start, cell.end, cell.label, cell.id, cell.made, int(mark)]
        for cell, mark in zip(row.cells, marks, strict=True)
    ]


def split_sentence(counts: Sequence[tuple[str, int]]) -> str:
    """Return how many tokens the first tokenizer needs, and how many the others, in words.

    counts: name and number of tokens of each tokenizer. The first one is the one that everybody asks about.

    >>> split_sentence([("GPT-4o", 12), ("GPT-4", 14), ("GPT-2", 15)])
    '12 tokens for GPT-4o, 15 for GPT-2.'
    >>> split_sentence([("GPT-4o", 12), ("Qwen", 11), ("GPT-2", 15)])
    '12 tokens for GPT-4o, from 11 for Qwen to 15 for GPT-2.'
    >>> split_sentence([("GPT-4o", 12), ("GPT-4", 11), ("GPT-2", 11)]), split_sentence([("GPT-4o", 1)])
    ('12 tokens for GPT-4o, 11 for GPT-4.', '1 token for GPT-4o.')
    >>> split_sentence([("GPT-4o", 2), ("GPT-4", 2), ("GPT-2", 2)])
    '2 tokens for each of these 3 tokenizers.'
    """
    (first, own), *_ = counts
    fewest, most = min(counts, key=lambda one: one[1]), max(counts, key=lambda one: one[1])
    said = f"{counted(own, 'token')} for {first}"
    if len(counts) == 1:
        return f"{said}."
    if fewest[1] == most[1]:
        return f"{counted(own, 'token')} for each of these {len(counts)} tokenizers."
    if own == fewest[1]:
        return f"{said}, {most[1]:,} for {most[0]}."
    if own == most[1]:
        return f"{said}, {fewest[1]:,} for {fewest[0]}."
    return f"{said}, from {fewest[1]:,} for {fewest[0]} to {most[1]:,} for {most[0]}."


def _cells(symbols: Sequence[Symbol], written: Sequence[bytes], tokenizer: Tokenizer) -> Iterator[SplitCell]:
    """Yield the cells of tokens of which it is known which bytes of the text each covers."""
    unknown = UNKNOWN_ID if tokenizer.unknown is None else tokenizer.unknown
    made_of = cache(lambda symbol: _made_of(symbol, tokenizer))
    end = 0
    for symbol, part in zip(symbols, written, strict=True):
        if end >= MOST_SHOWN:
            return
        start, end = end, end + len(part)
        number = tokenizer.ids.get(symbol, unknown)
        own = symbol.replace(_METASPACE, b" ") if len(part) < len(symbol) else symbol
        # A first token may be a space that the tokenizer puts in front of the text, and nothing of the text.
        yield SplitCell(
            start if part else -1, end, chip_label(AS_TYPED, own or part), number, made_of(symbol)
        )


def _cells_with_markers(text: str, tokenizer: Tokenizer) -> Iterator[SplitCell]:
    """Yield the cells of a normalised text whose tokens hold markers, or do not cover all of it."""
    variant = tokenizer.variant
    end = next_safe_cut(text, variant, MOST_SHOWN)
    part = text[: end if end <= 2 * MOST_SHOWN else MOST_SHOWN]
    row = token_row(part, tokenizer.normalised_tokens(tokenizer.normalise(part)), variant, tokenizer.ids)
    unknown = UNKNOWN_ID if tokenizer.unknown is None else tokenizer.unknown
    for cell in row.cells:
        if cell.symbol is not None:
            number = tokenizer.ids.get(cell.symbol, unknown)
            yield SplitCell(cell.start, cell.end, chip_label(variant, cell.symbol), number, "")


def _made_of(symbol: Symbol, tokenizer: Tokenizer) -> str:
    """Return which two tokens a merge joins to this one; "" if none does, or if it is a part of a character."""
    try:
        word = symbol.decode()
    except UnicodeDecodeError:
        return ""
    initial = tokenizer.variant.spell(word)
    if len(initial) < 2 or b"".join(initial) != symbol:
        return ""
    *_, last = islice(tokenizer.word_steps(word), len(initial))
    if last.token != symbol or last.rank is None or len(last.closes) > 1:
        return ""
    half = last.closes[0] + 1
    halves = (b"".join(initial[:half]), b"".join(initial[half:]))
    return " + ".join(AS_TYPED.label(part.replace(_METASPACE, b" ")) for part in halves)
