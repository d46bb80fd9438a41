"""Lanes of different numbers of merges are measured at the smaller one too; few words leave the answer open."""

import random
from functools import cache

import pytest

import bpe
from bpe.analysis.sentences import verdict_text
from bpe.analysis.significance.evidence import Evidence, evidence
from bpe.analysis.significance.intervals.bootstrap import Estimate
from bpe.analysis.significance.intervals.exact_bound import clopper_pearson, widened
from bpe.settings.presets import PRESETS
from tests.bpe.significance.story_evidence import sample

NAMES = ["First occurrence", "Hugging Face"]


@cache
def a_trainer_that_stops_early() -> tuple[Evidence, list[bpe.Trace]]:
    training, held_out = sample("story")[:30_000], sample("ties")
    hf = PRESETS["hf-bytelevel"].settings
    traces = [
        bpe.train(training, "bytes-gpt2", merges=900),
        bpe.train(training, merges=900, **hf),  # stops when no pair occurs twice
    ]
    return evidence(traces, [held_out], training, resamples=50), traces


def test_lanes_are_measured_after_as_many_merges_as_the_shortest_has() -> None:
    measured, traces = a_trainer_that_stops_early()
    least = len(traces[1].steps)
    assert least < len(traces[0].steps)
    assert measured.equal
    assert measured.equal.merges == least
    # The same figures from trainings that were stopped there.
    again = evidence(
        [bpe.train(sample("story")[:30_000], "bytes-gpt2", merges=least), traces[1]],
        [sample("ties")],
        sample("story")[:30_000],
        resamples=50,
    )
    assert again.equal is None
    assert measured.equal.tokens == tuple(lane.tokens for lane in again.lanes)
    assert measured.equal.same_splits == again.same_splits
    assert measured.equal.more_tokens == tuple(pair.more_tokens for pair in again.pairs)


def test_the_headline_says_what_is_left_at_equal_numbers() -> None:
    measured, traces = a_trainer_that_stops_early()
    headline = verdict_text.headline(measured, NAMES)
    assert headline.startswith(
        f"The lanes have {len(traces[1].steps):,} to {len(traces[0].steps):,} merges: "
    )
    assert f"; after {len(traces[1].steps):,} merges each, " in headline


def test_one_merge_more_or_less_is_no_difference() -> None:
    training = sample("story")[:20_000]
    traces = [bpe.train(training, "bytes-gpt2", merges=merges) for merges in (300, 301)]
    measured = evidence(traces, [sample("ties")], training, resamples=50)
    assert measured.equal is None
    assert "300 to 301" not in verdict_text.headline(measured, NAMES)


# times, trials, the published interval: R. G. Newcombe 1998, Two-sided confidence intervals for the single proportion,
# table I, method 5
@pytest.mark.parametrize(
    ("times", "trials", "low", "high"),
    [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0.0, 0.1684), (1, 29, 0.0009, 0.1776)],
)
def test_the_exact_interval_is_the_published_one(times: int, trials: int, low: float, high: float) -> None:
    assert clopper_pearson(times, trials) == pytest.approx((low, high), abs=6e-5)


def test_twenty_words_that_are_all_split_alike_do_not_decide() -> None:
    words = sorted(set(sample("story")[:20_000].split()))
    random.Random(1).shuffle(words)
    training = sample("story")[:20_000]
    traces = [bpe.train(training, "char-eow", rule, merges=60) for rule in ("first", "pair-max")]
    alike = [
        word
        for word in words
        if word.isalpha() and traces[0].tokenizer().tokens(word) == traces[1].tokenizer().tokens(word)
    ]
    measured = evidence(traces, ["\n".join(alike[:20])], training, resamples=50)
    assert not measured.differing
    assert measured.held_out.has_enough
    assert measured.same_splits.interval == pytest.approx((1 - 0.1684, 1), abs=1e-4)
    assert measured.verdict.answer == "perhaps"
    assert verdict_text.headline(measured, NAMES) == (
        "It may matter: all 20 held-out words are split the same way, but the text is too short to be sure."
    )
    many = evidence(traces, ["\n".join(alike[:120])], training, resamples=50)
    assert many.same_splits.interval
    assert many.verdict.answer == "hardly"


def test_words_that_differ_together_count_as_one_event() -> None:
    resampled = Estimate(0.95, (0.85, 1.0))
    one_unit = widened(resampled, [10, *[0] * 19], 200)  # ten words of one unit
    assert one_unit.interval
    assert one_unit.interval[0] == pytest.approx(1 - clopper_pearson(1, 20)[1])
    assert widened(resampled, [1] * 10 + [0] * 10, 200) == resampled
