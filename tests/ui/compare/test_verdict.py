"""The verdict of a comparison, and the figures under it."""

import re
from dataclasses import replace
from typing import Any

import pytest

import bpe
from bpe.comparison import held_out, tables
from bpe.comparison.evidence import with_random_draws
from bpe.comparison.evidence_text import percent, percent_range, share_of_draws
from tests.ui.compare.compare_page import SAMPLE, compare, measured, on_the_story
from ui.choices import corpus as corpora
from ui.choices.recipe import Recipe
from ui.choices.settings import FREE
from ui.compare import details, parts, verdict
from ui.compare.answer import _lanes_and_text
from ui.compare.comparison import PageComparison
from ui.visit import COMPARED_TRAINERS

# The choice, the first line, and the second.
VERDICTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "alike, and too little new text": (
        {"slugs": ("first", "pair-max"), "test_text": held_out.EXAMPLE},
        "Your text: every word is split the same way under both rules.",
        "Not enough held-out text to say whether it matters: 1 of 17 words is split differently, “towers”.",
    ),
    "the only word": (
        {"slugs": ("first", "pair-max"), "text": "abc abc", "shared": Recipe(FREE, "char-eow", "first", 1)},
        "Your text: “abc” is split differently.",
        "The held-out text is too different: none of its words occur in the training text.",
    ),
    "the words of a sample, by name": (
        {
            "slugs": ("first", "last"),
            "sample": "the-sky-is-blue",
            "shared": Recipe(FREE, "char-eow", "first", 2),
        },
        "In “the sky is blue”, “the” and “blue” are split differently.",
        "Not enough held-out text to say whether it matters: 5 of 17 words are split differently.",
    ),
    "a text like a sample, but typed": (
        {
            "slugs": ("first", "last"),
            "text": corpora.from_sample("the-sky-is-blue").documents[0],
            "shared": Recipe(FREE, "char-eow", "first", 2),
        },
        "Your text: “the” and “blue” are split differently.",
        "Not enough held-out text to say whether it matters: 5 of 17 words are split differently.",
    ),
    "three lanes, all alike": (
        {"slugs": ("first", "pair-max", "last"), "test_text": "hill"},
        "Your text: every word is split the same way under all three rules.",
        "The held-out text is too different: none of its words occur in the training text.",
    ),
    "three lanes, by example": (
        {"slugs": ("first", "pair-max", "last"), "shared": Recipe(FREE, "char-eow", "first", 2)},
        "newest, widest: three rules, two splits of each.",
        "Not enough held-out text to say whether it matters: 5 of 17 words are split differently in at least one of "
        "the 3 pairs of lanes.",
    ),
    "equal lanes": (
        {"slugs": ("first", "ids-min"), "text": "aaab aaab", "shared": Recipe(FREE, "bytes", "first", 1)},
        "Your text: the only word is split the same way under both rules.",
        "It does not matter: both lanes make the same merge.",
    ),
    "nothing to merge": (
        {"slugs": ("first", "last"), "text": "a", "shared": Recipe(FREE, "bytes", "first", 5)},
        "Your text: the only word is split the same way under both rules.",
        "It does not matter: there is nothing to merge.",
    ),
}


@pytest.mark.parametrize("case", VERDICTS)
def test_the_first_line_is_about_the_text_and_the_second_about_new_text(case: str) -> None:
    asked, first, second = VERDICTS[case]
    comparison = compare(*asked["slugs"], **{name: value for name, value in asked.items() if name != "slugs"})
    result = measured(comparison)
    assert verdict.answer(comparison, result) == first
    assert verdict.new_text(comparison, result) == second


