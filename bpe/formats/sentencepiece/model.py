"""Model file: the fields of a SentencePiece `.model` that decide how a text is encoded.

Source of names, numbers and defaults: google/sentencepiece, src/sentencepiece_model.proto.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite

from bpe.checkpoints import checkpoint
from bpe.formats.opened import MOST_TOKENS, shortened
from bpe.formats.spelling import checked_length
from bpe.symbols import BPEError

# Source of the encoding: protobuf.dev, "Encoding".
_MOST_VARINT = 10  # bytes of a whole number
_FIXED = {1: 8, 5: 4}  # wire type -> bytes
_Value = int | bytes
FILE = "tokenizer.model"
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
_UNIGRAM, BPE = 1, 2
MODEL_TYPES = {1: "Unigram", 2: "BPE", 3: "Word", 4: "Char"}
_PIECES = 1 << 12  # between two checkpoints


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of the vocabulary. Its id is its place in the file."""

    text: str
    score: float = 0.0
    kind: int = NORMAL


@dataclass(frozen=True, slots=True)
class Normalizing:
    """How a text is changed before it is split."""

    name: str = ""
    charsmap: bytes = b""  # precompiled; empty for none
    dummy_prefix: bool = True
    strips_spaces: bool = True  # remove_extra_whitespaces
    escapes_spaces: bool = True  # spaces become ▁


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The fields that decide how a text is encoded and decoded."""

    pieces: tuple[Piece, ...]
    model_type: int = _UNIGRAM
    normalizing: Normalizing = Normalizing()
    byte_fallback: bool = False
    space_behind: bool = False  # treat_whitespace_as_suffix
    unknown_surface: str = " \u2047 "
    denormalizes: bool = False


def read_model(content: bytes) -> ModelFile:
    """Return the fields of a file. Raises BPEError, with the field, for one that is broken or too large."""
    pieces: list[Piece] = []
    model = ModelFile(())
    normalizing = Normalizing()
    try:
        for number, value in _fields_of(content):
            if number == 1:
                if len(pieces) % _PIECES == 0:
                    checkpoint()
                if len(pieces) == MOST_TOKENS:
                    raise BPEError(f"expected at most {MOST_TOKENS:,} pieces.", FILE)
                pieces.append(_piece(_as_bytes(value), len(pieces)))
            elif number == 2:
                model = _trainer(_as_bytes(value), model)
            elif number == 3:
                normalizing = _normalizing(_as_bytes(value))
            elif number == 5:
                model = replace(model, denormalizes=bool(_normalizing(_as_bytes(value)).charsmap))
    except _BrokenMessageError as error:
        raise BPEError(f"expected a model of SentencePiece, but {error}.", FILE) from None
    if not pieces:
        raise BPEError("expected pieces, got none.", FILE)
    number_of: dict[str, int] = {}
    for number, piece in enumerate(pieces):
        if number_of.setdefault(piece.text, number) != number:
            raise BPEError(
                f"piece {number} is {shortened(piece.text)!r}, and so is piece {number_of[piece.text]}.", FILE
            )
    return replace(model, pieces=tuple(pieces), normalizing=normalizing)


class _BrokenMessageError(BPEError):
    """Raised for bytes that are no message, such as a file that ends too early."""


def _fields_of(message: bytes) -> Iterator[tuple[int, _Value]]:
    r"""Yield (number, value) of each field: whole numbers as int, everything else as bytes.

    Raises BrokenMessageError, with the position, for bytes that are no message.

    >>> list(_fields_of(b"\x0a\x02hi\x18\x96\x01"))
    [(1, b'hi'), (3, 150)]
    """
    at = 0
    while at < len(message):
        begin = at
        tag, at = _varint(message, at)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            value, at = _varint(message, at)
            yield number, value
            continue
        if wire == 2:
            size, at = _varint(message, at)
        elif wire in _FIXED:
            size = _FIXED[wire]
        else:
            raise _BrokenMessageError(
                f"expected a field at byte {begin:,}, got one of the unknown kind {wire}"
            )
        if not number or size > len(message) - at:
            raise _BrokenMessageError(f"the field at byte {begin:,} does not end within the file")
        yield number, message[at : at + size]
        at += size


def _as_float(value: _Value) -> float:
    """Return the number that four bytes hold. Raises BrokenMessageError for another value."""
    if not isinstance(value, bytes) or len(value) != 4:
        raise _BrokenMessageError("expected a decimal number")
    number: float = struct.unpack("<f", value)[0]
    return number


def _as_text(value: _Value) -> str:
    """Return the text that a field holds. Raises BrokenMessageError for another value."""
    try:
        if isinstance(value, bytes):
            return value.decode()
    except UnicodeDecodeError:
        pass
    raise _BrokenMessageError("expected text in UTF-8")


def _as_bytes(value: _Value) -> bytes:
    """Return the bytes that a field holds. Raises BrokenMessageError for another value."""
    if not isinstance(value, bytes):
        raise _BrokenMessageError("expected bytes, got a number")
    return value


def _as_int(value: _Value) -> int:
    """Return the whole number that a field holds. Raises BrokenMessageError for another value."""
    if isinstance(value, bytes):
        raise _BrokenMessageError("expected a whole number, got bytes")
    return value


def number_field(number: int, value: int) -> bytes:
    r"""Return a field that holds a whole number.

    >>> number_field(3, 150)
    b'\x18\x96\x01'
    """
    return _as_varint(number << 3) + _as_varint(value)


def message_field(number: int, content: bytes) -> bytes:
    r"""Return a field that holds bytes: a text, or a message.

    >>> message_field(1, b"hi")
    b'\n\x02hi'
    """
    return _as_varint(number << 3 | 2) + _as_varint(len(content)) + content


def decimal_field(number: int, value: float) -> bytes:
    """Return a field that holds a number of 32 bits."""
    return _as_varint(number << 3 | 5) + struct.pack("<f", value)


def is_model(content: bytes) -> bool:
    """Return whether bytes begin as a `.model` does: with a piece, which has a text, and a score or a kind."""
    if not content.startswith(b"\n") or len(content) < 8:
        return False
    size = content[1]
    try:
        fields = list(_fields_of(content[2 : 2 + size])) if size < 0x80 else []
    except _BrokenMessageError:
        return False
    return len(fields) > 1 and fields[0][0] == 1 and all(number in (1, 2, 3) for number, _ in fields)


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """Return the whole number at a position, and the position after it."""
    value = 0
    for size in range(_MOST_VARINT):
        if at + size >= len(message):
            break
        byte = message[at + size]
        value |= (byte & 0x7F) << (7 * size)
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at + size + 1
    raise _BrokenMessageError(f"the number at byte {at:,} does not end")


def _as_varint(value: int) -> bytes:
    parts = bytearray()
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def _piece(message: bytes, number: int) -> Piece:
    text, score, kind = "", 0.0, NORMAL
    try:
        for field, value in _fields_of(message):
            if field == 1:
                text = _as_text(value)
            elif field == 2:
                score = _as_float(value)
            elif field == 3:
                kind = _as_int(value)
    except _BrokenMessageError as error:
        raise BPEError(f"{error}.", FILE, f"piece {number}") from None
    if not text or not isfinite(score) or not NORMAL <= kind <= BYTE:
        what = (
            "an empty text" if not text else f"the score {score}" if not isfinite(score) else f"kind {kind}"
        )
        raise BPEError(
            f"expected a string, a number as its score and a kind, got {what}.", FILE, f"piece {number}"
        )
    return Piece(checked_length(text, (FILE, f"piece {number}")), score, kind)


def _trainer(message: bytes, model: ModelFile) -> ModelFile:
    for field, value in _fields_of(message):
        match field:
            case 3:
                model = replace(model, model_type=_as_int(value))
            case 24:
                model = replace(model, space_behind=bool(_as_int(value)))
            case 35:
                model = replace(model, byte_fallback=bool(_as_int(value)))
            case 44:
                model = replace(model, unknown_surface=_as_text(value))
    return model


def _normalizing(message: bytes) -> Normalizing:
    name, charsmap = "", b""
    flags = {3: True, 4: True, 5: True}
    for field, value in _fields_of(message):
        if field == 1:
            name = _as_text(value)
        elif field == 2:
            charsmap = _as_bytes(value)
        elif field in flags:
            flags[field] = bool(_as_int(value))
    return Normalizing(name, charsmap, *flags.values())
