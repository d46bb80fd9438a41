"""What held-out texts decide, and which of them decide nothing."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

import bpe
from bpe import BPEError
from bpe.analysis.ties import RandomTieStudy
from bpe.comparison import evidence_text, verdict_text
from bpe.comparison.evidence import Evidence, evidence
from bpe.comparison.evidence_text import share_of_draws
from bpe.comparison.intervals import Estimate
from bpe.comparison.random_draws import Luck, enough_draws
from bpe.comparison.verdict import SAME, TOKENS, WHOLE, most_by_luck
from bpe.comparison.verdict_text import _headlined_figure
from tests.bpe.comparison.story_evidence import expect_said_once, measured, sample, trained


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


@pytest.mark.parametrize(
    ("same", "headline", "tokens"),
    [(0.9748, "97.4%", "97.4%"), (0.99999, "99.9%", "more than 99.9%"), (1, "100%", "100%")],
)
def test_a_least_figure_is_rounded_down(same: float, headline: str, tokens: str) -> None:
    result = measured("bytes-gpt2")
    pair = replace(
        result.pairs[0], same_splits=Estimate(same, (0.96, 1.0)), more_tokens=Estimate(0.0, (0.0, 0.0))
    )
    three = replace(result, pairs=(pair,) * 3, lanes=result.lanes[:1] * 3)
    assert f"any two lanes split at least {headline} of" in verdict_text.headline(three, "abc")
    assert evidence_text._at_least(same).removeprefix("at least ") == tokens


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


# The verdict in sentences: the answer comes first, every kind has one, and nothing is read twice.

NAMES = ["first occurrence", "last in dictionary order"]
WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


@cache
def of_words(held_out: str) -> Evidence:
    """Return the evidence of two rules that were trained on the textbook's words."""
    traces = [bpe.train(WORDS, tie_break=rule, merges=12) for rule in ("first", "pair-max")]
    return evidence(traces, [held_out], WORDS, resamples=50)


@cache
def of_story(held_out: str) -> Evidence:
    """Return the evidence of two rules that were trained on a story."""
    rules = ("first", "pair-max")
    traces = [bpe.train(sample("story"), "bytes-gpt2", rule, merges=150) for rule in rules]
    return evidence(traces, [held_out], sample("story"), resamples=50)


def sentence(number: int) -> str:
    """Return a line of nine known words. Few lines have eight of them in the same order as another."""
    draw = random.Random(number)
    return (
        " ".join(
            draw.choice(["the", "cat", "sat", "on", "mat", "and", "dog", "lay", "by", "door"])
            for _ in range(9)
        )
        + "\n"
    )


def certain(words: float, tokens: float, ends: float = 0.001) -> Evidence:
    """Return evidence with these shares: of the words that are split alike, and of more tokens."""
    measured = of_story(sample("ties"))
    same = Estimate(words, (words - ends, min(1, words + ends)))
    more = Estimate(tokens, (tokens - ends, tokens + ends))
    pair = replace(measured.pairs[0], same_splits=same, more_tokens=more)
    numbers = (10_000, round(10_000 * (1 + tokens)))
    lanes = tuple(replace(lane, tokens=number) for lane, number in zip(measured.lanes, numbers, strict=True))
    return replace(measured, lanes=lanes, same_splits=same, pairs=(pair,))


def nothing() -> Evidence:
    return evidence([bpe.train("a", "bytes", merges=5)] * 2, ["a b c"], "a", resamples=50)


def of_file() -> Evidence:
    text = sample("story")[:2_000]
    file = bpe.train(sample("story"), "bytes-gpt2", merges=300).tokenizer()
    traces = [bpe.train(text, "bytes-gpt2", merges=100), bpe.replay(text, file)]
    return evidence(traces, [sample("ties")], text, resamples=50)


CASES: dict[str, tuple[Callable[[], Evidence], str, str]] = {  # the answer, how the headline begins
    "nothing to merge": (nothing, "nothing to merge", "It does not matter: there is nothing to merge."),
    "one word": (
        lambda: of_words("the newest towers are lower"),
        "too little text",
        "Not enough held-out text to say whether it matters: 1 of 5 words is split differently, “towers”.",
    ),
    "unlike": (
        lambda: of_story("Der Hund bellt laut.\n" * 40),
        "unlike text",
        "The held-out text is too different: none of its words",
    ),
    "read before": (lambda: of_story(sample("story")), "not held out", "The text is not held out: all of its"),
    "read in part": (
        lambda: of_story(sample("story")[:6_000] + sample("ties")),
        "not held out",
        "The text is not held out: ",
    ),
    "almost only whole words": (
        lambda: replace(certain(0.99, 0), whole_words=0.97),
        "hardly",
        "It hardly matters here: in every lane, almost every held-out word is a single token.",
    ),
    "perhaps, by tokens": (
        lambda: certain(0.97, 0.0102),
        "perhaps",
        "It may matter: one lane seems to need 1% more tokens than another, and the text is too short to be sure.",
    ),
    "perhaps, by tokens that may be equal": (
        lambda: certain(0.97, 0, 0.0121),
        "perhaps",
        "It may matter: one lane may need up to 1.3% more tokens than another, and the text is too short",
    ),
    "a file": (of_file, "yes", "46% of the held-out words are split differently; after 100 merges each, "),
}  # fmt: skip


