"""Spelling: how files spell symbols: characters with their marker, bytes as GPT-2's remapped characters."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from bpe.checks import check_text, shortened_repr
from bpe.encoding.tokenizer import Tokenizer
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import END_OF_WORD, UNSPELLED, BPEError, Place, Symbol
from bpe.text.variants import Variant, initial_symbols

_NAMES = {" ": "a space", "\n": "a line break", "\r": "a carriage return"}
_UNMAPPED = {character: bytes([value]) for value, character in REMAPPED.items()}


SHORT = 256  # characters: most tokens are shorter
MOST_CHARACTERS = 1 << 16  # of a token: bounds time and memory for files that are no tokenizers


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a file writes a symbol, and reads it. `read` raises BPEError for a text that spells no symbol."""

    write: Callable[[Symbol], str]
    read: Callable[[str], Symbol]


def refuse_superwords(variant: Variant, file: str) -> None:
    """Raise BPEError for the variant of a second stage: the file does not say how text is split."""
    if variant.first:
        raise BPEError(
            f"{file} cannot hold superwords, since it does not say how text is split; tokenizer.json can."
        )


def spelling_of(variant: Variant) -> Spelling:
    """Return how files spell a variant's symbols: bytes remapped as GPT-2 does, characters with their marker."""
    if variant.unit == "bytes" and variant.marker:
        suffix = variant.marker_text
        return Spelling(partial(_write_marked, suffix=suffix), partial(_read_marked, suffix=suffix))
    if variant.unit == "bytes":
        return Spelling(_write_bytes, _read_bytes)
    return Spelling(
        lambda symbol: variant.spelled(symbol).decode(), lambda text: _read_characters(text, variant)
    )


def with_unspelled(spelling: Spelling, unit: str) -> Spelling:
    """Return the spelling of a vocabulary whose tokens may hold characters that stand for no byte.

    Command-R's file has emoji so. The library keeps such a token with its id, and no text leads to it.
    """

    def read(text: str) -> Symbol:
        try:
            return spelling.read(text)
        except BPEError:
            check_text(text)
            return UNSPELLED + text.encode()

    return Spelling(spelling.write, read) if unit == "bytes" else spelling


def _write_bytes(symbol: Symbol) -> str:
    if symbol.startswith(UNSPELLED):
        return symbol.removeprefix(UNSPELLED).decode("utf-8", "replace")
    return "".join(map(REMAPPED.__getitem__, symbol))


def _read_bytes(text: str) -> Symbol:
    try:
        return b"".join(map(_UNMAPPED.__getitem__, text))
    except KeyError as error:
        raise BPEError(f"expected GPT-2's remapped bytes, got {error.args[0]!r} in {text[:60]!r}") from None


def _write_marked(symbol: Symbol, suffix: str) -> str:
    # The byte 0xFF alone is a byte, not the marker: see bpe/formats/hugging_face/variants.py.
    marked = len(symbol) > 1 and symbol.endswith(END_OF_WORD)
    return _write_bytes(symbol[:-1]) + suffix if marked else _write_bytes(symbol)


def _read_marked(text: str, suffix: str) -> Symbol:
    marked = len(text) > len(suffix) and text.endswith(suffix)
    return _read_bytes(text.removesuffix(suffix)) + END_OF_WORD if marked else _read_bytes(text)


def checked_length(text: str, place: Place) -> str:
    """Return the text of a token. Raises BPEError, with its place, for one that is too long."""
    if len(text) > MOST_CHARACTERS:
        raise BPEError(
            f"expected a token of at most {MOST_CHARACTERS:,} characters, got {len(text):,}.", *place
        )
    return text


def _read_characters(text: str, variant: Variant) -> Symbol:
    check_text(text)
    symbol = variant.unspelled(text)
    if not initial_symbols(symbol, variant):
        raise BPEError(f"expected a token of the variant “{variant.title}”, got {text[:60]!r}")
    return symbol


def spell_symbols(
    symbols: Iterable[Symbol], variant: Variant, file: str, separators: str = ""
) -> dict[Symbol, str]:
    """Return symbol -> the text that spells it in the file.

    Raises BPEError for a token that would be misread: one that holds a separator, or characters like a marker.
    """
    if variant.lone_bytes:
        raise BPEError(
            f"{file} cannot say that unknown characters are spelled in bytes, as this tokenizer spells them; "
            "tokenizer.json and tokenizer.model can."
        )
    spelling = spelling_of(variant)
    spelled: dict[Symbol, str] = {}
    for symbol in symbols:
        text = spelled[symbol] = spelling.write(symbol)
        if variant.marker is not None and spelling.read(text) != symbol:
            raise BPEError(
                f"{file} cannot hold the token {shortened_repr(variant.label(symbol))}: "
                f"its characters would be read as the marker {variant.marker_text}."
            )
        for separator in separators:
            if separator in text:
                raise BPEError(
                    f"{file} cannot hold the token {shortened_repr(variant.label(symbol))}: "
                    f"{_NAMES[separator]} ends a token there."
                )
    return spelled


def spell_vocabulary(tokenizer: Tokenizer, file: str) -> list[str]:
    """Return every token as the file spells it, in id order; "" for an id that no token has.

    Special tokens are written as they are.

    Raises BPEError as `spell_symbols` does, and for a token that reads like a special token.
    """
    spelled = spell_symbols(tokenizer.ids, tokenizer.variant, file)
    special = dict(zip(tokenizer.special_ids, tokenizer.special_tokens, strict=True))
    symbol_of = {text: symbol for symbol, text in spelled.items()}
    for text in special.values():
        if text in symbol_of:
            raise BPEError(
                f"{file} cannot hold both the special token {shortened_repr(text)} and a learned token "
                "that reads the same."
            )
    return [
        "" if number in tokenizer.gaps else special.get(number) or spelled[symbol]
        for number, symbol in enumerate(tokenizer.vocabulary)
    ]


def read_symbol(text: str, spelling: Spelling, place: Place) -> Symbol:
    """Return the symbol that a text spells. Raises BPEError with its place."""
    try:
        return spelling.read(text)
    except BPEError as error:
        raise BPEError(str(error), *place) from None


def alphabet_of(symbols: Sequence[Symbol], variant: Variant) -> list[Symbol]:
    """Return the initial symbols of some tokens, in order of first appearance."""
    return list(dict.fromkeys(initial for symbol in symbols for initial in initial_symbols(symbol, variant)))
