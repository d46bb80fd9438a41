"""What the lessons of the part “Counting and merging” say."""

from collections import Counter
from itertools import pairwise

from tests.material.novel import novel
from tests.ui.lessons.lesson_checks import beat, choices, given


def test_count_merge_repeat() -> None:
    at = beat("count-merge-repeat", 2)
    assert at.spelled(at.trace.vocabulary(at.step)) == "b g h n p s u"
    at = beat("count-merge-repeat", 3)
    assert at.tied == "u + g"
    at = beat("count-merge-repeat", 5)
    assert at.count("g") == 0
    at = beat("count-merge-repeat", 6)
    assert at.tied == "u + n"
    assert at.count("h + u") == 0
    at = beat("count-merge-repeat", 7)
    assert at.made == "ug un hug pun"
    assert at.word("hugs") == "hug s"
    at = beat("count-merge-repeat", 8)
    assert [step.count for step in at.trace.steps[:4]] == [20, 16, 15, 12]
    assert at.tied == "p + ug, hug + s"


def test_the_first_tie() -> None:
    at = beat("the-first-tie", 1)
    assert at.word("low") == "l o w </w>"
    at = beat("the-first-tie", 2)
    assert at.tied == "e + s, s + t, t + </w>"
    at = beat("the-first-tie", 3)
    assert at.trace.steps[at.step].tied == 3
    assert at.merge == "e + s"
    at = beat("the-first-tie", 4)
    assert at.tied == "es + t, t + </w>"
    assert at.count("s + t") == 0
    assert at.count("s") == 0
    at = beat("the-first-tie", 6)
    other = at.under(preset="subword-nmt", merges=12)
    assert other.made == "st</w> est</w> lo"
    at = beat("the-first-tie", 7)
    assert sum(step.tied > 1 for step in at.trace.steps) == 7
    assert len(at.trace.steps) == 12
    assert at.word("low") == "low</w>"
    assert at.word("newest") == "newest</w>"
    assert at.word("widest") == "widest</w>"


def test_two_endings() -> None:
    at = beat("two-endings", 1)
    assert at.trace.vocabulary_size(2) == 14
    assert at.trace.vocabulary_size(5) == 17
    assert (at.trace.stopped, len(at.trace.steps)) == ("vocab_size", 5)
    at = beat("two-endings", 2)
    assert at.tied == "e + s, s + t, t + </w>, e + r, r + </w>"
    at = beat("two-endings", 3)
    assert at.made == "es est est</w> er er</w>"
    assert at.word("higher") == "h i g h er</w>"
    assert at.word("lower") == "l o w er</w>"
    assert at.word("lowest") == "l o w est</w>"
    assert at.word("coolest") == "c o o l est</w>"
    assert sum(step.tied > 1 for step in at.trace.steps) == 4
    assert len(at.trace.steps) == 5
    at = beat("two-endings", 4)
    assert not {"slower", "hottest"} & {*at.trace.pre_tokens}
    assert at.split("hottest") == "h o t t est</w>"
    at = beat("two-endings", 6)
    assert at.trace.id_of(at.symbol("</w>")) == 11


def test_counted_and_replaced() -> None:
    at = beat("counted-and-replaced", 1)
    assert at.tied == "a + a"
    at = beat("counted-and-replaced", 2)
    other = at.under(preset="boundless-bpe", merges=3)
    assert other.after(0).merge == "a + a"
    assert other.after(0).trace.steps[0].count == 2
    assert other.after(0).trace.steps[0].replaced == 2
    assert at.after(0).merge == "a + a"
    assert at.after(0).trace.steps[0].count == 4
    assert at.after(0).trace.steps[0].replaced == 2
    assert at.word("aaabdaaabac") == "aa a b d aa a b a c"
    at = beat("counted-and-replaced", 3)
    assert at.tied == "aa + a, a + b"
    assert at.merge == "aa + a"
    other = at.under(preset="hf-bytelevel", merges=3)
    assert other.merge == "a + b"
    assert other.trace.steps[other.step].count == 2
    other_2 = at.under(variant="bytes", tie_break="pair-min", merges=3)
    assert other_2.merge == "a + b"
    assert other_2.trace.steps[other_2.step].count == 2
    at = beat("counted-and-replaced", 4)
    other = at.under(preset="hf-bytelevel", merges=3)
    assert other.trace.words_at(len(other.trace.steps)) == at.trace.words_at(len(at.trace.steps))
    beat("counted-and-replaced", 5)
    given("Gage: A New Algorithm for Data Compression, The C Users Journal, February 1994", 1994)
    at = beat("counted-and-replaced", 8)
    assert at.made == "aa"


def test_tokens_in_use() -> None:
    at = beat("tokens-in-use", 1)
    assert at.merge == "e + s"
    assert at.after(1).count("s") == 0
    at = beat("tokens-in-use", 2)
    assert at.made == "es est"
    assert at.count("es") == 0
    assert at.count("t") == 0
    at = beat("tokens-in-use", 3)
    assert at.after(8).merge == "low + </w>"
    assert at.trace.born(at.symbol("low</w>")) + 1 == 9
    at = beat("tokens-in-use", 4)
    assert {after - before for before, after in pairwise(at.trace.in_use_by_step())} == {0, 1, -1}
    assert novel().merges == 27548
    assert novel().falls_at == 25892
    given("a round number below the merge at which the fall begins", 25000)
    at = beat("tokens-in-use", 5)
    assert at.count("es") == 0


def test_is_greedy_good() -> None:
    at = beat("is-greedy-good", 2)
    assert at.tied == "m + e"
    at = beat("is-greedy-good", 4)
    assert at.made == "me am en"
    ways = choices(at)
    words_after = {
        tuple(left + right for left, right in merges): words for merges, words in ways.all_sequences(3)
    }
    lengths = {merges: ways.length(words) for merges, words in words_after.items()}
    greedy = [tuple(left + right for (left, right), _ in merges) for merges in ways.sequences(3)]
    assert {lengths[merges] for merges in greedy} == {7}
    assert len(lengths) == 26
    assert Counter(lengths.values()) == {6: 4, 7: 18, 8: 4}
    assert lengths[b"am", b"en", b"me"] == 6
    assert at.spelled(words_after[b"am", b"en", b"me"][at.trace.pre_tokens.index("amen")]) == "am en"
    beat("is-greedy-good", 5)
    given("tried in the beat before", 26, 6, 7, 8, 4, 18)
    assert 1000**3 == 1000000000
