"""Variants of two rare kinds of tokenizer.json: with a prefix inside words, and with splits after ByteLevel."""

from collections.abc import Iterable
from dataclasses import replace

from bpe.formats.hugging_face.variants.file_variants import Unknowns
from bpe.formats.spelling import Spelling
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import FIRST_OF_WORD, Symbol, Word
from bpe.text.variants import Variant, together

_UNMAPPED = {character: bytes([value]) for value, character in REMAPPED.items()}


def prefixed_variant(variant: Variant, unknowns: Unknowns) -> Variant:
    """Return the variant of a file with `continuing_subword_prefix`: the first character of a word is marked.

    The file writes ## before the others instead, and a merge leaves out the ## of its right token. So a merge of our
    symbols is a merge of the file's.
    """

    def spell(pre_token: str) -> Word:
        symbols = [character.encode() for character in pre_token]
        if symbols:
            symbols[0] = FIRST_OF_WORD + symbols[0]
        return tuple(together(symbols, unknowns.known) if unknowns.together else symbols)

    def decode(symbols: Iterable[Symbol]) -> str:
        return b"".join(symbols).replace(FIRST_OF_WORD, b" ").removeprefix(b" ").decode("utf-8", "replace")

    return replace(variant, spell=spell, decode=decode, marker=FIRST_OF_WORD, marker_text="▁")


def prefixed_spelling(plain: Spelling, prefix: str) -> Spelling:
    """Return how such a file spells symbols, given how it spells the characters in them."""

    def write(symbol: Symbol) -> str:
        first = symbol.startswith(FIRST_OF_WORD)
        return ("" if first else prefix) + plain.write(symbol.removeprefix(FIRST_OF_WORD))

    def read(text: str) -> Symbol:
        if text.startswith(prefix) and text != prefix:
            return plain.read(text.removeprefix(prefix))
        return FIRST_OF_WORD + plain.read(text)

    return Spelling(write, read)


def remapped(text: str) -> str:
    """Return the text with each byte as GPT-2's files write it.

    >>> remapped("é a")
    'Ã©Ġa'
    """
    return "".join(map(REMAPPED.__getitem__, text.encode()))


def unmapped(text: str) -> str:
    """Return the text whose bytes are written so; U+FFFD for bytes that are no character.

    >>> unmapped("Ã©Ġa")
    'é a'
    """
    return b"".join(_UNMAPPED.get(letter) or letter.encode() for letter in text).decode("utf-8", "replace")


def remapped_variant(variant: Variant) -> Variant:
    """Return the variant of a file that splits text after it is written in bytes, as Falcon's does.

    A split can then lie inside a character, so the words are those of the remapped text.
    """
    return replace(variant, decode=lambda symbols: unmapped(b"".join(symbols).decode("utf-8", "replace")))
