"""Rivals: the tied pairs that overlap the merged one are those that reading all words finds."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import Pair, Trace, Word
from bpe.analysis.parity_aware import parity_aware
from tests.material.texts import SENTENCES
from tests.naive import naive_words

OTHER = "a rose is a rose, and 1905 was 1905; xa1 ya1 za1 " * 2
REPLAYED = bpe.train(OTHER, merges=20, variant="bytes-gpt2").tokenizer()
SUPERWORDS: dict[str, Any] = {"second_after": 12, "second_pattern": "lines"}
LENGTH: dict[str, Any] = {"max_token_length": 4}
TRACES = {
    "first": bpe.train(SENTENCES[:900], merges=120),
    "random": bpe.train(SENTENCES[:900], "bytes-gpt2", "random", merges=90),
    "one long word": bpe.train(SENTENCES[:600], "bytes", merges=90),
    "pieces": bpe.train(SENTENCES[:500] + OTHER, merges=90, **bpe.PRESETS["sentencepiece"].settings),
    "overlaps that do not count": bpe.train("aaaa abab baab aaa aaab " * 2, "bytes", overlaps="skip"),
    "superwords": bpe.train(OTHER * 2, "bytes-gpt2", merges=40, **SUPERWORDS),
    "superwords of two words": bpe.train(OTHER * 2, "bytes-gpt2", merges=40, second_words=2, **SUPERWORDS),
    "replay": bpe.replay(SENTENCES[:900], REPLAYED),
    "replay of the text": bpe.replay(OTHER, REPLAYED),
    "replay and further merges": bpe.continue_training(SENTENCES[:900], REPLAYED, merges=40),
    "documents": bpe.train(["abab", "ba", "bab", "abc"], "bytes"),
    "parity-aware": parity_aware({"one": OTHER, "other": SENTENCES[:300]}, merges=70).trace,
    "no merge": bpe.train("a", "bytes"),
}


def words_before(trace: Trace, k: int) -> list[Word]:
    """Return the words that were counted for merge k. Those of the first of two stages are shorter."""
    if trace.replayed or k >= (trace.second_stage or 0):
        return [word for word, _ in trace.words_at(k)]
    words = list(naive_words(OTHER * 2, bpe.VARIANTS["bytes-gpt2"]))
    for pair in trace.merges[:k]:
        words = [bpe.merge_pair(word, pair) for word in words]
    return words


def by_definition(words: Sequence[Word], tied: Sequence[Pair], merged: Pair) -> tuple[Pair, ...]:
    """Return the tied pairs that share a token with the merged one, in order of first occurrence."""
    overlapping = set()
    for word in words:
        for before, after in pairwise(pairwise(word)):
            overlapping |= {before} if after == merged else {after} if before == merged else set()
            overlapping |= {after} if before == merged else set()
    overlapping -= {merged}
    return tuple(pair for pair in tied if pair in overlapping) if merged in tied else ()


def assert_rivals(trace: Trace) -> None:
    expected = {
        k: by_definition(words_before(trace, k), trace.tied_pairs(k), pair)
        for k, pair in enumerate(trace.merges)
    }
    assert {k: trace.rivals(k) for k in expected} == expected
    assert trace.all_rivals() == {k: rivals for k, rivals in expected.items() if rivals}
    assert trace.rivals(len(trace.steps)) == ()


@pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES)
def test_rivals_are_the_tied_pairs_that_share_a_token_with_the_merged_one(trace: Trace) -> None:
    assert_rivals(trace)


# The words, the pair that is merged first, its rivals.
CASES = {
    "nothing shared": ({"ab": 2, "cd": 2}, "ab", []),
    "the right symbol is shared": ({"abc": 1}, "ab", ["bc"]),
    "the left symbol is shared": ({"abc": 1}, "bc", ["ab"]),
    "by first occurrence": ({"abc": 1, "zab": 1, "ab": 1, "bc": 2, "za": 2}, "ab", ["bc", "za"]),
    "a pair and its mirror": ({"aba": 1}, "ab", ["ba"]),
    "a run of the pair": ({"abab": 1, "ba": 1}, "ab", ["ba"]),
    "a run that ends with half a pair": ({"ababa": 1}, "ab", ["ba"]),
    "only itself": ({"aaaa": 1}, "aa", []),
    "after an even run": ({"aay": 1}, "aa", ["ay"]),
    "after an odd run, which leaves it whole": ({"aaay": 1, "ay": 1}, "aa", ["ay"]),
    "elsewhere than after the odd run": ({"aaa": 1, "ay": 2}, "aa", []),
}


def pair_of(letters: str) -> Pair:
    return letters[0].encode(), letters[1].encode()


@pytest.mark.parametrize(("words", "merged", "rivals"), CASES.values(), ids=CASES)
def test_rivals_of_the_first_merge(words: dict[str, int], merged: str, rivals: list[str]) -> None:
    trace = bpe.train(words, "bytes-whitespace", picks={0: pair_of(merged)})
    assert trace.rivals(0) == tuple(map(pair_of, rivals))
    assert_rivals(trace)


@given(
    st.dictionaries(
        st.text("ab", min_size=1, max_size=7) | st.text("abc", max_size=5, min_size=1), st.integers(1, 3)
    ),
    st.sampled_from(["first", "last", "pair-max", "random", "longest"]),
    st.sampled_from(["char-eow", "bytes-whitespace", "char-metaspace"]),
    st.sampled_from([{}, LENGTH, {"overlaps": "skip"}]),
)
def test_rivals_of_any_words(
    words: dict[str, int], rule: str, variant: str, settings: dict[str, Any]
) -> None:
    assert_rivals(bpe.train(words, variant, rule, **settings))


def test_k_is_a_number_of_merges() -> None:
    with pytest.raises(bpe.BPEError, match="k must be from 0 to 0"):
        TRACES["no merge"].rivals(1)
