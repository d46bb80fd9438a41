"""What the lessons of the part “Ties” say."""

from typing import Any

import bpe
from tests.ui.lessons.lesson_checks import At, beat, choices, given, ways


def can_make(at: At, tokens: str, text: str = "") -> bool:
    """Return whether some choice among ties makes these tokens, in this order."""
    wanted = tokens.split(" ")
    return any(
        [at.spelled([left + right]) for (left, right), _ in merges] == wanted
        for merges in choices(at, text).sequences(len(wanted))
    )


def test_does_the_tie_matter() -> None:
    at = beat("does-the-tie-matter", 1)
    other = at.under(sample="low-lower-newest-widest", preset="paper", merges=3)
    assert len(other.trace.pre_tokens) == 4
    assert other.tied == "e + s, s + t, t + </w>"
    assert other.trace.steps[other.step].count == 9
    assert can_make(other, "es")
    assert can_make(other, "st")
    assert can_make(other, "t</w>")
    at = beat("does-the-tie-matter", 2)
    other = at.under(sample="low-lower-newest-widest", preset="paper", merges=3)
    assert other.merge == "e + s"
    other_2 = at.under(sample="low-lower-newest-widest", variant="char-eow", tie_break="pair-max", merges=3)
    assert other_2.merge == "t + </w>"
    assert other.after(3).made == "es est est</w>"
    assert other_2.after(3).made == "t</w> st</w> est</w>"
    assert ways(other, [1, 3, 3, 1]) == (6, 5)
    assert len(other.trace.pre_tokens) == 4
    at = beat("does-the-tie-matter", 3)
    other = at.under(sample="low-lower-newest-widest", preset="paper", merges=12)
    assert ways(other, [1, 3, 3, 1, 2, 1, 3, 3, 1, 1, 3, 3, 1]) == (432, 250)
    assert other.after(5).made == "es est est</w> lo low"
    other_2 = at.under(sample="low-lower-newest-widest", variant="char-eow", tie_break="pair-max", merges=12)
    assert other_2.after(5).made == "t</w> st</w> est</w> ow low"
    assert len(other.trace.pre_tokens) == 4
    beat("does-the-tie-matter", 4)
    given("two readings of one word", "now here", "no where")
    at = beat("does-the-tie-matter", 5)
    assert ways(at, [1, 4, 6, 4, 1, 2, 2]) == (48, 5)
    assert at.word("nowhere") == "no w here"
    assert at.tied == "no + w, w + here"
    assert sum(4 <= rank < 5 for rank in at.trace.all_rivals()) == 1
    at = beat("does-the-tie-matter", 6)
    assert ways(at, [1, 4, 6, 4, 1, 2, 2]) == (48, 5)
    assert at.after(4).merge == "no + w"
    other = at.under(variant="custom", pattern="\\S+", unit="characters", tie_break="pair-max", merges=6)
    assert other.after(4).merge == "w + here"
    at = beat("does-the-tie-matter", 7)
    assert at.merge == "w + here"
    other = at.under(variant="custom", pattern="\\S+", unit="characters", tie_break="pair-max", merges=6)
    assert other.merge == "no + w"
    after = zip(at.trace.words_at(at.step + 1), other.trace.words_at(at.step + 1), strict=True)
    assert sum(one != two for one, two in after) == 1
    assert at.after(6).word("nowhere") == "now here"
    assert other.after(6).word("nowhere") == "no where"
    at = beat("does-the-tie-matter", 8)
    assert at.word("nowhere") == "now here"
    other = at.under(variant="custom", pattern="\\S+", unit="characters", tie_break="pair-max", merges=6)
    assert other.word("nowhere") == "no where"
    other_2 = at.under(sample="story", preset="tiktoken-educational", merges=100)
    assert sum(step.tied > 1 for step in other_2.trace.steps) == 47
    assert len(other_2.trace.steps) == 100
    assert sum(0 <= rank < 100 for rank in other_2.trace.all_rivals()) == 2


def test_does_a_model_notice() -> None:
    at = beat("does-a-model-notice", 1)
    assert at.tied == "no + w, w + here"
    assert at.merge == "no + w"
    assert at.after(6).word("nowhere") == "now here"
    other = at.under(variant="custom", pattern="\\S+", unit="characters", tie_break="pair-max", merges=6)
    assert other.after(6).word("nowhere") == "no where"
    assert at.trace.id_of(at.symbol("now")) == 10
    assert other.trace.id_of(other.symbol("now")) == 11
    beat("does-a-model-notice", 2)
    given("docs/ties/models.json and docs/ties.md, Does a model notice?", 6, 0.37)
    beat("does-a-model-notice", 3)
    given(
        "docs/ties/models.json and docs/ties.md, Does a model notice?",
        9,
        7,
        2,
        2000,
        60,
        92,
        6,
        54,
        0.28,
        0.35,
        0.94,
    )
    beat("does-a-model-notice", 4)
    given("docs/ties/models.json and docs/ties.md, Does a model notice?", 60, 4, 3, 9, 0.96, 0.4, 54, 1)
    at = beat("does-a-model-notice", 5)
    given("docs/ties/models.json and docs/ties.md, Does a model notice?", 60, 1)
    other = at.under(variant="custom", pattern="\\S+", unit="characters", tie_break="pair-max", merges=6)
    assert other.word("nowhere") == "no where"


