"""What each rule would merge next: compared with a training that goes on from the same state under that rule."""

from typing import Any

import pytest

import bpe
from bpe.analysis.ties import picks_at

WORDS = "low lower newest widest newest low"
CASES = {
    "characters": (WORDS, {"variant": "char-eow"}),
    "bytes, one run": ("aaabdaaabac " * 2, {"variant": "bytes"}),
    "a run of one symbol": ("aaaa aab baa", {"variant": "bytes-whitespace"}),
    "overlaps counted once": ("aaaa aab baa", {"variant": "bytes-whitespace", "overlaps": "skip"}),
    "one rule after another": (WORDS, {"variant": "char-underscore", "tie_break": "last"}),
    "a seed": (WORDS, {"variant": "char-eow", "tie_break": "random", "seed": 7}),
    "markers in front": (WORDS, {"variant": "char-metaspace", "tie_break": "pair-max"}),
    "special tokens": (WORDS, {"variant": "bytes-gpt2", "special_tokens": ("<|endoftext|>",)}),
    "pieces that may not be made": (WORDS, dict(bpe.PRESETS["sentencepiece"].settings)),
    "superwords": (
        "by the way by the by",
        {"variant": "bytes-gpt2", "second_pattern": "superbpe", "second_after": 3},
    ),
    "sorted words": (WORDS, {"variant": "char-eow", "word_order": "frequency"}),
}


@pytest.mark.parametrize(("text", "settings"), CASES.values(), ids=CASES)
def test_each_rule_s_pick_is_what_a_training_under_it_merges_from_the_same_state(
    text: str, settings: dict[str, Any]
) -> None:
    settings = {"merges": 12, **settings}
    trace = bpe.train(text, **settings)
    assert any(step.tied > 1 for step in trace.steps)
    for k in range(len(trace.steps)):
        so_far = {rank: step.pair for rank, step in enumerate(trace.steps[:k])}
        expected = {
            slug: bpe.train(text, **{**settings, "tie_break": slug, "picks": so_far}).steps[k].pair
            for slug in bpe.TIE_BREAKS
        }
        assert picks_at(trace, k) == expected, k


def test_the_rules_differ_somewhere() -> None:
    trace = bpe.train(WORDS, merges=12)
    assert any(len(set(picks_at(trace, k).values())) > 2 for k in range(len(trace.steps)))


def test_after_the_last_merge_there_is_no_pick_or_the_next_one() -> None:
    assert picks_at(bpe.train("ab", "bytes-whitespace"), 1) == {}
    one = bpe.train(WORDS, merges=3)
    assert picks_at(one, 3) == picks_at(bpe.train(WORDS, merges=4), 3)


def test_no_rule_picks_in_a_replay() -> None:
    trace = bpe.train(WORDS, merges=3)
    assert picks_at(bpe.replay(WORDS, trace.tokenizer()), 1) == {}


def test_a_pick_by_hand_is_no_rule_s() -> None:
    trace = bpe.train("ab cd ef", "bytes-whitespace", merges=3)
    by_hand = bpe.train("ab cd ef", "bytes-whitespace", merges=3, picks={0: (b"c", b"d")})
    assert by_hand.steps[0].pair == (b"c", b"d")
    assert picks_at(by_hand, 0) == picks_at(trace, 0)
