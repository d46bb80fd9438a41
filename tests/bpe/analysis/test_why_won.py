"""Why a pair won its tie, and what its merge takes from the others."""

from itertools import pairwise

import pytest

import bpe
from bpe.analysis.ties import choice_text, reasons_of, rival_losses, why_won
from tests.material.texts import SENTENCES

PAPER = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


@pytest.mark.parametrize(
    ("rule", "merge", "words"),
    [
        ("first", 1, "it comes first in the text, at newest"),
        ("last", 1, "its last occurrence comes latest, at widest"),
        ("ids-min", 1, "its left id, 1, is the smallest"),
        ("pair-max", 1, "t is last in the dictionary"),
        ("pair-min", 1, "e is first in the dictionary"),
        ("shortest", 1, "es is first in the dictionary of the 3, which are equally short"),
        ("shortest", 2, "t</w> is the shortest"),
        ("longest", 1, "es is first in the dictionary of the 3, which are equally long"),
        ("longest", 2, "est is the longest"),
        ("random", 2, "draw 2 of seed 0 fell on it"),
        ("manual", 1, "no pick, so first occurrence, at newest"),
        ("names-max", 1, "the internal name of its left token, t, is the greatest"),
    ],
)
def test_the_reason_is_the_term_that_decided(rule: str, merge: int, words: str) -> None:
    assert why_won(bpe.train(PAPER, "char-eow", rule, merges=12), merge - 1) == words


@pytest.mark.parametrize(
    ("words", "rule", "reason"),
    [
        ("ab ac", "ids-min", "its right id, 98, is the smallest of the 2, which all have left id 97"),
        ("ab ac bc", "pair-min", "its right token, b, is first in the dictionary of the 2 that begin with a"),
        (
            "ab ac",
            "pair-max",
            "its right token, c, is last in the dictionary of the 2, which all begin with a",
        ),
        ("abcx ab cx", "shortest", "ab is first in the dictionary of the 2, which are equally short"),
    ],
)
def test_where_the_first_term_is_equal_the_second_decides(words: str, rule: str, reason: str) -> None:
    assert why_won(bpe.train(words, "bytes-whitespace", rule), 0) == reason


def test_picks_and_merges_without_a_tie_have_no_reason() -> None:
    picked = bpe.train(PAPER, "char-eow", "manual", merges=3, picks={0: 1})
    assert why_won(picked, 0) == ""
    assert choice_text(picked, 0).startswith("a real choice: ")
    untied = bpe.train({"ab": 2, "cd": 1}, "bytes-whitespace")
    assert why_won(untied, 0) == choice_text(untied, 0) == ""


def test_sorted_words_do_not_come_first_in_the_text() -> None:
    trace = bpe.train("ab cd cd", "bytes-whitespace", word_order="frequency", merges=2)
    assert [reason.words for reason in reasons_of(trace.request)] == ["it comes first{at}"]


@pytest.mark.parametrize("rule", bpe.TIE_BREAKS)
def test_a_rival_loses_what_its_count_falls_by(rule: str) -> None:
    """Counted anew, with runs of one letter among the words."""
    trace = bpe.train(SENTENCES + " aaay aaay baab abab", "bytes-whitespace", rule, merges=60)
    choices = 0
    for step in trace.steps:
        before, after = trace.pair_counts(step.rank), trace.pair_counts(step.rank + 1)
        losses = rival_losses(trace, step.rank)
        assert set(losses) == set(trace.rivals(step.rank))
        assert losses == {pair: before[pair] - after.get(pair, 0) for pair in losses}
        assert all(one >= other for one, other in pairwise(losses.values()))
        choices += bool(losses)
    assert choices
