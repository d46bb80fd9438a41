"""Exercises whose answer is made by the reader, or that show a mistake: texts that tie, words, wrong splits."""

from collections.abc import Callable

import pytest

import bpe
from bpe import BPEError, Trace
from bpe.exercises import TiedText, WordOfTokens, WrongSplit
from tests.bpe.exercises.verdicts import sentence_of

WORDS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


@pytest.fixture(scope="module")
def trace() -> Trace:
    return bpe.train(WORDS, variant="custom", pattern=r"\S+", unit="characters", merges=3)


# text -> its mistake, "" for none
TEXTS = {
    "abcd": "",
    "ab bc cd": "",
    "ab": "no_tie",
    "abc": "too_few",
    "abcde": "too_many",
    "a b c": "no_pair",
    "aab aab": "too_few",
}


@pytest.mark.parametrize(("text", "mistake"), TEXTS.items())
def test_a_text_is_right_if_exactly_so_many_pairs_tie_at_its_first_merge(
    trace: Trace, text: str, mistake: str
) -> None:
    verdict = TiedText(trace, 3, "abcd").judge(text)
    assert (verdict.right, verdict.mistakes) == (not mistake, (mistake,) if mistake else ())


def test_the_verdict_on_a_text_names_its_pairs(trace: Trace) -> None:
    question = TiedText(trace, 2, "abc")
    assert sentence_of(question.judge("abc")) == "Right! a + b and b + c tie at 1."
    assert "a + b occurs 2 times" in sentence_of(question.judge("ab ab cd"))


# word -> its mistake, "" for none
NEW_WORDS = {
    "hugbun": "",
    "hugpun": "",
    "hugs": "too_short",
    "hug bun": "several_words",
    "hughug": "too_few",
    "bunhugs": "too_many",
    "hugbat": "unknown",
}


@pytest.mark.parametrize(("word", "mistake"), NEW_WORDS.items())
def test_a_word_is_right_if_it_has_so_many_tokens(trace: Trace, word: str, mistake: str) -> None:
    verdict = WordOfTokens(trace.tokenizer(), 3, 5, set(WORDS), "hugbun").judge(word)
    assert (verdict.right, verdict.mistakes) == (not mistake, (mistake,) if mistake else ())


def test_a_word_of_the_training_text_is_not_new(trace: Trace) -> None:
    question = WordOfTokens(trace.tokenizer(), 2, 3, set(WORDS), "gun")
    assert question.judge("pug").mistakes == ("known",)


def test_one_word_of_several_is_split_as_a_misconception_splits_it(trace: Trace) -> None:
    question = WrongSplit(trace.tokenizer(), ("bug", "hugbun", "hung"), "hugbun")
    encoded = [tuple(trace.tokenizer().tokens(word)) for word in question.words]
    assert [split == right for split, right in zip(question.splits, encoded, strict=True)] == [
        True,
        False,
        True,
    ]
    assert [question.judge(number).right for number in range(3)] == [False, True, False]
    assert "the merge h + ug still fits" in sentence_of(question.judge(1))
    assert "bug is split as it should be" in sentence_of(question.judge(0))


IMPOSSIBLE: dict[str, Callable[[Trace], object]] = {
    "the example does not tie": lambda trace: TiedText(trace, 3, "ab"),
    "the example is known": lambda trace: WordOfTokens(trace.tokenizer(), 2, 3, set(WORDS), "pug"),
    "one word": lambda trace: WrongSplit(trace.tokenizer(), ("bug",), "bug"),
    "no misconception": lambda trace: WrongSplit(trace.tokenizer(), ("s", "bug"), "s"),
    "a word that is not there": lambda trace: WrongSplit(trace.tokenizer(), ("gun", "bug"), "hung"),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_an_exercise_that_cannot_be_solved_is_refused(trace: Trace, case: str) -> None:
    with pytest.raises(BPEError):
        IMPOSSIBLE[case](trace)
