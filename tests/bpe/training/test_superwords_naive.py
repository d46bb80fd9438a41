"""Superwords beside a loop without any index: both stages, and the most words that a superword may have."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import BPEError, Pair, Variant, Word
from bpe.text.superwords import SECOND_PATTERNS, superword_variant
from tests.bpe.text.random_texts import examples
from tests.naive import NAIVE_TIE_BREAKS, NaiveStep, naive_encode, naive_train, naive_words


def naive_second_stage(
    text: str,
    second: Variant,
    first: list[NaiveStep],
    rule: str,
    merges: int,
    allowed: Callable[[Pair], bool] | None = None,
) -> list[NaiveStep]:
    """Learn merges over the longer words, which the merges of stage one have segmented in order of their ranks."""
    learned = [pair for pair, _, _ in first]
    words: dict[Word, int] = {}
    for word, frequency in naive_words(text, second).items():
        segmented = naive_encode(word, learned)
        words[segmented] = words.get(segmented, 0) + frequency
    symbols = {symbol for word in naive_words(text, second) for symbol in word}
    alphabet = [*sorted(symbols, key=lambda s: (s[-1:] == bpe.END_OF_WORD, s)), *map(b"".join, learned)]
    return naive_train(words, rule, merges, variant=second, alphabet=alphabet, allowed=allowed)


@examples(60)
@given(
    st.text("ab 1.\n", max_size=40),
    st.integers(0, 4),
    st.integers(0, 6),
    st.sampled_from(sorted(set(NAIVE_TIE_BREAKS) - {"manual", "random", "names-max"})),
    st.sampled_from([slug for slug in bpe.VARIANTS if slug not in ("bytes", "custom")]),
    st.sampled_from([*SECOND_PATTERNS, "1", "a "]),
)  # fmt: skip
def test_both_stages_are_those_of_a_loop_without_an_index(
    text: str, after: int, more: int, rule: str, variant: str, pattern: str
) -> None:
    row = bpe.VARIANTS[variant]
    trace = bpe.train(text, variant, rule, merges=after + more, second_pattern=pattern, second_after=after)
    first = naive_train(naive_words(text, row), rule, after, variant=row)
    second_variant = superword_variant(row, pattern)
    second = naive_second_stage(text, second_variant, first, rule, after + more - len(first))
    steps: list[tuple[Pair, int, int]] = [
        (pair, count, len(tied)) for pair, count, tied in (*first, *(second if more else ()))
    ]
    assert [(step.pair, step.count, step.tied) for step in trace.steps] == steps
    k = len(trace.steps)
    if more and len(trace.steps) < after + more:
        assert trace.stopped == "no pairs"
    if k > after:
        assert trace.tokenizer().tokens(text) == trace.segment(text, k)
    assert trace.tokenizer().decode(trace.tokenizer().encode(text)) == row.normalise(text)
    assert len(set(trace.symbols)) == len(trace.symbols)
    if trace.second_stage is not None and row.lossless:
        assert "".join(trace.variant.split(text)) == text


def words_in(token: bytes) -> int:
    """Count the words of a token letter by letter, as a reader would."""
    words, inside = 0, False
    for value in token:
        is_letter = value not in b" \xfe\xff"
        words += is_letter and not inside
        inside = is_letter
    return words


@examples(25)
@given(
    st.text("ab ", min_size=4, max_size=60),
    st.integers(0, 3),
    st.integers(1, 4),
    st.sampled_from(["first", "last", "ids-min", "pair-max", "longest"]),
    st.sampled_from(["bytes-gpt2", "char-eow", "char-metaspace"]),
)
def test_a_limit_of_words_is_that_of_a_loop_without_an_index(
    text: str, after: int, most: int, rule: str, variant: str
) -> None:
    row = bpe.VARIANTS[variant]
    second: dict[str, Any] = {"second_pattern": "lines", "second_after": after, "second_words": most}
    trace = bpe.train(text, variant, rule, merges=after + 8, **second)
    first = naive_train(naive_words(text, row), rule, after, variant=row)
    rest = naive_second_stage(
        text,
        superword_variant(row, "lines"),
        first,
        rule,
        after + 8 - len(first),
        lambda pair: words_in(pair[0] + pair[1]) <= most,
    )
    assert [(step.pair, step.count, step.tied) for step in trace.steps] == [
        (pair, count, len(tied)) for pair, count, tied in (*first, *rest)
    ]
    for k in range(len(trace.steps)):
        assert trace.steps[k].pair in trace.tied_pairs(k)
        assert len(trace.tied_pairs(k)) == trace.steps[k].tied


def test_superwords_have_at_most_so_many_words() -> None:
    text = "by the way of the sea, by the way of the sea\n" * 5
    for most in (None, 4, 2):
        trace = bpe.train(
            text, "bytes-gpt2", merges=40, second_pattern="lines", second_after=10, second_words=most
        )
        longest = max(words_in(left + right) for left, right in trace.merges)
        assert longest > 4 if most is None else longest == most
    base = bpe.train(text, "bytes-gpt2", merges=10).tokenizer()
    trace = bpe.continue_training(text, base, merges=30, second_pattern="lines", second_words=3)
    assert max(words_in(left + right) for left, right in trace.merges) == 3
    assert trace.settings["second_words"] == 3


def test_a_limit_of_words_does_not_concern_the_merges_that_are_replayed() -> None:
    text = "by the way of the sea by the way\n" * 3
    settings: dict[str, Any] = {"second_pattern": "lines"}
    longer = bpe.train(text, "bytes-gpt2", merges=40, second_after=5, **settings).tokenizer()
    replayed = bpe.replay(text, longer).steps
    trace = bpe.continue_training(
        text + "the sea of the sea of the sea", longer, merges=4, second_words=2, **settings
    )
    own = [step for step in trace.steps if step.list_rank is not None]
    assert max(words_in(left + right) for left, right in (step.pair for step in own)) > 2
    assert [step.pair for step in own] == [step.pair for step in replayed]
    for step in trace.steps:
        assert not step.tied or step.pair in trace.tied_pairs(step.rank)
        assert len(trace.tied_pairs(step.rank)) == step.tied or not step.tied
        assert words_in(step.pair[0] + step.pair[1]) <= 2 or step.list_rank is not None


@pytest.mark.parametrize(
    "given", [{"second_words": 4}, {"second_words": 0, "second_pattern": "lines", "second_after": 1}]
)
def test_a_limit_of_words_needs_a_second_stage(given: dict[str, Any]) -> None:
    with pytest.raises(BPEError, match="second_words"):
        bpe.train("low low", **given)