@pytest.mark.parametrize(("measure", "answer", "beginning"), CASES.values(), ids=CASES)
def test_the_answer_comes_first_and_no_figure_is_read_twice(
    measure: Callable[[], Evidence], answer: str, beginning: str
) -> None:
    measured = measure()
    assert measured.verdict.answer == answer
    assert verdict_text.headline(measured, NAMES).startswith(beginning)
    expect_said_once(measured, NAMES)


def with_draws(measured: Evidence, words: float, tokens: float, draws: int = 60) -> Evidence:
    """Return the evidence beside random draws, any two of which differ by these shares of words and tokens."""
    pairs = draws * (draws - 1) // 2
    study = RandomTieStudy(draws, Counter(), ())
    luck = Luck(study, "bytes-gpt2", (), (tokens,) * pairs, (1 - words,) * pairs, ())
    return replace(measured, luck=luck)


@pytest.mark.parametrize(
    ("shares", "words", "tokens", "ending"),
    [
        ((0.85, 0), 0.1, 0.9, "15% of the held-out words are split differently, more than random"),
        (
            (0.85, 0.05),
            0.2,
            0,
            "split differently, but every pair of random draws differs at least as much.",
        ),
        ((0.99, 0.05), 0.9, 0.01, "5% more tokens than another, more than random tie-breaks would explain."),
        (
            (0.99, 0.05),
            0,
            0.06,
            "tokens than another, but every pair of random draws differs at least as much.",
        ),
        ((0.97, 0.0102), 0, 0, "and the text is too short to be sure."),
        ((0.991, 0.003), 0, 0, "99.1% of the held-out words are split the same way."),
    ],
    ids=["words beyond", "words within", "tokens beyond", "tokens within", "too short", "hardly"],
)
def test_the_answer_says_in_one_sentence_how_its_own_figure_compares_with_chance(
    shares: tuple[float, float], words: float, tokens: float, ending: str
) -> None:
    measured = certain(*shares)
    headline = verdict_text.headline(with_draws(measured, words, tokens), NAMES)
    assert ending in headline
    assert headline.count(". ") == 0
    assert sum(hedge in headline for hedge in ("random", "too short", "chance", "luck")) <= 1
    beside = _headlined_figure(with_draws(measured, words, tokens))
    assert beside.chance == pytest.approx((words, words) if beside.is_of_words else (tokens, tokens))


def test_lanes_that_differ_for_another_reason_are_not_compared_with_chance() -> None:
    assert _headlined_figure(with_draws(of_file(), 0, 0)).chance is None
    assert "random" not in verdict_text.headline(with_draws(of_file(), 0, 0), NAMES)


def test_of_many_pairs_the_headline_says_only_that_luck_does_not_explain_its_own() -> None:
    three = replace(certain(0.85, 0), pairs=certain(0.85, 0).pairs * 3)
    assert "random" not in verdict_text.headline(with_draws(three, 0.2, 0, enough_draws(3)), NAMES)
    assert verdict_text.headline(with_draws(three, 0.1, 0, enough_draws(3)), NAMES).endswith(
        ", more than random tie-breaks would explain."
    )


@pytest.mark.parametrize("as_much", [0, 1, 2, 106, 1_200, 1_770])
@pytest.mark.parametrize("as_far", [0, 1, 2, 700])
@pytest.mark.parametrize("shares", [(0.85, 0.05), (0.99, 0.05)])
def test_the_headline_and_the_sentence_on_luck_say_the_same(
    as_much: int, as_far: int, shares: tuple[float, float]
) -> None:
    measured = certain(*shares)
    same, apart = 1 - shares[0], shares[1]
    words = [1 - same] * as_much + [1.0] * (1_770 - as_much)
    tokens = [apart + 0.1] * as_far + [0.0] * (1_770 - as_far)
    luck = Luck(RandomTieStudy(60, Counter(), ()), "bytes-gpt2", (), tuple(tokens), tuple(words), ())
    beside = replace(measured, luck=luck)
    headline = verdict_text.headline(beside, NAMES)
    (sentence,) = (
        one for one in verdict_text.first_sentences(beside, NAMES) if "trainings that break" in one
    )
    is_of_words = _headlined_figure(beside).is_of_words
    assert is_of_words == (shares[0] < 0.9)
    number = as_much if is_of_words else as_far
    assert most_by_luck(1_770, 1) == 1
    explained = "both" if as_much > 1 < as_far else "neither" if max(as_much, as_far) <= 1 else ""
    name = "the words" if is_of_words else "the token counts"
    if number <= 1:
        assert headline.endswith(", more than random tie-breaks would explain.")
        assert sentence.endswith(explained + ".") if explained else sentence.endswith(f"but not {name}.")
    else:
        share = share_of_draws(number / 1_770)
        compared = {
            106: ", but 6 in 100 pairs of random draws differ at least as much.",
            700: ", but 40 in 100 pairs of random draws differ at least as much.",
            1_200: ", but most pairs of random draws differ at least as much.",
            1_770: ", but every pair of random draws differs at least as much.",
        }
        assert headline.endswith(
            compared.get(number, f", but {share} pairs of random draws differ at least as much.")
        )
        assert f"{share} split" in sentence or f"{share} have" in sentence
        assert sentence.endswith("both.") if explained else f"could explain {name}, but not" in sentence


