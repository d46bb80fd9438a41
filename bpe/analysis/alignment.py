"""Alignment: one text as graphemes, code points, UTF-8 bytes, remapped characters and tokens, in aligned rows.

The columns are the UTF-8 bytes of the text, so every cell lines up with the bytes it consists of in all other rows.
A marker that represents no byte of the text has a column of its own: -1 before the text, or one after its last byte.
"""

import unicodedata
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

import regex

from bpe.encoding.encode_steps import byte_starts, pre_token_starts
from bpe.encoding.tokenizer import Tokenizer
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import END_OF_WORD, FIRST_OF_WORD, START_OF_WORD, Symbol
from bpe.text.display import counted
from bpe.text.variants import VARIANTS, Variant

# "kept", "lost" and "added" are kinds of cells in a round trip: see decoding.
_Kind = Literal[
    "grapheme",
    "code point",
    "ascii",
    "lead",
    "continuation",
    "remapped",
    "token",
    "unknown",
    "gap",
    "kept",
    "lost",
    "added",
]

# Control characters have aliases, not names.
_CONTROLS = {
    0x00: "NULL",
    0x09: "CHARACTER TABULATION",
    0x0A: "LINE FEED",
    0x0D: "CARRIAGE RETURN",
    0x1B: "ESCAPE",
    0x7F: "DELETE",
    0x85: "NEXT LINE",
}

AS_TYPED = VARIANTS["bytes"]  # which spells a text without markers, for labels of what was typed

# So rows of tokenizers that spell a space in different ways, as a space or as ▁, line up with each other.
_METASPACE = "▁".encode()


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a row. It covers the columns [start, end)."""

    start: int
    end: int
    label: str  # text on the screen
    about: str  # description in lower case, without a full stop
    kind: _Kind
    symbol: Symbol | None = None  # the token, in a row of tokens


@dataclass(frozen=True, slots=True)
class Row:
    """One view of the text, such as its bytes or its tokens."""

    slug: str
    title: str
    cells: tuple[Cell, ...]  # from left to right
    variant: Variant | None = None  # that spells the tokens, in a row of tokens


def aligned_rows(text: str, tokenizer: Tokenizer, encoder: str = "rank") -> list[Row]:
    """Return the text in five rows, from graphemes to tokens. Raises BPEError for a lone surrogate.

    The rows show the text in the tokenizer's normalization form.
    """
    normalised = tokenizer.normalise(text)
    text, tokens = normalised.text, tokenizer.normalised_tokens(normalised, encoder)
    return [
        _grapheme_row(text),
        _code_point_row(text),
        _byte_row(text),
        _remapped_row(text),
        token_row(text, tokens, tokenizer.variant, tokenizer.ids),
    ]


def graphemes(text: str) -> list[str]:
    """Split the text into Unicode's extended grapheme clusters, which readers see as characters.

    >>> graphemes("ok👍🏽")
    ['o', 'k', '👍🏽']
    """
    return regex.findall(r"\X", text)


def character_name(character: str) -> str:
    """Return the code point's Unicode name, or an alias for a control character, which has none.

    >>> character_name("😊")
    'SMILING FACE WITH SMILING EYES'
    """
    return unicodedata.name(character, "") or _CONTROLS.get(ord(character), "a code point without a name")


def _byte_row(text: str) -> Row:
    """Return the text's UTF-8 bytes as a row. Each is an ASCII character, a lead byte or a continuation byte."""
    return Row("bytes", "UTF-8 bytes", tuple(_byte_cells(text.encode())))


def token_row(text: str, tokens: Sequence[Symbol], variant: Variant, known: Container[Symbol]) -> Row:
    """Return the tokens of the text as a row. `text` is normalised; `tokens` are all its tokens, with their markers.

    Text that no token covers is a gap: the variant dropped it. An end-of-word marker spans the white space that it
    represents. `known` holds the tokens of the vocabulary; all others are drawn as unknown.
    """
    return Row("tokens", "Tokens", tuple(_token_cells(text, tokens, variant, known)), variant)


def text_label(text: str) -> str:
    """Return a text as labels show it: white space as glyphs.

    >>> text_label("a b")
    'a·b'
    """
    return AS_TYPED.label(text.encode())


def mark_differences(rows: Sequence[Row], text: str = "") -> list[list[bool]]:
    """Return, for each cell of each row, whether some other row lacks a cell with the same columns.

    If the text is given, its white space and markers are ignored. This makes variants comparable that keep a space
    before a word, after it, as a marker or not at all.

    >>> from bpe import VARIANTS
    >>> row = lambda tokens: token_row("abc", tokens, VARIANTS["bytes"], tokens)
    >>> mark_differences([row([b"ab", b"c"]), row([b"a", b"b", b"c"])])
    [[True, False], [True, True, False]]
    """
    # 1 for each byte of a character other than white space, and 0 for the other bytes of the text
    letters = b"".join(bytes([not sign.isspace()]) * len(sign.encode()) for sign in text)
    spans = [[_trimmed(cell, letters) for cell in row.cells] for row in rows]
    common = frozenset.intersection(*map(frozenset, spans)) if spans else frozenset()
    return [[span is not None and span not in common for span in row] for row in spans]


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


def _grapheme_row(text: str) -> Row:
    """Return the text's graphemes as a row."""
    return Row("graphemes", "Graphemes", tuple(_grapheme_cells(text)))


