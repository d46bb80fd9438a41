"""Precompiled: SentencePiece's table of characters in a tokenizer.json, as Hugging Face's tokenizers applies it.

Source: huggingface/tokenizers, normalizers/precompiled.rs.
"""

import binascii
from collections.abc import Callable, Iterator

import regex

from bpe.formats.charsmap import first_replacement
from bpe.formats.hugging_face.parts import FILE, Part
from bpe.formats.json_fields import expect
from bpe.symbols import BPEError
from bpe.text.before_splitting.alignment import Aligned
from bpe.text.before_splitting.normalizer import Normalizer

SHORT = 6  # bytes; a longer grapheme is looked up character by character


def read_precompiled(part: Part, field: str) -> list[Normalizer]:
    """Return the normalizer. Raises BPEError, with the field, for a table that cannot be read."""
    name = f"{FILE}, {field}.precompiled_charsmap"
    try:
        charsmap = binascii.a2b_base64(
            expect(part.get("precompiled_charsmap"), str, FILE, f"{field}.precompiled_charsmap"),
            strict_mode=True,
        )
    except binascii.Error:
        raise BPEError(f"{name}: expected base64.") from None
    pieces = _pieces_of(first_replacement(charsmap, name))

    def apply(text: str, begins: bool) -> str:
        return "".join(changed for _, changed in pieces(text))

    def align(text: str, begins: bool) -> Aligned:
        origins, at = [], 0
        for before, changed in pieces(text):
            origins += [at + min(number, len(before) - 1) for number in range(len(changed))]
            at += len(before)
        return apply(text, begins), [(start, start + 1) for start in origins]

    return [Normalizer("SentencePiece's table of characters", apply, align)]


def _pieces_of(first: Callable[[str], str | None]) -> Callable[[str], Iterator[tuple[str, str]]]:
    """Return the function that yields (piece of a text, what it becomes)."""

    def pieces(text: str) -> Iterator[tuple[str, str]]:
        for match in regex.finditer(r"\X", text):
            grapheme = match.group()
            changed = first(grapheme) if len(grapheme.encode()) < SHORT else None
            if changed is not None:
                yield grapheme, changed
                continue
            for character in grapheme:
                changed = first(character)
                yield character, character if changed is None else changed

    return pieces
