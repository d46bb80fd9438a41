"""File source: all of a tokenizer.json but its vocabulary and merges, so that it can be written again, or pickled.

What a file says about text is derived from it: the variant, the normalizer, the finder of its added tokens and the
decoder. A pickle holds the file's parts, and whoever reads it derives the same again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from bpe.formats.hugging_face.decoders import read_decoder
from bpe.formats.hugging_face.parts import Part
from bpe.formats.hugging_face.text_reading import ModelOptions, Reading, read_reading
from bpe.text.added_tokens import AddedToken, TokenFinder
from bpe.text.normalizing import Normalizer
from bpe.text.variants import VARIANTS, Variant


@dataclass(frozen=True)
class FileSource:
    """A tokenizer.json without its vocabulary and merges."""

    whole: Part  # with None in the place of model.vocab and model.merges
    options: ModelOptions
    added: tuple[AddedToken, ...]
    texts: tuple[str | None, ...]  # the tokens as the file spells them, by id
    lone: frozenset[str]  # texts of the added tokens that are no symbols of the model
    outside: frozenset[int]  # ids of the added tokens that model.vocab does not list
    merges_as_texts: bool  # each merge is a text with a space, as in older files

    @cached_property
    def reading(self) -> Reading:
        """How the file reads text."""
        others = self.lone | {self.options.unknown, None}
        learned = {
            number: text for number, text in enumerate(self.texts) if text is not None and text not in others
        }
        reading = read_reading(self.whole, self.options, learned, self.added)
        variant, normalizer, finder = reading.variant, reading.normalizer, reading.finder
        if VARIANTS.get(variant.slug) is not variant:
            variant = replace(variant, remake=lambda: (_variant, (self,)))
        if normalizer is not None:
            normalizer = replace(normalizer, remake=lambda: (_normalizer, (self,)))
        if finder is not None:
            finder = replace(finder, remake=lambda: (_finder, (self,)))
        return replace(reading, variant=variant, normalizer=normalizer, finder=finder)

    @property
    def prefix(self) -> str:
        """What every token but the first of a word begins with in the file."""
        return self.options.prefix

    @cached_property
    def decode(self) -> Callable[[Sequence[str]], str] | None:
        """The function that joins tokens, as the file spells them, to a text; None for an unknown decoder."""
        return read_decoder(self.whole.get("decoder"))

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.whole, self.options, self.added, self.texts, self.lone, self.outside)
        return FileSource, (*fields, self.merges_as_texts)


@dataclass(frozen=True)
class Template:
    """A tokenizer.json that says the same as a file of another format, or why there is none."""

    texts: tuple[str, ...]  # the tokens as that file spells them, by id
    whole: Part  # without model.vocab and model.merges
    refusal: str = ""
    lone: frozenset[str] = frozenset()
    decode: None = None
    prefix: str = ""


def _variant(source: FileSource) -> Variant:
    return source.reading.variant


def _normalizer(source: FileSource) -> Normalizer | None:
    return source.reading.normalizer


def _finder(source: FileSource) -> TokenFinder | None:
    return source.reading.finder
