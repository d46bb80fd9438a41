"""A wrong answer that a misconception gives gets the reason for that misconception; a right one never does."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import BPEError, Pair, Tokenizer, Trace, Word
from bpe.exercises import (
    QUANTITIES,
    MergeOrder,
    NextPair,
    Quantity,
    WordTokens,
)
from bpe.exercises.verdict import Verdict
from tests.bpe.text.random_texts import examples

# Verdicts on answers to exercises, as text.


def sentence_of(verdict: Verdict) -> str:
    """Return the verdict's sentence, with its tokens as text."""
    return "".join(piece if isinstance(piece, str) else piece.decode("latin-1") for piece in verdict.sentence)


Words = dict[str, int]


def trained(text: str | Words, merges: int, tie_break: str = "first", variant: str = "char-eow") -> Trace:
    return bpe.train(text, variant=variant, tie_break=tie_break, merges=merges)


# The smallest text that shows each mistake, with its answer and a part of the reason.


def letter(text: str) -> bytes:
    return text.replace("_", "\xff").encode("latin-1")


def pair(text: str) -> Pair:
    left, right = text.split()
    return letter(left), letter(right)


# text, merges before the question, wrong pair, mistake
WRONG_PAIRS: dict[str, tuple[str | Words, int, str, str]] = {
    "forgot the frequencies": ({"ab": 9, "cd": 1, "xcd": 1, "ycd": 1}, 0, "c d", "without_frequencies"),
    "crossed a wall": ("ab ab cb", 0, "_ a", "across_words"),
    "counted letters": ({"ab": 3, "cb": 3, "ad": 3, "xy": 4}, 0, "a b", "single_tokens"),
    "did not count again": ({"hug": 15, "bun": 14, "ug": 5}, 1, "h u", "before_the_last_merge"),
    "did not count overlaps": ({"aaa": 3, "bc": 4}, 0, "b c", "without_overlaps"),
    "chose the longest": ({"aab": 2, "aa": 3, "cd": 4}, 1, "aa b", "longest_token"),
}


@pytest.mark.parametrize(("text", "step", "answer", "mistake"), WRONG_PAIRS.values(), ids=WRONG_PAIRS)
def test_a_wrong_pair_gets_its_reason(text: str | Words, step: int, answer: str, mistake: str) -> None:
    trace = bpe.train(text, variant="custom", pattern=r"\S+", unit="characters", merges=step + 1)
    if "_" in answer:
        trace = trained(text, step + 1)
    verdict = NextPair(trace, step, text).judge(pair(answer))
    assert not verdict.right
    assert mistake in verdict.mistakes


def test_every_tied_pair_is_right_and_the_sentence_says_so() -> None:
    text = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    trace = trained(text, 1)
    question = NextPair(trace, 0, text)
    assert len(question.right) == 3
    for tied in question.right:
        verdict = question.judge(tied)
        assert verdict.right
        assert "ties with 2 other pairs" in sentence_of(verdict)
    by_rule = NextPair(trace, 0, text, by_rule=True)
    assert by_rule.judge(pair("e s")).right
    assert by_rule.judge(pair("s t")).mistakes[0] == "other_rules"


# Properties: the misconceptions are computed here again, in the plainest way.

WORDS = st.dictionaries(st.text("ab", min_size=1, max_size=5), st.integers(1, 5), min_size=1, max_size=4)


def occurrences(words: list[tuple[Word, int]]) -> Counter[Pair]:
    counts: Counter[Pair] = Counter()
    for word, frequency in words:
        for neighbours in pairwise(word):
            counts[neighbours] += frequency
    return counts


def most_frequent(counts: Counter[Pair]) -> set[Pair]:
    return {one for one, count in counts.items() if count == max(counts.values())}


def questions(words: Words) -> Iterator[tuple[Trace, int]]:
    trace = trained(words, 6)
    yield from ((trace, step) for step in range(len(trace.steps)))


@examples(25)
@given(WORDS)
def test_only_the_most_frequent_pairs_are_right(words: Words) -> None:
    for trace, step in questions(words):
        question = NextPair(trace, step, words)
        counts = occurrences(trace.words_at(step))
        for answer in counts:
            verdict = question.judge(answer)
            assert verdict.right is (answer in most_frequent(counts))
            assert not (verdict.right and verdict.mistakes)
        assert set(question.options()) & most_frequent(counts)
        assert len(question.options()) <= 6


@examples(25)
@given(WORDS)
def test_a_pair_chosen_without_frequencies_or_from_old_counts_gets_this_reason(words: Words) -> None:
    for trace, step in questions(words):
        question = NextPair(trace, step, words)
        once = occurrences([(word, 1) for word, _ in trace.words_at(step)])
        several = max(once.values(), default=0) > 1
        for answer in most_frequent(once) - set(question.right):
            assert ("without_frequencies" in question.judge(answer).mistakes) == several
        if step:
            old = occurrences(trace.words_at(step - 1))
            del old[trace.steps[step - 1].pair]
            for answer in most_frequent(old) - set(question.right) if old else ():
                assert "before_the_last_merge" in question.judge(answer).mistakes


def counted_once(words: list[tuple[Word, int]], counted: Pair) -> int:
    return occurrences([(word, 1) for word, _ in words])[counted]


def merged_only(words: list[tuple[Word, int]], counted: Pair) -> int:
    return sum((len(word) - len(bpe.merge_pair(word, counted))) * n for word, n in words)


def words_with_it(words: list[tuple[Word, int]], counted: Pair) -> int:
    return sum(n for word, n in words if counted in pairwise(word))


