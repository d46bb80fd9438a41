"""Alphabet orders: which initial symbol gets which id. They matter where ids break ties, and in exported files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from bpe.checks import shortened_repr
from bpe.symbols import BPEError, Symbol
from bpe.text.variants import Variant, initial_symbols

# (symbols in order of first appearance, variant) -> symbols in id order
_AlphabetOrder = Callable[[Sequence[Symbol], Variant], list[Symbol]]


def order_alphabet(
    symbols: Sequence[Symbol], variant: Variant, alphabet: str | Sequence[Symbol | str] | None
) -> list[Symbol]:
    """Return the initial symbols in id order. `alphabet` is a slug, a list of symbols, or None for the order "value".

    Listed symbols come first, in the order of the list; a `str` is read as the variant spells it, marker included.
    Symbols of the text that are not listed follow by value. Raises BPEError for an unknown slug or a repeated symbol.
    """
    if alphabet is None:
        return _by_value(symbols, variant)
    if isinstance(alphabet, str):
        if alphabet not in ALPHABETS:
            raise BPEError(
                f"The alphabet must be one of {', '.join(ALPHABETS)}, or a list of symbols; "
                f"got {shortened_repr(alphabet)}."
            )
        return ALPHABETS[alphabet](symbols, variant)
    given = [symbol if isinstance(symbol, bytes) else variant.unspelled(symbol) for symbol in alphabet]
    for symbol in given:
        if initial_symbols(symbol, variant) != (symbol,):
            raise BPEError(
                f"The alphabet must contain initial symbols of the variant {variant.slug!r} only, "
                f"got {shortened_repr(variant.label(symbol))}."
            )
    if len(set(given)) < len(given):
        raise BPEError("The alphabet must name every symbol once.")
    return list(dict.fromkeys([*given, *_by_value(symbols, variant)]))


def _printable_bytes() -> list[int]:
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return printable + [byte for byte in range(256) if byte not in printable]


# openai/gpt-2, src/encoder.py, bytes_to_unicode: printable bytes stand for themselves, the rest move to U+0100 and up.
_REMAPPED_BYTES: tuple[int, ...] = tuple(_printable_bytes())
REMAPPED: Mapping[int, str] = MappingProxyType(
    {byte: chr(byte if index < 188 else 68 + index) for index, byte in enumerate(_REMAPPED_BYTES)}
)


def _marked(symbol: Symbol, variant: Variant) -> bool:
    return variant.marker is not None and variant.marker in symbol


def _by_value(symbols: Sequence[Symbol], variant: Variant) -> list[Symbol]:
    """Order bytes by value, all 256 of them; characters by code point, those with the marker last."""
    if variant.unit == "bytes":
        return [bytes([value]) for value in range(256)]
    return sorted(symbols, key=lambda symbol: (_marked(symbol, variant), symbol))


def _by_spelling(symbols: Sequence[Symbol], variant: Variant) -> list[Symbol]:
    """Order characters by code point, the marker where its spelling sorts (▁ is U+2581)."""
    return sorted(_by_value(symbols, variant), key=lambda symbol: (variant.spelled(symbol), symbol))


def _by_appearance(symbols: Sequence[Symbol], variant: Variant) -> list[Symbol]:
    """Order characters by first appearance, those with the marker last; bytes likewise, then the unseen ones."""
    seen = sorted(symbols, key=lambda symbol: _marked(symbol, variant))
    return list(dict.fromkeys([*seen, *(_by_value(symbols, variant) if variant.unit == "bytes" else ())]))


def _by_value_unmarked_first(symbols: Sequence[Symbol], variant: Variant) -> list[Symbol]:
    """Order characters by code point, even those that occur with the marker only; then the marked ones likewise.

    Hugging Face's trainer does the same: its alphabet is the characters of the corpus, to which it adds the marked
    ones.
    """
    unmarked = (symbol.replace(variant.marker or b"", b"") for symbol in symbols)
    return _by_value(list(dict.fromkeys([*filter(None, unmarked), *symbols])), variant)


def _by_remapped_byte(symbols: Sequence[Symbol], variant: Variant) -> list[Symbol]:
    """Order all 256 bytes as GPT-2's remapped characters: `!` is 0, the space 220."""
    if variant.unit != "bytes":
        raise BPEError(
            f"The alphabet 'gpt2-bytes' orders bytes, but the variant {variant.slug!r} has characters."
        )
    return [bytes([byte]) for byte in _REMAPPED_BYTES]


ALPHABETS: Mapping[str, _AlphabetOrder] = MappingProxyType(
    {
        "value": _by_value,
        "spelling": _by_spelling,
        "appearance": _by_appearance,
        "unmarked-first": _by_value_unmarked_first,
        "gpt2-bytes": _by_remapped_byte,
    }
)


def alphabet_code(slug: str | None, variant: Variant) -> str:
    """Return the order of a slug of ALPHABETS as Python, for a script (`bpe.training.script`); None: the variant's own.

    In the expression `symbols` are those of the corpus in order of first appearance, `MARK` is the character that
    stands for the marker, and `spelled` writes it out.
    """
    for_bytes, unmarked, marked = _CODE[slug or "value"]
    return for_bytes if variant.unit == "bytes" else unmarked if variant.marker is None else marked


_ALL_BYTES = "[bytes([value]) for value in range(256)]"
_PRINTED_FIRST = "sorted(range(256), key=lambda value: not (33 <= value < 127 or 161 <= value != 173))"

# Slug -> (for bytes, for characters, for characters with a marker)
_CODE: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "value": (
            _ALL_BYTES,
            "sorted(symbols)",
            "sorted(symbols, key=lambda symbol: (MARK in symbol, symbol))",
        ),
        "spelling": (
            _ALL_BYTES,
            "sorted(symbols)",
            "sorted(symbols, key=lambda symbol: (spelled(symbol), symbol))",
        ),
        "appearance": (
            f"list(dict.fromkeys([*symbols, *{_ALL_BYTES}]))",
            "list(symbols)",
            "sorted(symbols, key=lambda symbol: MARK in symbol)",
        ),
        "unmarked-first": (
            _ALL_BYTES,
            "sorted(symbols)",
            "sorted({*symbols, *(symbol.replace(MARK, '') for symbol in symbols)} - {''}, "
            "key=lambda symbol: (MARK in symbol, symbol))",
        ),
        "gpt2-bytes": (f"[bytes([value]) for value in {_PRINTED_FIRST}]", "", ""),
    }
)
