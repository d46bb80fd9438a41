"""Checks of arguments. Each raises BPEError with one sentence: what must hold, and what it got."""

from collections.abc import Mapping
from typing import TypeVar

from bpe.symbols import BPEError

Row = TypeVar("Row")

# A page that trains by itself says the same.
LONE_SURROGATE = (
    "The text must not hold lone surrogates, got {surrogate} at position {position}{where}. Remove it."
)


def look_up(setting: str, registry: Mapping[str, Row], choice: str | Row) -> Row:
    """Return the registry's row for a slug; a row is returned as is. Raises BPEError, listing the slugs, for others."""
    if isinstance(choice, str) and choice in registry:
        return registry[choice]
    if isinstance(choice, str) or type(choice) not in set(map(type, registry.values())):
        raise BPEError(f"{setting} must be one of {', '.join(registry)}; got {shortened_repr(choice)}.")
    return choice


def check_text(text: object, where: str = "") -> None:
    """Raise BPEError if `text` is not a str or holds a lone surrogate: half a character, which UTF-8 cannot encode."""
    if not isinstance(text, str):
        raise BPEError(f"The text{where} must be a str, got {type(text).__name__}.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        surrogate = f"U+{ord(text[error.start]):04X}"
        raise BPEError(
            LONE_SURROGATE.format(surrogate=surrogate, position=error.start, where=where)
        ) from None


def whole_number(name: str, number: object) -> int:
    """Return the number. Raises BPEError for anything but a whole number of 64 bits."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise BPEError(f"{name} must be a whole number, got {shortened_repr(number)}.")
    if abs(number) >= 1 << 63:
        raise BPEError(f"{name} must be below 2**63.")
    return number


def at_least(least: int, name: str, number: object) -> int:
    """Return the number. Raises BPEError for anything but a whole number from `least` on."""
    whole = whole_number(name, number)
    if whole < least:
        raise BPEError(f"{name} must be at least {least}, got {number}.")
    return whole


def shortened_repr(value: object) -> str:
    """Return `repr(value)` for an error message, at most 100 characters of it."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print a whole number of more than 4,300 digits.
        return "a number of too many digits"
    return text if len(text) <= 100 else text[:99] + "…"