def test_too_few_draws_claim_nothing() -> None:
    few = Luck(RandomTieStudy(10, Counter(), ()), "bytes-gpt2", (), (0.0,) * 45, (1.0,) * 45, ())
    measured = replace(certain(0.85, 0.05), luck=few)
    assert measured.verdict.beyond_luck == ()
    assert "more than random" not in verdict_text.headline(measured, NAMES)
    assert (
        "There are too few random draws to tell what luck explains: the 45 pairs of 10 trainings that break ties at "
        "random."
    ) in verdict_text.sentences(measured, NAMES)


def test_what_continues_the_headline_names_what_it_counts() -> None:
    measured = certain(0.85, 0.05)
    assert verdict_text.first_sentences(measured, NAMES)[0].startswith(
        f"That is {measured.differing_words} of 809 words (interval 14.9 to 15.1%), most often “"
    )
    assert verdict_text.first_sentences(certain(0.99, -0.05), NAMES)[0] == (
        "The lane “first occurrence” needs more tokens than “last in dictionary order” (interval 5.2 to 5.4%)."
    )
    assert verdict_text.first_sentences(of_words("low towers or lower towns"), NAMES)[0] == (
        "These words are “towers” and “towns”."
    )
    # Lanes with different numbers of merges differ whatever the rules: the headline does not say that these matter.
    measured = of_file()
    assert measured.equal
    tokens = " and ".join(f"{number:,}" for number in measured.equal.tokens)
    assert verdict_text.first_sentences(measured, NAMES)[-1] == (
        "The lanes have different numbers of merges (100 to 300), so the comparison is unequal. After equal numbers of "
        f"merges, the held-out text needs {tokens} tokens."
    )
    assert (
        "We do not know which text “last in dictionary order” was trained on. It may have been trained on the held-out "
        "text too."
    ) in verdict_text.sentences(measured, NAMES)
    sure = Estimate(0.99, (0.98, 1.0))
    alike = replace(
        of_file(), same_splits=sure, pairs=(replace(of_file().pairs[0], more_tokens=Estimate(0, (0, 0))),)
    )
    assert "different numbers of merges (100 to 300)" in verdict_text.first_sentences(alike, NAMES)[-1]


def test_a_lane_that_was_stopped_is_compared_as_a_lane_of_another_size() -> None:
    steps = bpe.train_steps(sample("story"), "bytes-gpt2", "first", merges=150)
    for _ in range(40):
        next(steps)
    traces = [steps.trace(stopped="cancelled"), bpe.train(sample("story"), "bytes-gpt2", merges=150)]
    result = evidence(traces, [sample("ties")], sample("story"), resamples=50)
    assert verdict_text.headline(result, NAMES).startswith(
        "44% of the held-out words are split differently; after 40 "
    )


def test_words_that_are_one_token_in_every_lane_are_counted() -> None:
    training, held_out = "".join(map(sentence, range(100))), "".join(map(sentence, range(1_000, 1_040)))
    traces = [bpe.train(training, "bytes-gpt2", merges=merges) for merges in (60, 15)]
    split = bpe.VARIANTS["bytes-gpt2"].split
    words = [word for line in held_out.splitlines() for word in split(line)]
    whole = [word for word in words if all(len(one.tokenizer().tokens(word)) == 1 for one in traces)]
    measured = evidence(traces, [held_out], training, resamples=50)
    assert measured.whole_words == pytest.approx(len(whole) / len(words))
    assert 0 < len(whole) < len(words)


@pytest.mark.parametrize(("share", "is_trivial"), [(WHOLE, True), (WHOLE - 0.001, False), (1, True)])
def test_hardly_is_trivial_if_almost_every_word_is_one_token(share: float, is_trivial: bool) -> None:
    measured = replace(certain(0.99, 0), whole_words=share)
    assert measured.verdict.answer == "hardly"
    assert measured.verdict.is_trivial == is_trivial
    advice = "use fewer merges or more training text"
    assert (advice in " ".join(verdict_text.first_sentences(measured, NAMES))) == is_trivial
    assert not replace(certain(0.85, 0), whole_words=share).verdict.is_trivial


def test_no_lane_is_said_to_need_more_tokens_if_either_may() -> None:
    text = " ".join(verdict_text.first_sentences(certain(0.97, 0, 0.012), ("one", "two")))
    assert "These lanes are “one” and “two”. Either may need more." in text
    assert "needs more tokens" not in text
