"""Alphabet orders: which initial symbol gets which id. They matter where ids break ties, and in what is exported."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from bpe.symbols import BPEError, Symbol
from bpe.text.initial_symbols import initial_symbols
from bpe.text.variants import Variant

AlphabetOrder = Callable[
    [Sequence[Symbol], Variant], list[Symbol]
]  # symbols by first appearance -> in id order


def _printable_bytes() -> list[int]:
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return printable + [byte for byte in range(256) if byte not in printable]


# openai/gpt-2, src/encoder.py, bytes_to_unicode: printable bytes stand for themselves, the rest move to U+0100 and up.
REMAPPED_BYTES: tuple[int, ...] = tuple(_printable_bytes())
REMAPPED: Mapping[int, str] = MappingProxyType(
    {byte: chr(byte if place < 188 else 68 + place) for place, byte in enumerate(REMAPPED_BYTES)}
)


def _marked(symbol: Symbol, variant: Variant) -> bool:
    return variant.marker is not None and variant.marker in symbol


def by_value(symbols: Sequence[Symbol], variant: Variant) -> list[Symbol]:
    """Bytes by value, all 256; characters by code point, those that carry the marker last."""
    if variant.unit == "bytes":
        return [bytes([value]) for value in range(256)]
    return sorted(symbols, key=lambda symbol: (_marked(symbol, variant), symbol))


def by_spelling(symbols: Sequence[Symbol], variant: Variant) -> list[Symbol]:
    """Characters by code point, the marker where its spelling sorts (▁ is U+2581)."""
    return sorted(by_value(symbols, variant), key=lambda symbol: (variant.spelled(symbol), symbol))


def by_appearance(symbols: Sequence[Symbol], variant: Variant) -> list[Symbol]:
    """Characters in order of first appearance, those that carry the marker last; bytes likewise, unseen ones after."""
    seen = sorted(symbols, key=lambda symbol: _marked(symbol, variant))
    return list(dict.fromkeys([*seen, *(by_value(symbols, variant) if variant.unit == "bytes" else ())]))


def by_value_unmarked_first(symbols: Sequence[Symbol], variant: Variant) -> list[Symbol]:
    """Characters by code point, those included that occur with the marker only; then the marked ones likewise.

    Hugging Face's trainer, whose alphabet is the corpus's characters, to which an end-of-word suffix adds.
    """
    unmarked = (symbol.replace(variant.marker or b"", b"") for symbol in symbols)
    return by_value(list(dict.fromkeys([*filter(None, unmarked), *symbols])), variant)


def by_remapped_byte(symbols: Sequence[Symbol], variant: Variant) -> list[Symbol]:
    """All 256 bytes in the order of GPT-2's remapped characters: `!` is 0, the space 220."""
    if variant.unit != "bytes":
        raise BPEError(
            f"The alphabet 'gpt2-bytes' orders bytes, but the variant {variant.slug!r} has characters."
        )
    return [bytes([byte]) for byte in REMAPPED_BYTES]


ALPHABETS: Mapping[str, AlphabetOrder] = MappingProxyType(
    {
        "value": by_value,
        "spelling": by_spelling,
        "appearance": by_appearance,
        "unmarked-first": by_value_unmarked_first,
        "gpt2-bytes": by_remapped_byte,
    }
)


def order_alphabet(
    symbols: Sequence[Symbol], variant: Variant, alphabet: str | Sequence[Symbol | str] | None
) -> list[Symbol]:
    """The initial symbols in id order. `alphabet`: a slug, the symbols themselves, or None for the variant's own order.

    Symbols given are taken first, as they stand (a `str` is read as the variant spells it, marker included); symbols of
    the text that are missing follow in the variant's own order. Raises BPEError for an unknown slug or
    a repeated symbol.
    """
    if alphabet is None:
        return by_value(symbols, variant)
    if isinstance(alphabet, str):
        if alphabet not in ALPHABETS:
            raise BPEError(
                f"The alphabet must be one of {', '.join(ALPHABETS)}, or a list of symbols; got {alphabet!r}."
            )
        return ALPHABETS[alphabet](symbols, variant)
    given = [symbol if isinstance(symbol, bytes) else variant.unspelled(symbol) for symbol in alphabet]
    for symbol in given:
        if initial_symbols(symbol, variant) != (symbol,):
            raise BPEError(
                f"The alphabet must hold initial symbols of the variant {variant.slug!r} only, "
                f"got {variant.label(symbol)!r}."
            )
    if len(set(given)) < len(given):
        raise BPEError("The alphabet must name every symbol once.")
    return list(dict.fromkeys([*given, *by_value(symbols, variant)]))
