"""Spectrum: one text as words, subwords, characters and bytes, and how each level handles unseen words."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

import regex

from bpe.analysis.alignment import Cell, Row, byte_row, character_name, text_label, token_row
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.normalizing import Normalised
from bpe.text.variant import Variant
from bpe.trace.trace import Trace

words_of = re.compile(r"\S+").findall  # between white space
signs_apart = regex.compile(r"\w+|[^\w\s]").findall  # words, and each punctuation mark by itself
REPLACEMENT = "\ufffd"  # what bytes decode to that are no character
SPACE_OR_WORD = regex.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Level:
    """One level of the spectrum."""

    slug: str
    title: str
    about: str  # how the level handles an unseen word
    good: str  # what speaks for the level, in a few words
    price: str  # and what against it
    vocabulary: int  # number of tokens
    row: Callable[[Normalised], Row]  # text -> its tokens, in columns of bytes


def spectrum(trace: Trace, tokenizer: Tokenizer) -> list[Level]:
    """Return the four levels, the longest tokens first. The trace's corpus decides which words are known."""
    words = frozenset(chain.from_iterable(map(signs_apart, trace.pre_tokens)))
    characters = frozenset(character for pre_token in trace.pre_tokens for character in pre_token)

    def subwords(text: Normalised) -> Row:
        row = token_row(text.text, tokenizer.normalised_tokens(text), tokenizer.variant, tokenizer.ids)
        return replace(row, slug="subword", title="Subwords")

    return [
        Level(
            "word",
            "Words",
            "Split at white space and punctuation. Unseen words are lost completely.",
            "The shortest row, and each token means something",
            "A huge vocabulary, and unseen words are lost",
            len(words),
            lambda text: Row("word", "Words", tuple(_words(words, text.text))),
        ),
        Level(
            "subword",
            "Subwords",
            _about_subwords(tokenizer.variant),
            "Frequent words are one token, and rare words still have parts",
            "The tokens must be learned first, and they depend on the training text",
            len(tokenizer.vocabulary),
            subwords,
        ),
        Level(
            "character",
            "Characters",
            "Unseen words are spelled out. An unseen character is unknown, and Unicode has more than 150,000.",
            "A small vocabulary for one script, and nothing to learn",
            "A long row, and a character alone means little",
            len(characters | {" "}),
            lambda text: Row("character", "Characters", tuple(_characters(characters, text.text))),
        ),
        Level(
            "byte",
            "Bytes",
            "Nothing is ever unknown: 256 values spell any text. The price is the longest row.",
            "The smallest vocabulary, and it can spell any text",
            "The longest row, and many characters need several tokens",
            256,
            lambda text: replace(byte_row(text.text), slug="byte", title="Bytes"),
        ),
    ]


def tokens_in(row: Row) -> int:
    """Return how many tokens a row holds. A gap is not a token.

    >>> tokens_in(Row("word", "Words", tuple(_words({"low"}, "low lower"))))
    2
    """
    return sum(cell.kind != "gap" for cell in row.cells)


def unknown_in(row: Row) -> int:
    """Return how many tokens of a row are unknown.

    >>> unknown_in(Row("word", "Words", tuple(_words({"low"}, "low lower"))))
    1
    """
    return sum(cell.kind == "unknown" for cell in row.cells)


def corpus_words(trace: Trace) -> list[str]:
    """Return the words between white space in the corpus's pre-tokens, in order of first appearance."""
    texts: Iterable[str] = trace.pre_tokens
    variant = trace.variant
    if (
        trace.request.normalizer or variant.partial_bytes
    ):  # of a file: as typed, without ▁ and parts of characters
        decoded = (variant.decode(variant.spell(pre_token)) for pre_token in trace.pre_tokens)
        texts = (text for text in decoded if REPLACEMENT not in text)
    return list(dict.fromkeys(chain.from_iterable(map(words_of, texts))))


def _about_subwords(variant: Variant) -> str:
    if variant.unit == "bytes":
        return "Unseen words fall into known parts, down to single bytes if need be."
    return "Unseen words fall into known parts, down to single characters. An unseen character is unknown."


def _words(words: Collection[str], text: str) -> Iterator[Cell]:
    start = 0
    for match in SPACE_OR_WORD.finditer(text):
        part = match.group()
        end = start + len(part.encode())
        if part.isspace():
            yield Cell(start, end, text_label(part), "white space is not a token here", "gap")
        elif part in words:
            yield Cell(start, end, part, "a word of the training text", "token", part.encode())
        else:
            yield Cell(start, end, part, "<unk>: the training text has no such word", "unknown")
        start = end


def _characters(characters: Collection[str], text: str) -> Iterator[Cell]:
    start = 0
    for character in text:
        end = start + len(character.encode())
        label = text_label(character)
        # White space is known even if the variant drops it from the corpus's pre-tokens.
        if character in characters or character.isspace():
            yield Cell(start, end, label, character_name(character), "token", character.encode())
        else:
            about = f"<unk>: the training text has no {character_name(character)}"
            yield Cell(start, end, label, about, "unknown")
        start = end
