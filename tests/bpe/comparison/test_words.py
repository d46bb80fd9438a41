"""Encoded text: the tokens of a document, counted in the units in which they begin."""

from bisect import bisect_right
from collections import Counter
from itertools import accumulate
from typing import Any

import pytest

import bpe
from bpe.comparison.held_out import held_out
from bpe.comparison.words import encoded_text, encoded_texts, pieces_of
from bpe.text.normalizing import NORMALIZATIONS, Normalization

HELD_OUT_DOCUMENTS = (
    ["one line\n\n  more of it\n" * 25],
    ["  word ﬁ e\u0301\t" * 300 + "\r\n \r\n"],
    ["a\u0301b\u2028c\n" * 11, " \n", "\u0301\nx\n\n\n" * 11],
    [f"document {number}\n" for number in range(30)],
)
LANES_OF_EVERY_KIND: dict[str, dict[str, Any]] = {
    **{variant: {"variant": variant} for variant in bpe.VARIANTS},
    **{form: {"variant": "bytes-gpt2", "normalization": form} for form in NORMALIZATIONS},
    "pre-tokens across line ends": {"variant": bpe.custom_variant(r"\w+\s+\w")},
    **{f"preset {slug}": dict(preset.settings) for slug, preset in bpe.PRESETS.items()},
}


@pytest.mark.parametrize("settings", LANES_OF_EVERY_KIND.values(), ids=LANES_OF_EVERY_KIND)
def test_the_tokens_of_the_units_are_those_of_the_documents(settings: dict[str, Any]) -> None:
    tokenizer = bpe.train(
        "one line\nwith more\n\nof it\n" * 3, **settings | {"merges": 12, "vocab_size": None}
    ).tokenizer()
    for documents in HELD_OUT_DOCUMENTS:
        text = held_out(documents)
        for units, encoded in zip(text.units_of, encoded_texts(tokenizer, text.texts), strict=True):
            numbers = encoded.tokens_in(units)
            assert len(numbers) == len(units)
            assert sum(numbers) == len(tokenizer.tokens("".join(units)))
            if tokenizer.normalise("".join(units)) == "".join(units):
                starts = list(accumulate(map(len, units), initial=0))[:-1]
                # A marker that spans nothing is a part of the word before it.
                begins = [begin - (begin == end) for begin, end in tokenizer.offsets("".join(units))]
                expected = Counter(max(bisect_right(starts, begin) - 1, 0) for begin in begins)
                assert numbers == [expected[unit] for unit in range(len(units))]


def test_a_normalised_text_keeps_its_tokens_in_their_units() -> None:
    tokenizer = bpe.train("ab", "bytes-gpt2", normalization="NFKC", merges=0).tokenizer()
    units = ["ﬁ\n", "ﬁﬁ\n", "x"]
    assert encoded_text(tokenizer, "".join(units)).tokens_in(units) == [3, 5, 1]


@pytest.mark.parametrize("variant", bpe.VARIANTS)
def test_a_word_is_split_where_its_tokens_are_whatever_marks_it(variant: str) -> None:
    text, word = "\n  so Größe,\tso Größe", "Größe,"
    tokenizer = bpe.train(f"{word} " * 9, variant, merges=3).tokenizer()
    start = text.index(word)
    (split,) = encoded_text(tokenizer, text).splits([(start, start + len(word))])
    ends = accumulate(len(token) for token in tokens_without_marker(tokenizer, word))
    assert b"".join(pieces_of(word, split)) == word.encode()
    assert list(accumulate(map(len, pieces_of(word, split)))) == sorted(set(ends) - {0})


def tokens_without_marker(tokenizer: bpe.Tokenizer, word: str) -> list[bytes]:
    """Return the tokens of a word alone that spell its letters."""
    marker = tokenizer.variant.marker
    tokens = tokenizer.tokens(f" {word}" if tokenizer.variant.slug in AFTER_SPACES else word)
    return [token.replace(marker, b"") if marker else token.removeprefix(b" ") for token in tokens]


AFTER_SPACES = ("bytes-gpt2", "bytes-gpt4", "bytes")


@pytest.mark.parametrize(
    ("form", "word", "pieces"),
    [("NFKC", "ﬁn", [b"\xef", b"\xac\x81", b"n"]), ("NFC", "e\u0301x", ["e\u0301".encode(), b"x"])],
)
def test_a_word_keeps_its_letters_where_a_form_of_unicode_changes_them(
    form: Normalization, word: str, pieces: list[bytes]
) -> None:
    """NFKC makes two letters of ﬁ, which can be split; NFC makes one of e and its accent, which cannot."""
    tokenizer = bpe.train(word, "char-eow", normalization=form, merges=0).tokenizer()
    (split,) = encoded_text(tokenizer, word).splits([(0, len(word))])
    assert list(pieces_of(word, split)) == pieces