@pytest.mark.parametrize("slugs", [("first", "pair-max"), ("first", "last", "pair-max")])
@pytest.mark.parametrize("merges", [2, 5, 9, 12, 40, 150])
def test_what_is_said_of_the_text_is_counted_word_by_word(slugs: tuple[str, ...], merges: int) -> None:
    text = " ".join(SAMPLE[0].split()[:300])
    comparison = compare(*slugs, text=text, shared=Recipe(FREE, "char-eow", "first", merges))
    tokenizers = [trace.tokenizer() for trace in comparison.traces]
    splits = [len({tuple(one.word_tokens(word)) for one in tokenizers}) for word in text.split()]
    differing = sum(number > 1 for number in splits)
    if not differing:
        expected = (
            f"every word is split the same way under {'both' if len(slugs) == 2 else 'all three'} rules"
        )
    elif len(slugs) == 2:
        expected = f"{differing} of 300 words {'is' if differing == 1 else 'are'} split differently"
    else:
        expected = f"{differing} of 300 words are not split the same way under all three rules"
    said = verdict._finding(comparison)
    if "“" in said:
        assert set(re.findall("“(.*?)”", said)) == {
            word for word, number in zip(text.split(), splits, strict=True) if number > 1
        }
    else:
        assert said == expected
    named, numbers = words_of_the_line(verdict.answer(comparison, measured(comparison)))
    assert bool(named) == (len(slugs) > 2 and differing > 0)
    of_named = {number for word, number in zip(text.split(), splits, strict=True) if word in named}
    assert {min(of_named), max(of_named)} == numbers if named else not numbers


def words_of_the_line(line: str) -> tuple[list[str], set[int]]:
    """Return the words that a line on many lanes names, and in how many ways at least and at most they are split."""
    match = re.fullmatch(r"(.*): three rules, (\w+)(?: to (\w+))? splits(?: of each)?\.", line)
    if match is None:
        return [], set()
    return match[1].split(", "), {
        ["one", "two", "three"].index(number) + 1 for number in match.groups()[1:] if number
    }


@pytest.mark.parametrize(
    ("comparison", "lanes_below"),
    [
        (compare("first", "pair-max", text="banana"), 0),  # nothing in common with the example sentence
        (compare("first", "ids-min", text="aaab aaab"), 0),  # the same merges
        (compare("first", "pair-max", "last", shared=Recipe(FREE, "char-eow", "first", 2)), 3),
        (on_the_story("first", "pair-max"), 2),
    ],
    ids=["unlike every other text", "the same merges", "own words", "a new text"],
)
def test_the_place_of_the_answer_is_as_high_as_what_will_be_there(
    comparison: PageComparison, lanes_below: int
) -> None:
    assert verdict.lanes_drawn(comparison) == lanes_below
    below = parts.disputed(comparison, measured(comparison))
    assert (below is not None) == bool(lanes_below)


def test_one_s_own_words_are_drawn_before_those_of_a_new_text() -> None:
    comparison = on_the_story("first", "pair-max")
    own = replace(comparison, corpus=corpora.from_text(comparison.corpus.documents[0] + " one two"))
    result = measured(comparison)
    assert result.verdict.answer in verdict.DECIDED
    of_test = {word.word for word in result.differing}
    assert {word.word for word in verdict.drawn_words(comparison, result)} <= of_test  # the story is a sample
    trained = {word.word for word in verdict._differing_corpus_words(own) or []}
    drawn = [word.word for word in verdict.drawn_words(own, result)]
    assert drawn
    assert set(drawn) <= trained


@pytest.mark.parametrize(
    ("replayed", "sentence"),
    [
        ([], "Each lane is one training on {}, tested on the text."),
        (
            [1],
            "Each lane is one training on {}, or a finished tokenizer replayed there, tested on the text.",
        ),
        ([0, 1], "Each lane is a finished tokenizer, replayed on {} and tested on the text."),
    ],
)
def test_a_finished_tokenizer_is_not_called_a_training(replayed: list[int], sentence: str) -> None:
    trained = compare("first", "pair-max")
    traces = [
        bpe.replay(trained.corpus.training_text, trace.tokenizer()) if lane in replayed else trace
        for lane, trace in enumerate(trained.traces)
    ]
    comparison = replace(trained, traces=tuple(traces))
    assert _lanes_and_text(comparison) == sentence.format("your word list")
    named = replace(comparison, corpus=replace(trained.corpus, title="words.txt"))
    assert _lanes_and_text(named) == sentence.format("“words.txt”")


