"""Whether a text is a list of a few words is found out without a list of all its words."""

import random
import tracemalloc

import pytest

from ui.show.first_view import MOST_WORDS, few_words


@pytest.mark.parametrize("part", [1, 2, 3, 5, 100])
def test_reading_in_parts_counts_as_splitting_the_whole(part: int) -> None:
    chance = random.Random(part)
    for _ in range(300):
        text = "".join(chance.choices(["a", "b", " ", "\n", "\u3000"], k=chance.randint(0, 12)))
        words = text.split()
        if max(map(len, words), default=0) < part:
            assert few_words(text, part) == (len(words), len({*words})), repr(text)


def test_a_long_text_takes_little_memory() -> None:
    text, numbers = "low lower newest widest " * 200_000, " ".join(map(str, range(100_000)))
    tracemalloc.start()
    assert few_words(text) == (800_000, 4)
    assert few_words(numbers) is None
    assert few_words("a" * 1_000_000) is None
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000
    assert MOST_WORDS < 100