def _grapheme_cells(text: str) -> Iterator[Cell]:
    start = 0
    for cluster in graphemes(text):
        end = start + len(cluster.encode())
        about = f"one character to a reader: {counted(len(cluster), 'code point')}"
        yield Cell(start, end, text_label(cluster), about, "grapheme")
        start = end


def _code_point_row(text: str) -> Row:
    """Return the text's code points, with their names, as a row."""
    return Row("code-points", "Code points", tuple(_code_point_cells(text)))


def _code_point_cells(text: str) -> Iterator[Cell]:
    start = 0
    for character in text:
        end = start + len(character.encode())
        about = f"{character_name(character)}, {ord(character):,} in decimal"
        yield Cell(start, end, f"U+{ord(character):04X}", about, "code point")
        start = end


def _byte_cells(encoded: bytes) -> Iterator[Cell]:
    for column, byte in enumerate(encoded):
        kind = _byte_kind(byte)
        about = {
            "ascii": "a character of one byte",
            "lead": f"lead byte of a character of {_character_length(byte)} bytes",
            "continuation": "continuation byte of the character before it",
        }[kind]
        yield Cell(
            column, column + 1, f"{byte:02X}", f"{about}; {byte} in decimal, {byte:08b} in binary", kind
        )


def _byte_kind(byte: int) -> Literal["ascii", "lead", "continuation"]:
    """Return the role of the byte in UTF-8.

    >>> [_byte_kind(byte) for byte in "é".encode()]
    ['lead', 'continuation']
    """
    if byte < 0x80:
        return "ascii"
    return "continuation" if byte < 0xC0 else "lead"


def _character_length(lead: int) -> int:
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _remapped_row(text: str) -> Row:
    """Return the text as a row of the characters by which GPT-2's files replace bytes, to avoid white space."""
    cells = (
        Cell(column, column + 1, REMAPPED[byte], _about_remapped(byte), "remapped")
        for column, byte in enumerate(text.encode())
    )
    return Row("remapped", "GPT-2 remapped", tuple(cells))


def _about_remapped(byte: int) -> str:
    point = ord(REMAPPED[byte])
    if point == byte:
        return f"byte {byte:02X} is written as itself, U+{point:04X}"
    return f"byte {byte:02X} is written as U+{point:04X}, because by itself it would not be visible"


def _token_cells(
    text: str, tokens: Sequence[Symbol], variant: Variant, known: Container[Symbol]
) -> Iterator[Cell]:
    columns = _columns(text, variant)
    reached, position = 0, 0  # first column without a cell; bytes of the tokens so far
    for token in tokens:
        spans = columns[position : position + len(token)]
        position += len(token)
        start, end = spans[0][0], spans[-1][1]
        if start > reached:
            yield _gap(text, reached, start)
        if token in known:
            yield Cell(start, end, variant.label(token), _about_bytes(token, variant), "token", token)
        else:
            yield Cell(start, end, variant.label(token), "unknown: not in the vocabulary", "unknown", token)
        reached = max(reached, end)
    size = len(text.encode())
    if reached < size:
        yield _gap(text, reached, size)


def _gap(text: str, start: int, end: int) -> Cell:
    label = text_label(text.encode()[start:end].decode("utf-8", "replace"))
    return Cell(start, end, label, "in no token: this way of splitting drops it", "gap")


def _about_bytes(token: Symbol, variant: Variant) -> str:
    own = token if variant.marker is None else token.replace(variant.marker, b"")
    parts = [f"{counted(len(own), 'byte')}, {own.hex(' ').upper()}"] if own else []
    if len(own) < len(token):
        parts.append(f"the marker {variant.marker_text}")
    return " and ".join(parts)


def _columns(text: str, variant: Variant) -> list[tuple[int, int]]:
    """Return the columns (start, end) of each byte of the text's initial symbols."""
    byte_at = list(accumulate((len(character.encode()) for character in text), initial=0))
    pre_tokens = variant.split(text)
    starts = list(pre_token_starts(text, pre_tokens, variant))
    inside = [0] * len(starts)  # bytes of the character in front of each pre-token
    if variant.partial_bytes:
        inside = [byte for _, byte in byte_starts(text, pre_tokens, variant.partial_bytes)]
    size = byte_at[-1]
    columns: list[tuple[int, int]] = []
    for number, (pre_token, start) in enumerate(zip(pre_tokens, starts, strict=True)):
        column = byte_at[start] + inside[number] if start >= 0 else -1
        end = byte_at[min(start + len(pre_token), len(text))]
        next_start = byte_at[max(starts[number + 1], 0)] if number + 1 < len(starts) else size
        for symbol in variant.spell(pre_token):
            for byte in symbol:
                if variant.marker == END_OF_WORD and byte == END_OF_WORD[0]:
                    columns.append((end, next_start) if next_start > end else (end, end + 1))
                elif variant.marker == FIRST_OF_WORD and byte == FIRST_OF_WORD[0]:
                    columns.append((column, column + 1))  # of the character that it is attached to
                elif variant.marker == START_OF_WORD and byte == START_OF_WORD[0]:
                    columns.append((column, column + 1))
                    column += 1
                else:
                    columns.append((column, column + 1))
                    column += 1
    return columns


def _trimmed(cell: Cell, letters: bytes) -> tuple[int, int] | None:
    """Return the cell's columns without white space at its ends; None if it holds only white space."""
    if not letters:
        return cell.start, cell.end
    inside = letters[max(cell.start, 0) : cell.end]
    if 1 not in inside:
        return None
    start = max(cell.start, 0)
    return start + inside.index(1), start + inside.rindex(1) + 1
