"""How far the vocabularies of two trainings agree."""

from itertools import combinations
from pathlib import Path

import pytest

import bpe
from bpe.analysis.significance.vocabulary_agreement import kendall_tau, vocabulary_agreement
from tests import ROOT


def story() -> str:
    return Path(ROOT / "sample_corpora" / "story.txt").read_text("utf-8")


def test_agreement_of_vocabularies_by_rank_and_by_frequency() -> None:
    first, second = (bpe.train(story(), "char-eow", rule, merges=120) for rule in ("first", "pair-max"))
    actual = vocabulary_agreement(first, second)
    tokens = [[left + right for left, right in trace.merges] for trace in (first, second)]
    both = [token for token in tokens[0] if token in tokens[1]]
    assert (actual.learned, actual.shared, actual.overlap) == ((120, 120), len(both), len(both) / 120)
    shared = [len(set(tokens[0][:k]) & set(tokens[1][:k])) / k for k in range(1, 121)]
    assert actual.average_overlap == pytest.approx(sum(shared) / 120)
    ranks = [tokens[1].index(token) for token in both]
    concordant = [a < b for a, b in combinations(ranks, 2)]
    assert actual.tau == pytest.approx(2 * sum(concordant) / len(concordant) - 1)
    common = set(first.symbols) & set(second.symbols)
    corpus = [
        token
        for trace in (first, second)
        for word, frequency in trace.words_at(120)
        for token in word
        for _ in range(frequency)
    ]
    assert actual.occurrences == sum(token in common for token in corpus) / len(corpus)
    assert kendall_tau(ranks) == actual.tau


def test_tokens_of_lanes_with_different_markers_are_compared_by_their_text() -> None:
    traces = [bpe.train("low low low", variant, merges=3) for variant in ("char-eow", "bytes-gpt2")]
    assert vocabulary_agreement(*traces).shared == 2  # lo and low; low</w> and ·low are low as well


def test_a_normalization_leaves_tokens_as_they_are_compared() -> None:
    """` the` and `the` are two tokens in both vocabularies, as they are with equal normalizations."""
    text = "the the The low low Low the" * 5
    traces = [bpe.train(text, "bytes-gpt2", normalization=form) for form in (None, "lower")]
    learned = [{left + right for left, right in trace.merges} for trace in traces]
    actual = vocabulary_agreement(*traces)
    assert {b"the", b" the"} <= learned[0] & learned[1]
    assert (actual.learned, actual.shared) == (tuple(map(len, learned)), len(learned[0] & learned[1]))
