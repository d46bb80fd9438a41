"""The variant of a model: how SentencePiece cuts a normalized text into characters, and joins pieces again."""

import codecs
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import regex

from bpe.formats.hugging_face.normalizers import METASPACE
from bpe.formats.hugging_face.variants.file_variants import Unknowns, byte_variant, character_variant
from bpe.formats.sentencepiece.model_file import ModelFile
from bpe.symbols import Symbol, Word
from bpe.text.variants import Variant

BYTES = {f"<0x{value:02X}>": bytes([value]) for value in range(256)}  # as the pieces of bytes are written
_EACH_BYTE = "merge-by-merge.each-byte"


# Pieces with ▁ at their beginning only, or at their end only: between the two, no piece continues.
_BEFORE = re.compile(rf"{METASPACE}*[^{METASPACE}]*")
_BEHIND = re.compile(rf"[^{METASPACE}]*{METASPACE}*")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The pieces of a model, by what they do."""

    learned: Collection[str]
    known: Collection[Symbol]  # characters that are pieces
    user_defined: Sequence[str]  # found in the text before anything is merged, and merged with nothing
    unknown: str  # the piece for unknown characters
    control: Collection[str]


def pieces_variant(model: ModelFile, vocabulary: Vocabulary) -> Variant:
    """Return the variant that cuts a normalized text where no piece can continue, and spells characters."""
    split = _splitter(vocabulary)
    plain = character_variant(
        split, "", Unknowns(vocabulary.known, model.byte_fallback, not model.byte_fallback), False
    )
    whole = {text: (text.encode(),) for text in vocabulary.user_defined}

    def spell(pre_token: str) -> Word:
        return whole.get(pre_token) or plain.spell(pre_token)

    return replace(
        byte_variant(split, ""),
        about="Text is changed, split and spelled as the model's file says.",
        unit="characters",
        spell=spell if whole else plain.spell,
        spell_bytes=None,
        decode=_decoder(model, vocabulary),
        decodes_special=True,
        lone_bytes=model.byte_fallback,
        byte_symbols=plain.byte_symbols,
        joins_unknown=plain.joins_unknown,
        loses="whatever the model's rules change: spaces, forms of characters, unknown characters",
        remake=lambda: (pieces_variant, (replace(model, pieces=()), vocabulary)),
    )


def _splitter(vocabulary: Vocabulary) -> Callable[[str], list[str]]:
    cut = _cutter(vocabulary)
    if not vocabulary.user_defined:
        return cut
    longest_first = sorted(vocabulary.user_defined, key=len, reverse=True)
    pattern = regex.compile("(" + "|".join(map(regex.escape, longest_first)) + ")")

    def split(text: str) -> list[str]:
        pre_tokens: list[str] = []
        for number, part in enumerate(pattern.split(text)):
            pre_tokens += [part] if number % 2 else cut(part) if part else []
        return pre_tokens

    return split


def _cutter(vocabulary: Vocabulary) -> Callable[[str], list[str]]:
    """Return the function that cuts a text without changing its tokens: only where no piece can continue."""
    if METASPACE.encode() in vocabulary.known:  # else unknown characters on both sides would be one
        for pattern in (_BEFORE, _BEHIND):
            if all(map(pattern.fullmatch, vocabulary.learned)):
                find = regex.compile(pattern.pattern).findall
                return lambda text: [part for part in find(text) if part]
    return lambda text: [text] if text else []


def _decoder(model: ModelFile, vocabulary: Vocabulary) -> Callable[[Iterable[Symbol]], str]:
    """Return the function that joins pieces. Source: sentencepiece_processor.cc, Decode."""
    unknown, surface = vocabulary.unknown.encode(), model.unknown_surface.encode()
    space, rules = METASPACE.encode(), model.normalizing
    strips = rules.strips_spaces
    one = rules.dummy_prefix and not strips
    # No text is encoded with the piece of a byte whose character is a piece, too, but its id can be decoded.
    bytes_of_file = BYTES if model.byte_fallback else {}
    byte_of = {text.encode(): byte for text, byte in bytes_of_file.items() if byte in vocabulary.known}

    control = {text.encode() for text in vocabulary.control}

    def decode(symbols: Iterable[Symbol]) -> str:
        texts: list[str] = []
        parts: list[Symbol] = []
        begins = True
        for symbol in symbols:
            if symbol in control:  # is no text, and ends a run of bytes
                texts.append(b"".join(parts).decode("utf-8", _EACH_BYTE))
                parts = []
                continue
            if symbol == unknown:
                parts.append(surface)
                begins = False
                continue
            text = byte_of.get(symbol, symbol)
            if begins and (one or strips) and text.startswith(space):
                text = text.removeprefix(space)
                begins = strips and not text
            else:
                begins = False
            parts.append(text.replace(space, b" "))
        return "".join((*texts, b"".join(parts).decode("utf-8", _EACH_BYTE)))

    return decode


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """Return U+FFFD for every byte that is no character, as the library does."""
    assert isinstance(error, UnicodeDecodeError)
    return "\ufffd" * (error.end - error.start), error.end


codecs.register_error(_EACH_BYTE, _replaced)