@pytest.mark.parametrize("learned", [False, True])
def test_a_held_out_text_is_measured_by_the_training_text_only_where_a_lane_was_trained_on_it(
    learned: bool,
) -> None:
    trained = compare(
        "first", "pair-max", text="strawberry Priyanka", shared=Recipe("none", "char-eow", "first", 9)
    )
    text = trained.corpus.training_text
    replays = tuple(bpe.replay(text, trace.tokenizer()) for trace in trained.traces)
    comparison = trained if learned else replace(trained, traces=replays)
    result = measured(comparison)
    said = " ".join((verdict.new_text(comparison, result), *verdict.rest(comparison, result)))
    said = f"{said} {verdict.tested_on(comparison, result)}"
    assert (result.verdict.answer == "unlike text") == learned
    assert ("occur in the training text" in said) == learned
    assert ("not used in training" in said) == learned


def test_every_figure_under_the_answer_is_that_of_the_texts() -> None:
    """The words are split and compared here one by one, as a reader would."""
    comparison = on_the_story("first", "pair-max")
    result = measured(comparison)
    tokenizers = [trace.tokenizer() for trace in comparison.traces]
    split = comparison.traces[0].variant.split
    words = [
        word
        for line in SAMPLE[0].splitlines()
        for word in split(line)
        if any(character.isalnum() for character in word)
    ]
    differing = [word for word in words if len({tuple(one.word_tokens(word)) for one in tokenizers}) > 1]
    tokens = [len(one.tokens(SAMPLE[0])) for one in tokenizers]
    answer = verdict.new_text(comparison, result)
    text = " ".join((answer, *verdict.brief(comparison, result)))
    assert f"{len(differing):,} of {len(words):,} held-out words (" in text
    assert f"({percent(len(differing) / len(words))}, interval" in text
    low, high = result.same_splits.interval or (0, 0)
    assert f", interval {percent_range(1 - high, 1 - low)}) are split differently" in text
    assert result.verdict.more
    more = percent((max(tokens) - min(tokens)) / min(tokens))
    shorter, longer = sorted((0, 1), key=tokens.__getitem__)
    assert answer == (
        f"On new text, it may matter: one lane seems to need {more} more tokens than another, and the text is too "
        "short to be sure."
    )
    assert (
        f"“{comparison.lanes[longer].short}” needs more tokens than “{comparison.lanes[shorter].short}”"
        in text
    )
    rest = " ".join(verdict.rest(comparison, result))
    learned = [{left + right for left, right in trace.merges} for trace in comparison.traces]
    assert f"share {percent(len(learned[0] & learned[1]) / 150)} of the learned tokens" in rest
    known = set(split(corpora.from_sample("story").documents[0]))
    occur = percent(sum(word in known for word in words) / len(words))
    assert f"{occur} of the held-out words occur in the training text" in rest


@pytest.mark.parametrize("case", VERDICTS)
def test_nothing_under_the_answer_repeats_it(case: str) -> None:
    asked, *answer = VERDICTS[case]
    comparison = compare(*asked["slugs"], **{name: value for name, value in asked.items() if name != "slugs"})
    result = measured(comparison)
    brief, rest = verdict.brief(comparison, result), verdict.rest(comparison, result)
    read = re.findall(r"[^.:]+[.:](?= |$)", " ".join((*answer, *brief, *rest)))
    assert [sentence for sentence in read if read.count(sentence) > 1] == []
    if result.verdict.answer != "nothing to merge":
        assert brief[-1] == "Tested on the text."


