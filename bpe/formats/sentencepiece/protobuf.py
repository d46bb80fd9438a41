"""Protocol buffers: the fields of a message of unknown origin, as numbers and bytes; and fields to be written.

Source of the encoding: protobuf.dev, "Encoding".
"""

import struct
from collections.abc import Iterator

from bpe.symbols import BPEError

_MOST_VARINT = 10  # bytes of a whole number
_FIXED = {1: 8, 5: 4}  # wire type -> bytes

Value = int | bytes


class BrokenMessageError(BPEError):
    """Raised for bytes that are no message, such as a file that ends too early."""


def fields_of(message: bytes) -> Iterator[tuple[int, Value]]:
    r"""Yield (number, value) of each field: whole numbers as int, everything else as bytes.

    Raises BrokenMessageError, with the position, for bytes that are no message.

    >>> list(fields_of(b"\x0a\x02hi\x18\x96\x01"))
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
            raise BrokenMessageError(
                f"expected a field at byte {begin:,}, got one of the unknown kind {wire}"
            )
        if not number or size > len(message) - at:
            raise BrokenMessageError(f"the field at byte {begin:,} does not end within the file")
        yield number, message[at : at + size]
        at += size


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
    raise BrokenMessageError(f"the number at byte {at:,} does not end")


def as_float(value: Value) -> float:
    """Return the number that four bytes hold. Raises BrokenMessageError for another value."""
    if not isinstance(value, bytes) or len(value) != 4:
        raise BrokenMessageError("expected a decimal number")
    number: float = struct.unpack("<f", value)[0]
    return number


def as_text(value: Value) -> str:
    """Return the text that a field holds. Raises BrokenMessageError for another value."""
    try:
        if isinstance(value, bytes):
            return value.decode()
    except UnicodeDecodeError:
        pass
    raise BrokenMessageError("expected a text in UTF-8")


def as_bytes(value: Value) -> bytes:
    """Return the bytes that a field holds. Raises BrokenMessageError for another value."""
    if not isinstance(value, bytes):
        raise BrokenMessageError("expected bytes, got a number")
    return value


def as_int(value: Value) -> int:
    """Return the whole number that a field holds. Raises BrokenMessageError for another value."""
    if isinstance(value, bytes):
        raise BrokenMessageError("expected a whole number, got bytes")
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


def _as_varint(value: int) -> bytes:
    parts = bytearray()
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])
