"""Answers in the spellings that people use, and reasons that are true of the answer they are given for."""

import pytest

import bpe
from bpe import BPEError, Tokenizer
from bpe.exercises import NextPair, PairCount, Quantity, WordTokens
from tests.bpe.exercises.verdicts import sentence_of

LOW = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
EN = bpe.train(LOW, "char-eow", merges=12).tokenizer()
UNDERSCORE = bpe.train("low low lower lowest me", "char-underscore", merges=3).tokenizer()
SPACES = bpe.train("a light, a light, the light", "bytes-gpt2", merges=8).tokenizer()
BYTES = bpe.train("😊 😊 😊", "bytes", merges=2).tokenizer()

# name -> (tokenizer, text, typed answers that mean the same tokens)
SAME = {
    "a marker": (EN, "lowest", ("low est</w>", "LOW EST</W>", "Low est_", "low est▁", "[low] [est</w>]")),
    "signs between": (
        UNDERSCORE,
        "lower",
        ("lowe r _", "lowe, r, _", "lowe|r|_", "'lowe' 'r' '_'", "lowe + r + _"),
    ),
    "another marker": (UNDERSCORE, "lower", ("lowe r _", "lowe r </w>", "lowe · r · _")),
    "a space": (SPACES, "a light", ("a ·light", "a _light", "a Ġlight", "a ▁light", '"a" "·light"')),
    "bytes": (BYTES, "😊", ("<0xF0><0x9F><0x98> <0x8A>", "f09f98 8a", "0xF00x9F0x98, 0x8A")),
}


@pytest.mark.parametrize(("tokenizer", "text", "spellings"), SAME.values(), ids=SAME)
def test_an_answer_may_be_written_in_several_ways(
    tokenizer: Tokenizer, text: str, spellings: tuple[str, ...]
) -> None:
    question = WordTokens(tokenizer, text)
    assert {question.read(typed) for typed in spellings} == {question.read(spellings[0])}


def test_a_sign_of_the_text_is_not_read_as_a_separator() -> None:
    tokenizer = bpe.train("a,b a,b a_b", "bytes-whitespace", merges=0).tokenizer()
    assert WordTokens(tokenizer, "a,b").read("a ,b") == (b"a", b",b")
    assert WordTokens(tokenizer, "a_b").read("a_ b") == (b"a_", b"b")


HINTS = {
    "without its marker": (EN, "lowest", "low est", "marker </w> is a symbol too"),
    "without its spaces": (SPACES, "a light", "a light", "Write · for a space"),
}


@pytest.mark.parametrize(("tokenizer", "text", "typed", "hint"), HINTS.values(), ids=HINTS)
def test_an_answer_that_lacks_a_symbol_says_which(
    tokenizer: Tokenizer, text: str, typed: str, hint: str
) -> None:
    with pytest.raises(BPEError, match=hint):
        WordTokens(tokenizer, text).read(typed)


def test_a_pair_of_equal_tokens_has_no_other_order() -> None:
    trace = bpe.train("aaab", "bytes", merges=1)
    assert "order" not in sentence_of(PairCount(trace, 0, "aaab", (b"a", b"a")).judge(4))


def test_a_pair_across_two_words_is_not_denied_to_be_in_the_text() -> None:
    trace = bpe.train("ab ab ab", "custom", merges=1, pattern="[a-z]+")
    said_of_it = sentence_of(NextPair(trace, 0, "ab ab ab").judge((b"b", b"a")))
    assert "crosses from one word into the next" in said_of_it
    assert "followed by" not in said_of_it


def test_before_a_second_stage_no_pair_across_words_is_said_to_be_frequent() -> None:
    text = "by the way, it is the way, by the way"
    trace = bpe.train(text, "bytes-gpt2", merges=10, second_pattern="lines", second_after=8)
    question = NextPair(trace, 0, text)
    assert (b"e", b" ") in question.misconceptions["across_words"]
    for name in ("without_frequencies", "without_overlaps"):
        assert question.misconceptions[name] <= question.counts.keys()


def test_before_a_second_stage_no_count_is_explained_by_its_longer_words() -> None:
    text = "by the way, it is the way, by the way"
    trace = bpe.train(text, "bytes-gpt2", merges=10, second_pattern="lines", second_after=8)
    question = PairCount(trace, 0, text, (b"t", b"h"))
    for name in ("without_frequencies", "without_overlaps", "once_a_word", "letters"):
        assert question.misconceptions[name] == set()


def test_an_encoder_without_merges_is_not_explained_by_merges() -> None:
    trace = bpe.train({"ab": 3, "bcd": 2, "abcd": 1}, "custom", merges=4, pattern=r"\S+", unit="characters")
    sentence = sentence_of(WordTokens(trace.tokenizer(), "abcd", "prefix").judge([b"a", b"b", b"c", b"d"]))
    assert sentence.startswith("You stopped too early. The encoder goes on and makes ")
    typed = WordTokens(Tokenizer.from_vocabulary("est</w> high"), "tallest", "longest")
    assert sentence_of(typed.judge(typed.read("tall est</w>"))) == "tall is not in the vocabulary."
    assert typed.judge(typed.read("t a l l e s t </w>")).mistakes[0] == "stopped_early"


def test_who_takes_both_parts_of_a_merge_away_is_asked_where_else_they_occur() -> None:
    trace = bpe.train(LOW, "char-eow", merges=2)  # e + s: the e of lower and newe stays
    verdict = Quantity(trace, 1, "in_use").judge(trace.in_use(0) - 1)
    assert "Do they occur elsewhere?" in sentence_of(verdict)
