"""The code on the pages is the code that runs: the lines shown, run as they stand, learn what the trainer learns."""

import hashlib
import inspect
from itertools import pairwise
from typing import Any

import pytest

from bpe import PRESETS, TIE_BREAKS, VARIANTS, Pair, Symbol, merge_pair, train
from bpe.training.script import choice_code
from bpe.training.textbook import textbook_train
from film.feed import CodeLine
from film.textbook_code import choice_lines, code_lines
from tests.material import texts
from tests.naive import naive_words

VARIANT = VARIANTS["bytes-gpt2"]


class Ids(dict[Symbol, int]):
    """The ids of 256 bytes and of merges, which the loop does not keep."""

    def __init__(self, merges: list[Pair]) -> None:
        self.merges = merges

    def __missing__(self, symbol: Symbol) -> int:
        return symbol[0] if len(symbol) == 1 else 256 + [a + b for a, b in self.merges].index(symbol)


def learned(lines: list[CodeLine], rule: str, text: str, most: int) -> list[Pair]:
    """Return what the shown lines learn, with those of the rule in place of the textbook's choice."""
    choice = choice_code(TIE_BREAKS[rule])
    shown = [
        "    " * line["depth"] + text
        for line in lines
        for text in (choice if line["beat"] == "select" else [line["text"]])
    ]
    merges: list[Pair] = []
    names: dict[str, Any] = {
        "words": naive_words(text, VARIANT),
        "merges": merges,
        "most": most,
        "pairs_of": pairwise,
        "merge_pair": merge_pair,
        "ids": Ids(merges),
        "alphabet": [bytes([value]) for value in range(256)],
        "hashlib": hashlib,
        "SEED": 3,
    }
    exec("\n".join(shown), names)  # noqa: S102  # the lines of our own source
    return merges


@pytest.mark.parametrize("rule", TIE_BREAKS)
@pytest.mark.parametrize("text", [texts.ties(length=300), texts.SENTENCES[:300], "aaaa aaa aa baab"])
def test_the_lines_shown_learn_what_the_trainer_learns(rule: str, text: str) -> None:
    trace = train(text, VARIANT, rule, merges=40, seed=3)
    assert learned(code_lines(), rule, text, 40) == trace.merges


BROKEN = {
    "frequency": ("+ frequency", "+ 1"),
    "merge": ("merge_pair(word, best): n", "word: n"),
    "a further line": ("merges.append(best)", "merges.append(best)\n        merges.append(best)"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_mistake_in_the_textbook_is_seen_in_the_lines_shown(broken: str) -> None:
    source = inspect.getsource(textbook_train)
    text = "low low low lower lower newest widest"
    assert learned(code_lines(source), "first", text, 10) == train(text, VARIANT, merges=10).merges
    wrong = source.replace(*BROKEN[broken])
    assert wrong != source
    with pytest.raises((AssertionError, ValueError)):
        assert learned(code_lines(wrong), "first", text, 10) == train(text, VARIANT, merges=10).merges


def test_the_textbook_s_choice_is_that_of_the_first_rule() -> None:
    (choice,) = [line["text"] for line in code_lines() if line["beat"] == "select"]
    (first,) = choice_code(TIE_BREAKS["first"])
    assert choice == first


def test_the_loop_has_ten_lines_and_a_sentence_for_each() -> None:
    lines = code_lines()
    assert len(lines) == 10
    assert all(line["about"].endswith(".") for line in lines)
    assert [line["beat"] for line in lines if line["beat"]] == [
        "rest", *["count"] * 4, "select", "fuse", "settle"
    ]  # fmt: skip


def test_a_training_that_the_loop_does_not_tell_shows_no_code() -> None:
    assert choice_lines(train("low lower", merges=2)) == list(TIE_BREAKS["first"].code)
    assert choice_lines(train("low lower", merges=2, max_token_length=3)) == []
    assert choice_lines(train("low lower", vocab_size=20, **PRESETS["sentencepiece"].settings)) == []
