"""Every encoder once more, as its definition says it and without any index; and vocabularies to encode with."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from bpe import VARIANTS, Pair, Symbol, Word, merge_pair, train
from bpe.encoding.encoders import ENCODERS, _draws
from bpe.encoding.merging import EncoderInput
from bpe.text.variants import initial_symbols
from tests.naive import naive_encode

BYTES = VARIANTS["bytes"]

encoder = pytest.mark.parametrize("encoder", ENCODERS)


def vocabulary(
    merges: Sequence[Pair] = (),
    tokens: Sequence[Symbol] = (),
    frequencies: dict[Symbol, int] | None = None,
    variant: str = "bytes",
) -> EncoderInput:
    """Return the input of an encoder, with ids in the order given; the letters of the merges come first."""
    parts = [
        part for left, right in merges for word in (left, right) for part in initial_symbols(word, BYTES)
    ]
    symbols = dict.fromkeys([*parts, *(left + right for left, right in merges), *tokens])
    return EncoderInput(VARIANTS[variant], {s: n for n, s in enumerate(symbols)}, merges, frequencies or {})


def spelled(text: str) -> Word:
    return BYTES.spell(text)


def encoded(slug: str, known: EncoderInput, text: str) -> list[Symbol]:
    return list(ENCODERS[slug].prepared(known).encode(spelled(text)))


def naive_rank(known: EncoderInput, word: Word) -> Word:
    return naive_encode(word, known.merges)


def naive_rules(known: EncoderInput, word: Word) -> Word:
    for merge in known.merges:
        word = merge_pair(word, merge)
    return word


def naive_longest(known: EncoderInput, word: Word) -> Word:
    """Split the word as the article does: at the first position of the best token, then left and right of it."""
    order = sorted(known.ids, key=lambda token: (-len(token), -known.frequencies.get(token, 0)))
    text = b"".join(word)
    for token in order:
        start = text.find(token)
        if start >= 0:
            end = start + len(token)
            return (*naive_longest(known, word[:start]), token, *naive_longest(known, word[end:]))
    return word


def naive_longest_in_use(known: EncoderInput, word: Word) -> Word:
    """Do the same with the tokens that occur in the corpus."""
    ids = {token: number for token, number in known.ids.items() if known.frequencies.get(token)}
    return naive_longest(replace(known, ids=ids) if known.frequencies else known, word)


def naive_prefix(known: EncoderInput, word: Word) -> Word:
    text = b"".join(word)
    for length in range(len(text), 0, -1):
        if text[:length] in known.ids:
            return (text[:length], *naive_prefix(known, word[length:]))
    return (text[:1], *naive_prefix(known, word[1:])) if text else ()


def naive_fewest(known: EncoderInput, word: Word) -> Word:
    """Try every split of the word: fewest unknown letters first, then fewest tokens, then longest tokens."""
    text = b"".join(word)
    ways = []
    for splits in product((False, True), repeat=max(len(text) - 1, 0)):
        tokens = [text[:1]] if text else []
        for split, letter in zip(splits, text[1:], strict=True):
            if split:
                tokens.append(bytes([letter]))
            else:
                tokens[-1] += bytes([letter])
        if all(token in known.ids or len(token) == 1 for token in tokens):
            unknown = sum(token not in known.ids for token in tokens)
            ways.append((unknown, len(tokens), [-len(token) for token in tokens], tuple(tokens)))
    return min(ways)[-1]


def naive_dropout(known: EncoderInput, word: Word) -> Word:
    """Draw for every position of the lowest rank, then of the next one, until a position remains; then begin anew."""
    draw, p = _draws(0, word), ENCODERS["dropout"].value_of["p"]
    while True:
        for merge in known.merges:
            positions = [i for i in range(len(word) - 1) if word[i : i + 2] == merge]
            remaining = [i for i in positions if draw.random() >= p]
            if remaining:
                break
        else:
            return word
        symbols, i = list(word[: remaining[0]]), remaining[0]
        while i < len(word):
            width = 2 if i in remaining else 1
            symbols.append(b"".join(word[i : i + width]))
            i += width
        word = tuple(symbols)


def naive_trimmed(known: EncoderInput, word: Word) -> Word:
    """Split the first rare token into its parts until there is none."""
    pairs = {left + right: (left, right) for left, right in reversed(known.merges)}
    least = ENCODERS["trimmed"].value_of["threshold"] if known.frequencies else 0
    tokens = list(naive_rank(known, word))
    while rare := [t for t in tokens if t in pairs and known.frequencies.get(t, 0) < least]:
        index = tokens.index(rare[0])
        tokens[index : index + 1] = pairs[rare[0]]
    return tuple(tokens)


ORACLES: dict[str, Callable[[EncoderInput, Word], Word]] = {
    "rank": naive_rank,
    "rules": naive_rules,
    "longest": naive_longest,
    "longest-in-use": naive_longest_in_use,
    "prefix": naive_prefix,
    "fewest": naive_fewest,
    "dropout": naive_dropout,
    "trimmed": naive_trimmed,
}


@cache
def trained(letters: str, length: int, merges: int) -> EncoderInput:
    text = "".join(random.Random(5).choices(letters, k=length))
    return vocabulary(train(text, variant="bytes", merges=merges).merges)
