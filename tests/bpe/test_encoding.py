"""Encoders, compared with readable oracles on trained, shuffled and typed vocabularies and words of any length."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe import VARIANTS, Pair, Symbol, Word, merge_pair, train
from bpe.encoding.by_dropout import draws
from bpe.encoding.by_vocabulary import LONG_TOKEN
from bpe.encoding.encoder_input import EncoderInput, apply_steps
from bpe.encoding.encoders import ENCODERS
from bpe.encoding.merge_table import SHORT_WORD
from bpe.text.initial_symbols import initial_symbols
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


# The oracles


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
    draw, p = draws(0, word), ENCODERS["dropout"].value_of["p"]
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


def test_every_encoder_has_an_oracle() -> None:
    assert ORACLES.keys() == ENCODERS.keys()


# Small cases that a reader can check

LADDER = [(b"a", b"b"), (b"ab", b"c"), (b"d", b"e"), (b"c", b"de"), (b"b", b"c")]


@pytest.mark.parametrize(
    ("slug", "text", "tokens"),
    [
        pytest.param("rank", "abcde", "abc de", id="rank: a+b, ab+c, d+e; nothing is left for c+de"),
        pytest.param("rank", "bcde", "b cde", id="rank: d+e before b+c"),
        pytest.param("longest", "abcde", "ab cde", id="longest: the token that comes later when lengths tie"),
        pytest.param("prefix", "abcde", "abc de", id="prefix"),
        pytest.param("fewest", "abcde", "abc de", id="fewest: of two ways the longer token first"),
        pytest.param("fewest", "abcdeabcde", "abc de abc de", id="fewest: twice"),
        pytest.param("longest", "xabcx", "x abc x", id="longest: unknown letters stay"),
        pytest.param("rank", "", "", id="nothing"),
    ],
)
def test_a_small_word_is_encoded(slug: str, text: str, tokens: str) -> None:
    known = vocabulary(LADDER, frequencies={b"cde": 5, b"abc": 3})
    assert encoded(slug, known, text) == [token.encode() for token in tokens.split()]


def test_the_lowest_id_wins_where_length_and_frequency_tie() -> None:
    assert encoded("longest", vocabulary(tokens=[b"bc", b"ab"]), "abc") == [b"a", b"bc"]
    assert encoded("longest", vocabulary(tokens=[b"ab", b"bc"]), "abc") == [b"ab", b"c"]


def test_merges_run_left_to_right_without_overlap() -> None:
    known = vocabulary([(b"a", b"a")])
    assert encoded("rank", known, "aaaaa") == [b"aa", b"aa", b"a"]


def test_rules_apply_a_merge_once_where_rank_returns_to_it() -> None:
    edited = vocabulary([(b"ab", b"c"), (b"a", b"b")])  # the first uses the token that the second makes
    assert encoded("rank", edited, "abc") == [b"abc"]
    assert encoded("rules", edited, "abc") == [b"ab", b"c"]


def test_rank_applies_a_merge_everywhere_before_it_chooses_the_next() -> None:
    edited = vocabulary([(b"ab", b"a"), (b"a", b"b")])
    assert encoded("rank", edited, "abab") == [b"ab", b"ab"]  # one at a time, left to right, would give aba b


def test_two_merges_may_make_the_same_token() -> None:
    known = vocabulary([(b"a", b"b"), (b"b", b"c"), (b"ab", b"c"), (b"a", b"bc")])
    assert encoded("rank", known, "abc") == [b"abc"]


def test_a_marker_counts_as_one_letter_for_longest() -> None:
    attached = EncoderInput(VARIANTS["char-eow-attached"], {b"ab": 0, b"bc\xff": 1}, (), {})
    word = VARIANTS["char-eow-attached"].spell("abc")
    assert list(ENCODERS["longest"].prepared(attached).encode(word)) == [b"a", b"bc\xff"]


# Comparisons with the oracles

letters = st.text("abc", max_size=8)


@st.composite
def edited_merges(draw: st.DrawFn) -> list[Pair]:
    """Draw merges in any order. Their parts may or may not be made by other merges."""
    parts = st.sampled_from([b"a", b"b", b"c", b"aa", b"ab", b"ba", b"bc", b"aab", b"abc", b"abab"])
    return draw(st.lists(st.tuples(parts, parts), max_size=12, unique=True))


@encoder
@settings(max_examples=100)
@given(merges=edited_merges(), text=letters, seed=st.integers(0, 3))
def test_edited_merges_encode_as_the_oracle_does(
    encoder: str, merges: list[Pair], text: str, seed: int
) -> None:
    draw = random.Random(seed)
    known = vocabulary(merges, frequencies={left + right: draw.randint(0, 2) for left, right in merges})
    assert tuple(encoded(encoder, known, text)) == ORACLES[encoder](known, spelled(text))


@encoder
@settings(max_examples=100)
@given(
    tokens=st.lists(
        st.binary(min_size=1, max_size=4).map(lambda b: bytes(97 + c % 3 for c in b)), max_size=8
    ),
    text=letters,
)
def test_typed_tokens_encode_as_the_oracle_does(encoder: str, tokens: list[bytes], text: str) -> None:
    known = vocabulary(tokens=tokens)
    assert tuple(encoded(encoder, known, text)) == ORACLES[encoder](known, spelled(text))


@encoder
@settings(max_examples=50)
@given(merges=edited_merges(), text=letters)
def test_the_steps_lead_to_the_tokens(encoder: str, merges: list[Pair], text: str) -> None:
    ready = ENCODERS[encoder].prepared(vocabulary(merges))
    word = spelled(text)
    assert apply_steps(word, ready.steps(word)) == list(ready.encode(word))


@cache
def trained(letters: str, length: int, merges: int) -> EncoderInput:
    text = "".join(random.Random(5).choices(letters, k=length))
    return vocabulary(train(text, variant="bytes", merges=merges).merges)


@settings(max_examples=100)
@given(text=st.text("ab", max_size=40))
def test_rank_and_rules_agree_for_trained_merges(text: str) -> None:
    known = trained("ab", 500, 60)
    assert (
        encoded("rank", known, text)
        == encoded("rules", known, text)
        == list(naive_rank(known, spelled(text)))
    )


# Long words

LONG_WORDS = {
    "one letter": "a" * 1_001,
    "letters at random": "".join(random.Random(3).choices("ab", k=1_000)),
    "a long run in between": "b" + "a" * 700 + "bab" + "a" * 200,
}


@pytest.mark.parametrize("slug", ["rank", "rules"])
@pytest.mark.parametrize("text", LONG_WORDS.values(), ids=LONG_WORDS)
def test_long_words_are_encoded_as_short_ones(slug: str, text: str) -> None:
    known = trained("ab", 500, 60)
    assert len(text) > SHORT_WORD
    assert tuple(encoded(slug, known, text)) == naive_rank(known, spelled(text))


@pytest.mark.parametrize("slug", ["longest", "prefix"])
@pytest.mark.parametrize("text", LONG_WORDS.values(), ids=LONG_WORDS)
def test_tokens_too_long_to_slice_are_found(slug: str, text: str) -> None:
    runs = [b"a" * length for length in (1, 2, 63, LONG_TOKEN, LONG_TOKEN + 1, 100, 200, 333)]
    known = vocabulary(tokens=[b"b", b"ab", *runs, b"b" + b"a" * 199, b"a" * 199 + b"b"])
    assert tuple(encoded(slug, known, text)) == ORACLES[slug](known, spelled(text))


@pytest.mark.parametrize("length", [700, 999, 1_000])
def test_the_fewest_long_tokens_are_found(length: int) -> None:
    tokens = encoded("fewest", vocabulary(tokens=[b"a", b"a" * 70, b"a" * 300]), "a" * length)
    assert len(tokens) == min(
        long + middle + length - 300 * long - 70 * middle
        for long in range(length // 300 + 1)
        for middle in range((length - 300 * long) // 70 + 1)
    )


@pytest.mark.parametrize("encoder", [slug for slug, row in ENCODERS.items() if not row.settings])
def test_a_run_of_100_000_letters_becomes_powers_of_two(encoder: str) -> None:
    known = trained("a", 4_096, 12)
    assert len(encoded(encoder, known, "a" * 100_000)) == 100_000 // 4_096 + (100_000 % 4_096).bit_count()


@encoder
def test_a_word_four_times_as_long_takes_about_four_times_as_long(encoder: str) -> None:
    ready = ENCODERS[encoder].prepared(trained("a", 4_096, 12))

    def seconds(length: int) -> float:
        word = spelled("a" * length)
        started = time.process_time()
        ready.encode(word)
        return time.process_time() - started

    # Quadratic time would be 16 times as long. One undisturbed run is enough to see it.
    assert any(seconds(20_000) < 8 * seconds(5_000) for _ in range(10))
