"""Source: what a tokenizer knows of the file that it was opened from: how the file spells and joins its tokens."""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from bpe.symbols import Pair, Symbol


class Source(Protocol):
    """The part of a file that a tokenizer needs."""

    @property
    def texts(self) -> Sequence[str | None]:
        """The tokens as the file spells them, by id; None for an id that no token has."""

    @property
    def prefix(self) -> str:
        """What every token but the first of a word begins with in the file; "" for most files."""

    @property
    def lone(self) -> Collection[str]:
        """The added tokens that are no symbols of the model."""

    @property
    def decode(self) -> Callable[[Sequence[str]], str] | None:
        """The function that joins tokens, as the file spells them, to a text; None if the file has no such part."""


def token_texts(source: Source, vocabulary: Sequence[Symbol], merges: Sequence[Pair]) -> list[str]:
    """Return the tokens of a vocabulary as the file spells them, by id; "" for an id that no token has.

    A token that was learned after the file was opened is spelled as its two parts.
    """
    texts = [text or "" for text in source.texts[: len(vocabulary)]]
    if len(vocabulary) > len(texts):
        text_of = symbol_texts(source, vocabulary)
        for left, right in merges:
            if left + right not in text_of and left in text_of and right in text_of:
                text_of[left + right] = text_of[left] + text_of[right].removeprefix(source.prefix)
        texts += [text_of.get(symbol, "") for symbol in vocabulary[len(texts) :]]
    return [text if symbol else "" for text, symbol in zip(texts, vocabulary, strict=True)]


def symbol_texts(source: Source, vocabulary: Sequence[Symbol]) -> dict[Symbol, str]:
    """Return how the file spells the symbols that its merges may name."""
    text_of: dict[Symbol, str] = {}
    for symbol, text in zip(vocabulary, source.texts, strict=False):
        # An added token may be the same text as a learned one, spelled in another way.
        if symbol and text and (symbol not in text_of or text not in source.lone):
            text_of[symbol] = text
    return text_of
