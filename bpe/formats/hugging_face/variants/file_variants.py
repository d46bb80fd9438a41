"""Variants of files: ways in which a tokenizer.json splits and spells text that are not rows of `VARIANTS`."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from bpe.formats.hugging_face.normalizers import METASPACE
from bpe.symbols import END_OF_WORD, Symbol, Word
from bpe.text.added_tokens import TokenFinder, ordinary_tokens
from bpe.text.variants import Variant, initial_symbols, join, together, utf8_bytes

Split = Callable[[str], list[str]]

SLUG = "file"


def byte_variant(split: Split, suffix: str) -> Variant:
    """Return the variant that spells pre-tokens in bytes. The last byte carries the suffix, if there is one."""
    return Variant(
        slug=SLUG,
        title="From a file",
        about="Text is split and spelled as the file of the tokenizer says.",
        split=split,
        unit="bytes",
        spell=_last_byte_marked if suffix else utf8_bytes,
        spell_bytes=None if suffix else str.encode,
        decode=_join_marked if suffix else join,
        lossless=False,
        loses="whatever the file's normalizer and pre-tokenizer change or leave out",
        marker=END_OF_WORD if suffix else None,
        marker_text=suffix,
    )


@dataclass(frozen=True, slots=True)
class Unknowns:
    """What a file does with characters that its vocabulary lacks."""

    known: Collection[Symbol]  # the initial symbols of the vocabulary
    in_bytes: bool  # spells them in bytes (byte_fallback)
    together: bool  # takes neighbouring ones as one unknown token (fuse_unk)


def character_variant(split: Split, suffix: str, unknowns: Unknowns, space_added: bool) -> Variant:
    """Return the variant that spells pre-tokens in characters, ▁ among them.

    `space_added`: decoding removes the first space, since the file adds one in front.
    """

    def spell(pre_token: str) -> Word:
        symbols = [character.encode() for character in pre_token]
        if suffix and symbols:
            symbols[-1] += END_OF_WORD
        if unknowns.in_bytes:
            return tuple(chain.from_iterable(_in_bytes(symbols, unknowns.known)))
        return tuple(together(symbols, unknowns.known) if unknowns.together else symbols)

    def decode(symbols: Iterable[Symbol]) -> str:
        text = b"".join(symbols)
        if suffix:
            text = text.replace(END_OF_WORD, b" ").removesuffix(b" ")
        spaced = text.decode("utf-8", "replace").replace(METASPACE, " ")
        return spaced.removeprefix(" ") if space_added else spaced

    return replace(
        byte_variant(split, suffix),
        unit="characters",
        spell=spell,
        spell_bytes=None,
        decode=decode,
        lone_bytes=unknowns.in_bytes,
        joins_unknown=unknowns.together and not unknowns.in_bytes,
        byte_symbols=frozenset(_lone_bytes(unknowns.known)) if unknowns.in_bytes else frozenset(),
    )


def without_unknown(variant: Variant, known: Collection[Symbol]) -> Variant:
    """Return the variant that leaves out initial symbols that the vocabulary lacks, as a file without an unknown
    token says.
    """
    split = variant.split

    def spell(pre_token: str) -> Word:
        return tuple(symbol for symbol in variant.spell(pre_token) if symbol in known)

    return replace(
        variant,
        split=lambda text: list(filter(spell, split(text))),  # no pre-token is empty
        spell=spell,
        spell_bytes=None,
        drops_unknown=True,
        lossless=False,
        loses=variant.loses or "whatever the vocabulary cannot spell",
    )


def with_added_tokens(variant: Variant, finder: TokenFinder) -> Variant:
    """Return the variant that keeps the ordinary added tokens of a file whole: each is a pre-token of one symbol."""
    own = {token.text: (token.text.encode(),) for token in ordinary_tokens(finder.tokens)}
    split, spell = variant.split, variant.spell
    return replace(
        variant,
        split=lambda text: [
            piece for part, is_added in finder.parts(text) for piece in ([part] if is_added else split(part))
        ],
        spell=lambda pre_token: own.get(pre_token) or spell(pre_token),
        spell_bytes=None,
        parts=finder.parts,
        own_symbols=frozenset(symbol for (symbol,) in own.values()),
    )


def _last_byte_marked(pre_token: str) -> Word:
    symbols = utf8_bytes(pre_token)
    return (*symbols[:-1], symbols[-1] + END_OF_WORD) if symbols else ()


def _join_marked(symbols: Iterable[Symbol]) -> str:
    # A symbol of more than one byte carries the marker at its end; the byte 0xFF alone is a byte.
    parts = (
        symbol[:-1] + b" " if len(symbol) > 1 and symbol.endswith(END_OF_WORD) else symbol
        for symbol in symbols
    )
    return join(parts).removesuffix(" ")


def _lone_bytes(known: Collection[Symbol]) -> Iterator[Symbol]:
    """Yield the bytes that are no characters of the vocabulary."""
    for value in range(256):
        if value >= 0x80 or bytes([value]) not in known:
            yield bytes([value])


def _in_bytes(symbols: Iterable[Symbol], known: Collection[Symbol]) -> Iterator[Word]:
    for symbol in symbols:
        yield (symbol,) if symbol in known else tuple(bytes([value]) for value in symbol)


def single_symbols(tokens: Iterable[Symbol], variant: Variant) -> set[Symbol]:
    """Return the tokens that are initial symbols."""
    return {token for token in tokens if initial_symbols(token, variant) == (token,)}
