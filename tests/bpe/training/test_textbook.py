"""The ten-line textbook trainer and the fast trainer learn the same merges."""

import random
from collections.abc import Callable

import pytest

from bpe import VARIANTS, train
from bpe.training.textbook import textbook_train
from tests.material.texts import TOYS, languages, runs, source, ties
from tests.naive import naive_train, naive_words

TEXTBOOK_TEXTS: dict[str, Callable[[], str]] = {
    "languages": lambda: languages()[:3_000],
    "source code": lambda: source()[:3_000],
    "ties": lambda: ties()[:1_500],
    "runs": lambda: runs()[:1_500],
    "empty": lambda: "",
    "one letter": lambda: "a",
}


@pytest.mark.parametrize("variant", ["char-eow", "char-metaspace", "bytes-gpt2", "bytes"])
@pytest.mark.parametrize("text", TEXTBOOK_TEXTS.values(), ids=TEXTBOOK_TEXTS)
def test_the_fast_trainer_learns_what_the_textbook_learns(text: Callable[[], str], variant: str) -> None:
    words = naive_words(text(), VARIANTS[variant])
    assert train(text(), variant, merges=60).merges == textbook_train(words, 60)


@pytest.mark.parametrize("name", TOYS)
def test_both_learn_a_small_text_until_no_pair_is_left(name: str) -> None:
    words = naive_words(TOYS[name], VARIANTS["char-eow"])
    assert train(TOYS[name]).merges == textbook_train(words, 10_000)


def test_both_learn_hundreds_of_random_texts_alike() -> None:
    rng = random.Random(5)
    for _ in range(300):
        text = "".join(rng.choices("aab c", k=rng.randint(0, 60)))
        for variant in ("bytes", "char-eow"):
            words = naive_words(text, VARIANTS[variant])
            assert train(text, variant).merges == textbook_train(words, 1_000), (text, variant)


def test_the_oracle_with_the_first_rule_is_the_textbook() -> None:
    variant = VARIANTS["char-eow"]
    words = naive_words(languages()[:2_000], variant)
    steps = naive_train(words, "first", 40, variant=variant)
    assert [pair for pair, _, _ in steps] == textbook_train(words, 40)
