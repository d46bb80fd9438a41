"""Long words are encoded as short ones are, and in time that grows with their length."""

import random
import time

import pytest

from bpe.encoding.encoders import ENCODERS, LONG_TOKEN
from bpe.encoding.merging import SHORT_WORD
from tests.bpe.encoding.naive_encoders import (
    ORACLES,
    encoded,
    encoder,
    naive_rank,
    spelled,
    trained,
    vocabulary,
)

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