def test_a_lottery() -> None:
    at = beat("a-lottery", 1)
    assert at.ids("the sky is blue") == [
        116,
        104,
        101,
        32,
        115,
        107,
        121,
        32,
        105,
        115,
        32,
        98,
        108,
        117,
        101,
    ]
    assert list(b"t") == [116]
    assert b"t".hex(" ").upper() == "74"
    at = beat("a-lottery", 2)
    assert at.trace.steps[at.step].tied == 14
    assert at.merge == "t + h"
    at = beat("a-lottery", 3)
    assert at.merge == "th + e"
    assert at.after(2).merge == "the + ·"
    at = beat("a-lottery", 4)
    assert at.trace.id_of(at.symbol("the·sky·is")) == 264
    assert at.ids("the sky is blue") == [264, 32, 98, 108, 117, 101]
    assert sum(step.tied > 1 for step in at.trace.steps) == 9
    assert len(at.trace.steps) == 9
    at = beat("a-lottery", 5)
    assert len(at.ids("the sea is blue")) == 11
    other = at.under(preset="hf-bytelevel", merges=9)
    assert (other.trace.stopped, len(other.trace.steps)) == ("min_count", 0)
    other_2 = at.under(preset="subword-nmt", merges=9)
    assert (other_2.trace.stopped, len(other_2.trace.steps)) == ("min_count", 0)
    assert bpe.PRESETS["hf-bytelevel"].settings["min_count"] == 2
    assert bpe.PRESETS["subword-nmt"].settings["min_count"] == 2
    at = beat("a-lottery", 6)
    assert [step.count for step in at.trace.steps[:9]] == [1, 1, 1, 1, 1, 1, 1, 1, 1]
    at = beat("a-lottery", 7)
    assert bpe.train("abcde", **{**at.recipe.settings, "merges": 1}).steps[0].tied == 4


def test_no_rule_gives_that() -> None:
    at = beat("no-rule-gives-that", 1)
    assert at.tied == "w + e, e + s, s + t, t + </w>"
    at = beat("no-rule-gives-that", 2)
    assert at.made == "es est est</w> west</w>"
    other = at.under(variant="char-eow", tie_break="first", merges=5)
    assert other.made == "we wes west west</w>"
    at = beat("no-rule-gives-that", 3)
    assert at.made == "es est"
    assert at.tied == "w + est, est + </w>"
    assert not can_make(at, "es est lo low")
    at = beat("no-rule-gives-that", 4)
    assert all(
        [count for _, count in merges] == [8, 8, 8, 8, 7] and at.spelled(merges[4][0]) == "l o"
        for merges in choices(at).sequences(5)
    )
    at = beat("no-rule-gives-that", 5)
    assert at.symbol("new") not in choices(at).tokens()
    at = beat("no-rule-gives-that", 7)
    given(
        "Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units, 2016, Figure 1",
        1,
    )
    assert can_make(at, "r</w> lo low er</w>", "low lowest newer wider")
    wanted = at.trace.variant, "low lowest newer wider", "r</w> lo low er</w>"
    rules: dict[str, dict[str, Any]] = {rule: {"tie_break": rule} for rule in bpe.TIE_BREAKS}
    rules["lucky"] = {"tie_break": "random", "seed": 44}
    made = {name: bpe.train(wanted[1], wanted[0], merges=4, **rule).merges for name, rule in rules.items()}
    assert [name for name, merges in made.items() if at.spelled(map(b"".join, merges)) == wanted[2]] == [
        "lucky"
    ]


def test_names_and_bytes() -> None:
    at = beat("names-and-bytes", 1)
    assert at.tied == "e + s, s + t"
    assert at.merge == "s + t"
    at = beat("names-and-bytes", 3)
    assert at.made == "st est ow low west ne"
    assert [step.count for step in at.trace.steps[:6]] == [9, 9, 7, 7, 6, 6]
    assert at.trace.id_of(at.symbol("st")) == 257
    assert at.trace.id_of(at.symbol("ne")) == 262
    assert len(at.trace.alphabet) == 256
    at = beat("names-and-bytes", 4)
    assert at.word("low") == "low"
    at = beat("names-and-bytes", 5)
    other = at.under(variant="bytes-whitespace", tie_break="pair-max", merges=6)
    assert other.trace.merges == at.trace.merges
    assert at.trace.id_of(at.symbol("st")) == 257
    assert list(b"s") == [115]
    other_2 = at.under(sample="story", variant="bytes-whitespace", tie_break="pair-max", merges=400)
    same = at.under(sample="story", preset="cs336-notes", merges=400)
    assert same.trace.merges[:49] == other_2.trace.merges[:49]
    assert same.trace.merges[49] != other_2.trace.merges[49]
    assert 49 + 1 == 50
    at = beat("names-and-bytes", 7)
    assert not {"lowest"} & {*at.trace.pre_tokens}
    assert at.encoding("lowest") == "st est ow low"


def test_which_goes_first() -> None:
    at = beat("which-goes-first", 1)
    assert at.tied == "D + C, C + B, B + A, A + B, B + C, C + D"
    at = beat("which-goes-first", 2)
    assert at.merge == "A + B"
    assert at.trace.steps[at.step].tied == 6
    other = at.under(preset="rustbpe", merges=4)
    assert other.merge == "A + B"
    other_2 = at.under(preset="sentencepiece", merges=4)
    assert other_2.merge == "A + B"
    at = beat("which-goes-first", 3)
    other = at.under(preset="minbpe-basic", merges=4)
    assert other.merge == "D + C"
    other_2 = at.under(preset="tiktoken-educational", merges=4)
    assert other_2.merge == "D + C"
    other_3 = at.under(preset="subword-nmt", merges=4)
    assert other_3.merge == "D + C"
    other_4 = at.under(preset="cs336", merges=4)
    assert other_4.merge == "D + C"
    at = beat("which-goes-first", 4)
    assert len(at.beat.shown["runs"].under) == 7
    other = at.under(preset="minbpe-basic", merges=4)
    assert other.word("DCBBABCDCBABCD") == "DCB B ABC DCB ABC D"
