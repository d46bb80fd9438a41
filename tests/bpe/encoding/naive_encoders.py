"""Every encoder once more, as the textbook has it, without any index; and vocabularies to encode with."""

import random
from collections.abc import Callable, Sequence
from functools import cache, partial
from inspect import signature

import pytest

from bpe import VARIANTS, Pair, Symbol, Word, train
from bpe.encoding.encoders import ENCODERS, Encoder, textbook_of
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


def naive_longest(known: EncoderInput, word: Word) -> Word:
    """Split the word at the first position of the best token, then left and right of it. Fast in long words."""
    order = sorted(known.ids, key=lambda token: (-len(token), -known.frequencies.get(token, 0)))
    text = b"".join(word)
    for token in order:
        start = text.find(token)
        if start >= 0:
            end = start + len(token)
            return (*naive_longest(known, word[:start]), token, *naive_longest(known, word[end:]))
    return word


def textbook_names(encoder: Encoder, known: EncoderInput) -> dict[str, object]:
    """Return what the parameters of the textbook's functions stand for, by their names."""
    ids, frequencies, length = known.ids, known.frequencies, known.variant.length
    tokens = sorted(ids, key=lambda token: (-length(token), -frequencies.get(token, 0), ids[token]))
    return {
        "merges": known.merges,
        "ids": ids,
        "tokens": tokens,
        "frequencies": frequencies,
        **encoder.value_of,
    }


def by_textbook(slug: str, known: EncoderInput, word: Word) -> Word:
    """Return what the textbook's function gives. Without counts, an encoder that needs them is another one."""
    row = ENCODERS[slug]
    if row.needs_counts and not known.frequencies:
        row = ENCODERS[WITHOUT_COUNTS[slug]]
    encode, *_ = textbook_of(row, known)
    names = textbook_names(row, known)
    return tuple(encode(word, **{name: names[name] for name in list(signature(encode).parameters)[1:]}))


WITHOUT_COUNTS = {"longest-in-use": "longest", "trimmed": "rank"}
ORACLES: dict[str, Callable[[EncoderInput, Word], Word]] = {
    slug: partial(by_textbook, slug) for slug in ENCODERS
}


@cache
def trained(letters: str, length: int, merges: int) -> EncoderInput:
    text = "".join(random.Random(5).choices(letters, k=length))
    return vocabulary(train(text, variant="bytes", merges=merges).merges)
