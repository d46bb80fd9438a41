"""Spectrum: one text in words, subwords, characters and bytes: how many tokens, and what unseen words become."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial

import regex

from bpe.symbols import Symbol
from bpe.tokenizer import Tokenizer
from bpe.trace import Trace

WORD = regex.compile(r"\S+")  # between white space


@dataclass(frozen=True, slots=True)
class Piece:
    """One token of a level: the text it stands for, in characters [start, end), and whether the level knows it."""

    start: int
    end: int
    label: str
    known: bool
    symbol: Symbol | None = None  # of a subword


@dataclass(frozen=True, slots=True)
class Level:
    """One place on the spectrum."""

    slug: str
    title: str
    about: str  # what its tokens are, and what becomes of a word it never saw
    vocabulary: int  # tokens it must know
    cut: Callable[[str], list[Piece]]


def spectrum(trace: Trace, tokenizer: Tokenizer) -> list[Level]:
    """The four levels, from the longest tokens to the shortest, as learned from the trace's corpus."""
    words = frozenset(corpus_words(trace))
    characters = frozenset(character for pre_token in trace.pre_tokens for character in pre_token)
    return [
        Level(
            "word",
            "Words",
            "A word it never saw is unknown, whatever its letters: everything in it is lost.",
            len(words),
            partial(_by_word, words),
        ),
        Level(
            "subword",
            "Subwords (these merges)",
            "A word it never saw falls into known parts, down to the alphabet if need be.",
            len(tokenizer.vocabulary),
            partial(_by_subword, tokenizer),
        ),
        Level(
            "character",
            "Characters",
            "A word it never saw is spelled out; a character it never saw is unknown, and Unicode has over 150,000.",
            len(characters),
            partial(_by_character, characters),
        ),
        Level(
            "byte",
            "Bytes",
            "Nothing is ever unknown: any text is a row of 256 values, at the price of the longest row.",
            256,
            _by_byte,
        ),
    ]


def corpus_words(trace: Trace) -> Iterable[str]:
    """The words between white space in the corpus's pre-tokens, in order of first appearance."""
    return dict.fromkeys(
        match.group() for pre_token in trace.pre_tokens for match in WORD.finditer(pre_token)
    )


def _by_word(words: Collection[str], text: str) -> list[Piece]:
    return [
        Piece(match.start(), match.end(), match.group(), match.group() in words)
        for match in WORD.finditer(text)
    ]


def _by_character(characters: Collection[str], text: str) -> list[Piece]:
    return [
        Piece(place, place + 1, character, character in characters) for place, character in enumerate(text)
    ]


def _by_byte(text: str) -> list[Piece]:
    return [
        Piece(place, place + 1, f"{byte:02X}", True)
        for place, character in enumerate(text)
        for byte in character.encode()
    ]


def _by_subword(tokenizer: Tokenizer, text: str) -> list[Piece]:
    known = frozenset(tokenizer.vocabulary)
    label = tokenizer.variant.label
    return [
        Piece(start, end, label(token), token in known, token)
        for token, (start, end) in zip(tokenizer.tokens(text), tokenizer.offsets(text), strict=True)
    ]
