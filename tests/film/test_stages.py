"""The second stage in a feed: where it begins, where words of the first end, and windows that cut its long words."""

from typing import Any

import pytest

import bpe
from bpe.text.superwords import first_lengths
from film.training_feed import can_be_counted, training_feed
from tests.film.feed_reader import unpacked as numbers
from tests.material.texts import SENTENCES

LONG = " ".join(SENTENCES.split()) * 3  # one line, longer than a word that a window holds whole


@pytest.mark.parametrize(
    "variant", ["char-eow", "char-eow-attached", "char-metaspace", "bytes-gpt2", "bytes-whitespace"]
)
@pytest.mark.parametrize("start", [0, 57, 301])
def test_a_window_into_a_long_line_holds_its_symbols_and_steps(variant: str, start: int) -> None:
    trace = bpe.train(LONG, variant, merges=60, second_pattern="lines", second_after=40)
    whole = training_feed(trace, LONG, size=len(LONG))
    feed = training_feed(trace, LONG, start=start, size=200)
    assert (feed["stage"]["after"], feed["stage"]["superwords"]) == (40, True)
    (length,) = numbers(feed["words"]["lengths"])
    (all_symbols,) = numbers(whole["words"]["lengths"])
    closes, ends = numbers(feed["words"]["closes"]), numbers(feed["stage"]["ends"])
    assert len(closes) == len(ends) == length < all_symbols
    every = numbers(whole["words"]["closes"])
    at = next(at for at in range(all_symbols) if every[at : at + length - 1] == closes[:-1])
    assert ends == numbers(whole["stage"]["ends"])[at : at + length]
    spelled = b"".join(trace.variant.spell(LONG)[at : at + length])
    decoded = trace.variant.decode([spelled])
    assert "".join(decoded.split()) == "".join(LONG[start : start + 200].split())


def test_the_words_of_the_first_stage_end_where_its_own_split_cuts() -> None:
    trace = bpe.train(SENTENCES, "char-eow", merges=30, second_pattern="lines", second_after=20)
    feed = training_feed(trace, SENTENCES)
    ends = numbers(feed["stage"]["ends"])
    starts = 0
    for pre_token, length in zip(trace.pre_tokens, numbers(feed["words"]["lengths"]), strict=True):
        lengths = first_lengths(trace.variant, pre_token)
        expected = [int(k + 1 in {sum(lengths[:n]) for n in range(1, len(lengths))}) for k in range(length)]
        assert ends[starts : starts + length] == expected
        starts += length
    assert feed["stage"]["tokens"] == trace.tokens_total(20)
    assert feed["whole"]


def test_where_the_looser_pattern_cuts_a_word_the_browser_does_not_count() -> None:
    text = "the way 1234 the way " * 3
    assert can_be_counted(bpe.train(text, "bytes-gpt2", merges=9, second_pattern="lines", second_after=5))
    cut = bpe.train(text, "bytes-gpt2", merges=9, second_pattern=r"\p{N}", second_after=5)
    assert not can_be_counted(cut)
    assert not training_feed(cut, text)["whole"]


def test_the_feed_names_the_pairs_with_too_many_words() -> None:
    text = "by the way of the sea, by the way of the sea\n" * 5
    trace = bpe.train(text, "bytes-gpt2", merges=40, second_pattern="lines", second_after=10, second_words=2)
    feed = training_feed(trace, text)
    ids = numbers(feed["barred"])
    last = len(trace.steps)
    tokens = trace.vocabulary(last)
    barred = {(tokens[left], tokens[right]) for left, right in zip(ids[::2], ids[1::2], strict=True)}
    occurring = {pair for k in range(last + 1) for pair in trace.pair_counts(k)}
    assert feed["whole"]
    assert barred == {(left, right) for left, right in occurring if len((left + right).split()) > 2} != set()


def test_where_the_first_stage_has_longer_tokens_than_the_second_the_browser_does_not_count() -> None:
    text = "by the way, by the way" * 3
    given: dict[str, Any] = {"pattern": "[^,]+|,", "merges": 9, "second_pattern": "lines", "second_after": 5}
    assert can_be_counted(bpe.train(text, "custom", **given))
    assert not can_be_counted(bpe.train(text, "custom", **given, second_words=1))


def test_the_feed_names_the_tokens_that_occur_more_or_less_often_in_longer_words() -> None:
    text = "the the a'the a'the other\n" * 4  # GPT-2 cuts a'the into a, 't and he
    first = bpe.train(text, "bytes-gpt2", merges=6)
    trace = bpe.train(text, "bytes-gpt2", merges=8, second_pattern="lines", second_after=6)
    stage = training_feed(trace, text)["stage"]
    before, now = first.token_counts(6), trace.token_counts(6)
    changed = {
        trace.id_of(symbol): now.get(symbol, 0)
        for symbol in {*before, *now}
        if before.get(symbol, 0) != now.get(symbol, 0)
    }
    assert dict(zip(numbers(stage["ids"]), numbers(stage["counts"]), strict=True)) == changed != {}
