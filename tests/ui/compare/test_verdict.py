"""The verdict of a comparison, and the figures under it."""

import re
from dataclasses import replace
from typing import Any

import pytest

import bpe
from bpe.comparison import held_out, tables
from bpe.comparison.evidence import with_random_draws
from bpe.comparison.verdict import percent
from tests.ui.compare.compare_page import SAMPLE, compare, measured, on_the_story
from ui.page_parts.compare import details, parts, verdict
from ui.page_parts.compare.answer import _lanes_and_text
from ui.page_parts.compare.comparison import PageComparison
from ui.trainings import corpus as corpora
from ui.trainings.recipe import Recipe
from ui.trainings.settings import FREE
from ui.view.visit import COMPARED_TRAINERS

# The choice, the first line, and the second.
VERDICTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "alike, but not in new text": (
        {"slugs": ("first", "pair-max"), "test_text": held_out.EXAMPLE},
        "Your text: every word is split the same way under both rules.",
        "On new text, 1 of 17 words in the held-out text is split differently.",
    ),
    "three lanes, by example": (
        {"slugs": ("first", "pair-max", "last"), "shared": Recipe(FREE, "char-eow", "first", 2)},
        "newest, widest: three rules, two splits of each.",
        "On new text, 5 of 17 words in the held-out text are not split the same way by all 3 lanes.",
    ),
    "equal lanes": (
        {"slugs": ("first", "ids-min"), "text": "aaab aaab", "shared": Recipe(FREE, "bytes", "first", 1)},
        "Your text: the only word is split the same way under both rules.",
        "It does not matter: both lanes make the same merge.",
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
    assert (result.known_words is not None) == learned
    assert ("occur in the training text" in said) == learned
    assert ("not used in training" in said) == learned


def test_the_page_says_how_many_draws_are_as_far_apart_as_the_lanes() -> None:
    comparison = compare("first", "pair-max", sample="banana")
    *_, result = with_random_draws(measured(comparison), comparison.text, 40, variant="char-eow", merges=12)
    line, tested = verdict.brief(comparison, result)
    assert f"Of 780 pairs of trainings that break ties at random, {result.draws_as_far_apart} differ" in line
    assert tested == "Tested on the text."
    of_words = f"{result.differing_words:,} of {result.compared_words:,} words in the held-out text"
    assert verdict.new_text(comparison, result) == (
        f"On new text, it matters no more than luck: {of_words} are split differently, and random tie-breaks do as "
        "much."
    )


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


def test_of_three_lanes_on_a_text_of_very_many_words_the_figures_say_nothing_of_its_words() -> None:
    text = " ".join(f"w{number}" for number in range(5_001))
    assert verdict._figures(compare("first", "pair-max", "last", text=text, test_text="cow")) == (
        "The rules first differ at merge 1. In the end, 10 of 12 learned tokens are the same in all 3 lanes."
    )


def test_lanes_that_differ_in_their_normalization_are_not_said_to_split_in_one_way() -> None:
    shared = Recipe.of({"preset": FREE, "variant": "char-metaspace", "tie_break": "first", "merges": 9})
    lanes = compare("first", "hf-metaspace", text="The ﬁne the fine", shared=shared)
    assert verdict.how_compared(lanes).startswith(
        "These lanes normalize or split the text in different ways."
    )
    assert not verdict.how_compared(compare("first", "last", text="The ﬁne the fine", shared=shared))


def test_the_numbers_of_the_verdict_are_in_the_tables() -> None:
    comparison = on_the_story("first", "pair-max")
    assert (
        f"{percent(sum(row[1] == 2 for row in tables.tokens_table(comparison).rows) / 150)} of the learned"
        in (verdict._figures(comparison))
    )
    totals = [trace.tokens_total(150) for trace in comparison.traces]
    assert [tokens[-1] for tokens in comparison.corpus_tokens] == totals
    result = measured(comparison)
    names, lanes = details._measures_of(tables.lanes_table(comparison, result))
    held_out = names.index("tokens")
    assert [lane[held_out] for lane in lanes] == [f"{lane.tokens:,}" for lane in result.lanes]
    names, (pair,) = details._measures_of(tables.pairs_table(comparison, result))
    same = f"{100 * result.pairs[0].same_splits:.2f}"
    assert dict(zip(names, pair, strict=True))["held-out words split the same way, %"] == same


def test_the_hall_sees_words_of_both_texts() -> None:
    comparison = on_the_story("first", "pair-max")
    words = verdict.words_for_a_hall(comparison, measured(comparison), 3)
    assert [of.endswith("held-out text") for _, of in words] == [False, False, True]