def test_what_luck_explains_is_a_share_share_of_draws() -> None:
    comparison = on_the_story("first", "pair-max")
    *_, result = with_random_draws(
        measured(comparison), comparison.traces, comparison.text, 40, variant="bytes-gpt2", merges=150
    )
    assert result.luck
    pair, tokens = result.pairs[0], sorted(lane.tokens for lane in result.lanes)
    words = sum(same <= pair.same_splits.value for same in result.luck.same_splits)
    apart = sum(more >= (tokens[1] - tokens[0]) / tokens[0] for more in result.luck.more_tokens)
    assert 0 < words < 780 > apart > 0
    (sentence,) = (one for one in verdict.rest(comparison, result) if "random" in one)
    assert sentence.startswith(
        f"Of the 780 pairs of 40 trainings that break ties at random, {share_of_draws(words / 780)} split as many "
        f"words differently, and {share_of_draws(apart / 780)} have token counts as far apart. "
    )
    assert "random" not in " ".join(verdict.brief(comparison, result))  # two lanes: the answer says it


def test_the_figures_of_the_corpus_on_the_textbook_corpus() -> None:
    assert verdict._figures(compare("first", "pair-max", test_text="cow")) == (
        "The rules first differ at merge 1. In the end, 8 of 12 learned tokens are the same."
    )
    trainers = compare(
        *COMPARED_TRAINERS, text="DCBBABCDCBABCD", shared=Recipe("hf-bytelevel", "bytes-gpt2", "ids-min", 4)
    )
    assert verdict._figures(trainers).startswith(
        "The trainers first differ at merge 1. In the end, 0 of 4 learned tokens are the same in all 6 lanes, markers "
        "included."
    )
    assert "Tokens are compared as written" in verdict.how_compared(trainers)
    first = [trace.merges[0] for trace in trainers.traces]
    assert first == [(b"A", b"B"), *[(b"D", b"C")] * 3, (b"A", b"B"), (b"D", b"C")]


def test_lanes_that_differ_in_their_normalization_are_not_said_to_split_in_one_way() -> None:
    shared = Recipe.of({"preset": FREE, "variant": "char-metaspace", "tie_break": "first", "merges": 9})
    lanes = compare("first", "hf-metaspace", text="The ﬁne the fine", shared=shared)
    assert verdict.how_compared(lanes).startswith(
        "These lanes normalize or split the text in different ways."
    )
    assert not verdict.how_compared(compare("first", "last", text="The ﬁne the fine", shared=shared))


def test_the_numbers_of_the_verdict_are_in_the_tables() -> None:
    comparison = on_the_story("first", "pair-max")
    sentence = verdict._figures(comparison)
    rows = tables.tokens_table(comparison).rows
    shared = sum(row[1] == 2 for row in rows)
    totals = [trace.tokens_total(150) for trace in comparison.traces]
    assert [tokens[-1] for tokens in comparison.corpus_tokens] == totals
    result = measured(comparison)
    share = f"share {percent(shared / 150)} of the learned tokens."
    assert " ".join(verdict.rest(comparison, result)).count(share) == 1
    assert "learned tokens" not in sentence  # the share is said once
    names, lanes = details._measures_of(tables.lanes_table(comparison, result))
    held_out = names.index("tokens")
    assert [lane[held_out] for lane in lanes] == [f"{lane.tokens:,}" for lane in result.lanes]
    names, (pair,) = details._measures_of(tables.pairs_table(comparison, result))
    low, high = result.same_splits.interval or (0, 0)
    same = f"{100 * result.same_splits.value:.2f} ({100 * low:.2f} to {100 * high:.2f})"
    assert dict(zip(names, pair, strict=True))["held-out words split the same way, %"] == same


def test_the_hall_sees_words_of_both_texts() -> None:
    comparison = on_the_story("first", "pair-max")
    words = verdict.words_for_a_hall(comparison, measured(comparison), 3)
    assert [of.endswith("held-out text") for _, of in words] == [False, False, True]