def either_order(words: list[tuple[Word, int]], counted: Pair) -> int:
    return sum(n for word, n in words for neighbours in pairwise(word) if set(neighbours) == set(counted))


def spelled_so(words: list[tuple[Word, int]], counted: Pair) -> int:
    text = b"".join(counted)
    return sum(
        n
        for word, n in words
        for at in range(len(b"".join(word)))
        if b"".join(word)[at : at + len(text)] == text
    )


COUNTS: dict[str, Callable[[list[tuple[Word, int]], Pair], int]] = {
    "without_frequencies": counted_once,
    "without_overlaps": merged_only,
    "once_a_word": words_with_it,
    "both_orders": either_order,
    "letters": spelled_so,
}


@examples(20)
@given(WORDS, st.sampled_from(list(QUANTITIES)))
def test_a_quantity_counted_under_a_misconception_gets_its_reason(words: Words, of: str) -> None:
    for trace, step in questions(words):
        question = Quantity(trace, step, of)
        assert question.judge(question.right).right
        for mistake, numbers in question.misconceptions.items():
            for number in numbers:
                verdict = question.judge(number)
                assert not verdict.right
                assert mistake in verdict.mistakes


@examples(20)
@given(WORDS, st.integers(2, 4), st.randoms())
def test_an_order_is_right_exactly_if_ties_allow_it(words: Words, number: int, draw: object) -> None:
    trace = trained(words, 6)
    if len(trace.steps) < number:
        return
    question = MergeOrder(trace, 0, number)
    assert question.judge(question.learned).right
    assert (
        not question.judge(question.items).right or len(set(question.items)) == 1 or is_fair(trace, question)
    )
    for mistake, order in question.misconceptions.items():
        verdict = question.judge(order)
        assert not verdict.right
        assert mistake in verdict.mistakes
        assert not naively_fair(trace, order)


def is_fair(trace: Trace, question: MergeOrder) -> bool:
    return naively_fair(trace, question.items)


def naively_fair(trace: Trace, order: tuple[Pair, ...]) -> bool:
    words = trace.words_at(0)
    for chosen in order:
        if chosen not in most_frequent(occurrences(words)):
            return False
        words = [(bpe.merge_pair(word, chosen), frequency) for word, frequency in words]
    return True


def test_a_tied_order_is_right_and_says_so() -> None:
    trace = trained({"ab": 3, "cd": 3}, 2, variant="bytes-whitespace")
    question = MergeOrder(trace, 0, 2)
    for order in (question.learned, question.learned[::-1]):
        assert question.judge(order).right
    sentence = sentence_of(question.judge(question.learned[::-1]))
    assert "more than one order is right" in sentence
    assert sentence.endswith("It begins with a + b: it comes first in the text, at ab.")


def test_an_order_that_merges_a_whole_before_its_part_says_so() -> None:
    trace = trained({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 3, variant="bytes-whitespace")
    assert "is not a pair yet" in sentence_of(MergeOrder(trace, 0, 3).judge(trace.merges[::-1]))


# Tokens

TEXT = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
# typed answer -> its mistake
WRONG_TOKENS = {
    "l o w e s t </w>": "stopped_early",
    "low e s t </w>": "stopped_early",
    "lowest </w>": "unlearned",
}


@pytest.mark.parametrize(("typed", "mistake"), WRONG_TOKENS.items())
def test_wrong_tokens_get_their_reason(typed: str, mistake: str) -> None:
    question = WordTokens(trained(TEXT, 12).tokenizer(), "lowest")
    assert question.judge(question.read("low est</w>")).right
    verdict = question.judge(question.read(typed))
    assert not verdict.right
    assert verdict.mistakes[0] == mistake


def test_an_other_encoder_s_tokens_are_recognised() -> None:
    trace = bpe.train({"ab": 3, "bcd": 2, "abc": 1}, variant="custom", pattern=r"\S+", unit="characters")
    tokenizer = trace.tokenizer()
    for text in ("abcd", "abcdab", "cdab"):
        question = WordTokens(tokenizer, text)
        for encoder in ("longest", "fewest", "prefix"):
            tokens = tuple(tokenizer.tokens(text, encoder))
            if tokens != question.right:
                assert "other_encoders" in question.judge(tokens).mistakes


def test_no_token_crosses_the_gap_between_two_words() -> None:
    question = WordTokens(trained(TEXT, 12, variant="bytes-whitespace").tokenizer(), "low low")
    verdict = question.judge([b"lowlow"])
    assert verdict.mistakes[0] == "across_words"


@pytest.mark.parametrize("typed", ["", "low", "lowestt", "low est", "l ow est</w> x"])
def test_tokens_that_do_not_spell_the_text_are_refused(typed: str) -> None:
    with pytest.raises(BPEError, match="Split lowest</w>"):
        WordTokens(trained(TEXT, 12).tokenizer(), "lowest").read(typed)


@examples(20)
@given(WORDS, st.text("ab", min_size=1, max_size=7))
def test_every_state_on_the_way_is_too_early_and_the_last_is_right(words: Words, text: str) -> None:
    question = WordTokens(trained(words, 6).tokenizer(), text)
    assert question.judge(question.right).right
    assert question.read(" ".join(map(question.tokenizer.variant.label, question.right))) == question.right
    for before, _ in question.steps():
        assert "stopped_early" in question.judge(before).mistakes


# Answers in the spellings that people use, and reasons that are true of the answer they are given for.

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
