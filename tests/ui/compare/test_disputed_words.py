"""The words and the bar under the answer of Compare, and the text that the page opens with."""

import re
from functools import cache

from bpe.comparison import verdict_text
from bpe.comparison.evidence import with_random_draws
from bpe.comparison.held_out import default_held_out
from bpe.comparison.verdict import SAME
from tests.ui.compare.comparisons import compare, measured
from ui.compare import verdict
from ui.compare.answer import lanes_and_text
from ui.compare.comparison import PageComparison
from ui.compare.parts import LONGEST, MOST_DISPUTED, bar_of, disputed_words
from ui.sidebar import corpus as corpora
from ui.sidebar.recipe import Recipe
from ui.visit import COMPARED_RULES, OPENING_SAMPLES


@cache
def opening() -> PageComparison:
    """Return the comparison that a first visit to the page opens with."""
    sample = corpora.samples()[OPENING_SAMPLES["compare"]]
    text = corpora.from_sample(sample.slug).documents[0]
    _, held_out = default_held_out(text)
    shared = Recipe(sample.preset, "char-eow", "first", sample.merges)
    return compare(*COMPARED_RULES, text=text, shared=shared, test_text=held_out.text)


def test_compare_opens_with_a_text_whose_answer_is_clear() -> None:
    """The whole interval lies beyond the limit, and the answer says how often luck does as much."""
    comparison = opening()
    *_, result = with_random_draws(
        measured(comparison),
        comparison.traces,
        comparison.text,
        variant="char-eow",
        merges=comparison.merges,
    )
    assert result.verdict.answer == "yes"
    assert result.same_splits.interval
    assert result.same_splits.interval[1] < SAME - 0.1
    assert result.verdict.beyond_luck == ()
    assert result.verdict.more == (0,)  # one lane needs more tokens, whatever the held-out text
    answer = verdict.answer(comparison, result)
    assert answer == (
        "It matters: 29% of the held-out words are split differently, and 6 in 100 pairs of random draws differ as "
        "much."
    )
    assert lanes_and_text(comparison).endswith(" “Twelve neighbours” was written so that many pairs tie.")
    words = [word.word for word in disputed_words(comparison, result)]
    assert words[:4] == ["was", "that", "he", "on"]  # everybody knows them


def test_the_words_are_short_the_most_frequent_and_each_is_there_once() -> None:
    result = measured(opening())
    words = disputed_words(opening(), result)
    assert len(words) == MOST_DISPUTED
    assert all(len(word.word) <= LONGEST and word.differs for word in words)
    names = [word.word.casefold() for word in words]
    assert len(set(names)) == len(names)
    frequencies = [word.frequency for word in words]
    assert frequencies == sorted(frequencies, reverse=True)
    assert frequencies[0] == max(word.frequency for word in result.differing)


def test_a_text_that_is_unlike_every_other_shows_its_own_words() -> None:
    unlike = compare("first", "pair-max", text="abc abc", shared=Recipe("none", "char-eow", "first", 1))
    result = measured(unlike)
    assert result.verdict.answer == "unlike text"
    assert [word.word for word in disputed_words(unlike, result)] == ["abc"]
    assert bar_of(result) is None


def test_the_bar_the_answer_and_the_words_tab_count_the_same_words() -> None:
    result = measured(opening())
    bar = bar_of(result)
    assert bar is not None
    assert bar["value"]["to"] == 1 - result.same_splits.value
    assert bar["interval"]["from"] < bar["value"]["to"] < bar["interval"]["to"]
    assert bar["limit"]["to"] == 1 - SAME
    assert bar["chance"] is None  # nothing was drawn
    counts = f"{result.differing_words:,} of {result.compared_words:,}"
    assert bar["value"]["text"] == f"{counts} held-out words"
    sentences = [
        *verdict_text.first_sentences(result, ["one", "two"]),
        verdict.split_words(opening(), result),
    ]
    counted = [re.findall(r"[\d,]+ of [\d,]+", one) for one in sentences]
    assert [counts in numbers for numbers in counted if numbers] == [True, True]
