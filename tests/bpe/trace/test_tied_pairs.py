"""Tied pairs and the most frequent pairs at a step, compared with those that counting everything again finds."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

import bpe
from bpe import Pair, Trace
from tests.material.texts import SENTENCES

TEXT = SENTENCES[:900]
OTHER = "a rose is a rose, and 1905 was 1905; xa1 ya1 za1 " * 2
TRACES = {
    "first": bpe.train(TEXT, merges=40),
    "last": bpe.train(TEXT, merges=40, tie_break="last"),
    "random": bpe.train(TEXT, merges=25, tie_break="random", variant="bytes-gpt2"),
    "sentencepiece's pieces": bpe.train(
        TEXT + OTHER, merges=30, variant="char-metaspace", pieces="sentencepiece"
    ),
    "superwords": bpe.train(
        OTHER * 2, merges=25, second_after=12, second_pattern="lines", variant="bytes-gpt2"
    ),
    "replay": bpe.replay(TEXT, bpe.train(OTHER, merges=20, variant="bytes-gpt2").tokenizer()),
    "to the end": bpe.train("low lower lowest"),
}


FIRST_STAGE = bpe.train(OTHER * 2, merges=12, variant="bytes-gpt2")


def in_order(trace: Trace, k: int, pairs: set[Pair]) -> Iterator[Pair]:
    """Yield the pairs as they first occur in the words after `k` merges. Words of a first stage are shorter."""
    trace = FIRST_STAGE if k < (trace.second_stage or 0) and not trace.replayed else trace
    words = (word for word, _ in trace.words_at(k))
    yield from dict.fromkeys(pair for word in words for pair in pairwise(word) if pair in pairs)


def tied_at(trace: Trace, k: int) -> set[Pair]:
    may_merge = trace.may_merge_at(k)
    counts = {pair: count for pair, count in trace.pair_counts(k).items() if may_merge(*pair)}
    return {pair for pair, count in counts.items() if count == max(counts.values())}


@pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES)
def test_a_tie_has_all_its_pairs_in_the_order_in_which_the_text_has_them(trace: Trace) -> None:
    for k in range(len(trace.steps) + 1):
        tied = tied_at(trace, k)
        tie = trace.tie(k)
        assert (set(tie.pairs), tie.size) == (tied, len(tied))
        assert all(trace.pair_counts(k)[pair] == tie.count for pair in tied)
        assert list(tie.pairs) == list(in_order(trace, k, tied))
        assert trace.tied_pairs(k) == tie.pairs


@pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES)
def test_the_first_pairs_of_a_tie_are_those_of_the_whole_tie(trace: Trace) -> None:
    for k in range(len(trace.steps) + 1):
        firsts = {most: trace.tie(k, most) for most in (3, 1, 2, 5)}  # the latest tie is cached
        whole = trace.tie(k)
        for most, first in firsts.items():
            assert (first.size, first.pairs) == (whole.size, whole.pairs[:most])


@pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES)
def test_the_most_frequent_pairs_are_the_first_ones_of_all(trace: Trace) -> None:
    number_of = {symbol: number for number, symbol in enumerate(trace.symbols)}
    for k in range(0, len(trace.steps) + 1, 3):
        counts = trace.pair_counts(k)
        every = sorted(counts.items(), key=lambda item: (-item[1], *map(number_of.__getitem__, item[0])))
        for most in (1, 4, 10_000):
            frequent = trace.frequent_pairs(k, most)
            assert list(frequent.pairs) == every[:most]
            assert (frequent.number, frequent.total) == (len(counts), sum(counts.values()))
