"""What held-out texts decide, and which of them decide nothing."""

from dataclasses import replace

import pytest

import bpe
from bpe import BPEError
from bpe.comparison import evidence_text, verdict_text
from bpe.comparison.evidence import evidence
from bpe.comparison.intervals import Estimate
from bpe.comparison.verdict import SAME, TOKENS
from tests.bpe.comparison.story_evidence import measured, sample, trained


def test_the_verdict_is_decided_by_the_intervals() -> None:
    for variant in ("bytes-gpt2", "char-eow", "bytes"):
        result = measured(variant)
        words = [pair.same_splits.interval or (0, 0) for pair in result.pairs]
        low, high = (min(interval[end] for interval in words) for end in (0, 1))
        tokens = [pair.more_tokens.interval or (0, 0) for pair in result.pairs]
        within = all(-TOKENS <= end <= TOKENS for ends in tokens for end in ends)
        beyond = any(ends[0] > TOKENS or ends[1] < -TOKENS for ends in tokens)
        expected = "yes" if high < SAME or beyond else "hardly" if low >= SAME and within else "perhaps"
        assert result.verdict.answer == expected
        assert list(result.verdict.more) == [
            number for number, (start, end) in enumerate(tokens) if start > 0 or end < 0
        ]


def test_one_sentence_is_too_little_text() -> None:
    result = evidence(trained("char-eow"), ["a short text"], sample("story"))
    assert result.verdict.answer == "too little text"
    assert result.lanes[0].compression.interval is None
    assert not result.verdict.is_claim


def test_a_text_without_words_of_the_corpus_decides_nothing() -> None:
    result = evidence(trained("char-eow"), ["xyzzy plugh qwerty\n" * 30], sample("story"), resamples=50)
    assert result.verdict.answer == "unlike text"


@pytest.mark.parametrize(("copied", "answer"), [(14, "not held out"), (2, "yes")])
def test_a_text_that_was_trained_on_decides_nothing(copied: int, answer: str) -> None:
    training = "".join(f"The {word} tower is higher than hill {word}.\n" for word in "abcdefghijklmnop")
    own = [f"A hill {word} is high, and that tower is higher.\n" for word in "abcdefghijklmnopqrst"]
    text = "".join([*training.splitlines(keepends=True)[:copied], *own[copied:]])
    traces = [bpe.train(training, "bytes-gpt2", merges=merges) for merges in (60, 5)]
    result = evidence(traces, [text], training, resamples=50)
    assert result.verdict.answer == answer
    if answer == "not held out":
        assert "14 of 20 lines of 8 or more words" in evidence_text.overlap_sentence(result)
    whole = evidence(traces, [training + "A word more"], training, resamples=5)
    assert "16 of 16 lines of 8 or more words occur there word for word, so none of these lines is" in (
        evidence_text.overlap_sentence(whole)
    )
    assert result.verdict.is_claim == (answer == "yes")
    assert verdict_text.headline(result, ["a", "b"]).startswith("The text is not held out") == (
        answer != "yes"
    )


def test_lanes_without_white_space_in_their_tokens_are_named() -> None:
    traces = [
        bpe.train("low low\nlower", variant, merges=2)
        for variant in ("char-eow", "bytes-gpt2", "char-metaspace")
    ]
    result = evidence(traces, ["a lower one"], "low")
    assert evidence_text.white_space_sentence(result, ["first", "second", "third"]) == (
        "Under “first”, no token holds white space, so less text is encoded than under the other lanes."
    )
    same = evidence(traces[1:], ["a lower one"], "low")
    assert not evidence_text.white_space_sentence(same, ["second", "third"])


def test_equal_lanes_do_not_matter() -> None:
    result = evidence(
        trained("char-eow", ("first", "first")), [sample("ties")], sample("story"), resamples=50
    )
    assert result.verdict.answer == "no"
    assert result.same_splits.interval == (1.0, 1.0)
    assert result.pairs[0].more_tokens.interval == (0.0, 0.0)


@pytest.mark.parametrize(("lanes", "documents"), [(1, ["text"]), (2, []), (2, [" \n"])])
def test_two_lanes_and_a_text_are_needed(lanes: int, documents: list[str]) -> None:
    with pytest.raises(BPEError, match=r"two traces|white space"):
        evidence(trained("char-eow")[:lanes], documents, "text")


def test_many_lanes_are_judged_two_by_two() -> None:
    """The share of words that all lanes split alike falls with each lane, so the 5% for two lanes is not for it."""
    result = measured("bytes-gpt2")
    pair = result.pairs[0]
    near = replace(pair, same_splits=Estimate(0.97, (0.96, 0.98)), more_tokens=Estimate(0.0, (0.0, 0.0)))
    six = replace(
        result, same_splits=Estimate(0.88, (0.86, 0.9)), pairs=(near,) * 15, lanes=result.lanes[:1] * 6
    )
    assert six.verdict.answer == "hardly"
    names = list("abcdef")
    assert verdict_text.headline(six, names) == (
        "It hardly matters: any two lanes split at least 97% of the held-out words the same way."
    )
    assert "split differently in at least one of the 15 pairs of lanes" in str(
        verdict_text.sentences(six, names)
    )
    apart = replace(near, first=2, second=4, same_splits=Estimate(0.92, (0.9, 0.94)))
    one = replace(six, pairs=(*six.pairs[:14], apart))
    assert one.verdict.answer == "yes"
    assert verdict_text.headline(one, names) == (
        "It matters: 8% of the held-out words are split differently by two of the lanes."
    )
    assert verdict_text.first_sentences(one, names)[0].startswith(
        "These two are “c” and “e” (interval 6.0 to 10.0%)."
    )
