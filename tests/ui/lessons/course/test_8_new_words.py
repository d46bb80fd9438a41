"""What the lessons of the part “New words” say."""

from collections import Counter

import bpe
from bpe.text.counting import _count_text
from tests.material.novel import novel
from tests.ui.lessons.lesson_checks import At, beat, given
from ui.trainings.corpus import from_sample


def agreement(at: At) -> tuple[list[int], list[int], int]:
    """Return on how many words of each half of the text the encoders agree, of how many, and how many encoders.

    Trained on the first half, they know its words. Of the second half only those count that are new.
    """
    words = at.text.split()
    half = words[: len(words) // 2]
    tokenizer = bpe.train(" ".join(half), **at.recipe.settings).tokenizer()
    encoders = [slug for slug, row in bpe.ENCODERS.items() if not (row.settings or row.needs_counts)]

    def agreeing(some: set[str]) -> list[int]:
        same = [len({tuple(tokenizer.tokens(word, slug)) for slug in encoders}) == 1 for word in some]
        return [sum(same), len(some)]

    return agreeing(set(half)), agreeing(set(words) - set(half)), len(encoders)


def counted_in_parts(at: At, parts: int) -> list[int]:
    """Return how many words each part of the text has. Their counts together give the same merges."""
    lines = at.text.splitlines(keepends=True)
    size = -(-len(lines) // parts)
    counts = [
        Counter(_count_text("".join(lines[start : start + size]), at.trace.variant))
        for start in range(0, len(lines), size)
    ]
    total = sum(counts, Counter[str]())
    assert total == dict(zip(at.trace.pre_tokens, at.trace.frequencies, strict=True))
    assert bpe.train(dict(total), **at.recipe.settings).merges == at.trace.merges
    return [part.total() for part in counts]


def test_one_word_five_encoders() -> None:
    at = beat("one-word-five-encoders", 1)
    assert not {"lighthouses"} & {*at.trace.pre_tokens}
    assert at.split("lighthouses") == "l igh th ou se s</w>"
    at = beat("one-word-five-encoders", 2)
    assert at.encoding("lighthouses") == "ight es</w> ou l s h"
    assert at.split("lighthouses") == "l ight h ou s es</w>"
    assert at.split("lighthouses", "rank") == "l igh th ou se s</w>"
    at = beat("one-word-five-encoders", 3)
    assert at.split("lighthouses") == "li gh th ou se s</w>"
    assert at.split("lighthouses", "fewest") == "li gh th ou se s</w>"
    at = beat("one-word-five-encoders", 4)
    assert at.split("understanding", "rank") == "und er st and ing</w>"
    assert len(at.ids("understanding", "rank")) == 5
    assert {*map(at.symbol, ["un", "und", "er", "st", "sta", "and", "ing</w>"])} <= at.tokenizer.ids.keys()
    assert at.split("understanding", "prefix") == "und er sta n d ing</w>"
    assert len(at.ids("understanding", "prefix")) == 6
    assert at.split("understanding", "fewest") == "und er st and ing</w>"
    at = beat("one-word-five-encoders", 5)
    assert agreement(at) == ([434, 521], [216, 303], 5)
    assert round(21600 / 303) == 71
    assert round(43400 / 521) == 83


def test_merges_dropped_at_random() -> None:
    at = beat("merges-dropped-at-random", 1)
    assert at.split("newest") == "newest</w>"
    assert not {"lowest"} & {*at.trace.pre_tokens}
    at = beat("merges-dropped-at-random", 2)
    assert at.split("newest") == "new est</w>"
    assert 100 * at.lesson.encoder_of(at.beat).value_of["p"] == 10
    at = beat("merges-dropped-at-random", 3)
    dropout = at.lesson.encoder_of(at.beat)
    drawn = Counter(tuple(at.tokenizer.tokens("newest", dropout.using(seed=seed))) for seed in range(1000))
    assert len(drawn) == 11
    assert drawn[(at.symbol("newest</w>"),)] == 727
    given("the seeds, from 0", 999)
    at = beat("merges-dropped-at-random", 4)
    assert at.split("newest") == "n e w e s t </w>"
    assert len(at.ids("newest")) == 7
    assert 100 * at.lesson.encoder_of(at.beat).value_of["p"] == 50
    at = beat("merges-dropped-at-random", 5)
    given("no and every merge dropped, in percent", 0, 100)
    assert at.split("newest", {"slug": "dropout", "p": 1.0}) == "n e w e s t </w>"
    at = beat("merges-dropped-at-random", 6)
    assert at.split("lowest") == "low est</w>"


def test_what_it_costs() -> None:
    at = beat("what-it-costs", 2)
    assert len(at.trace.uses(at.symbol("e</w>"), at.step)) == 76
    assert 824 - 76 == 748
    after = zip(at.trace.words_at(0), at.trace.words_at(1), strict=True)
    assert sum(one == two for one, two in after) > 412
    assert (at.trace.stopped, len(at.trace.steps)) == ("merges", 400)
    assert 400 * 824 == 329600
    given(
        "Radford et al. 2019, section 2.3: 50,257 tokens; openai/gpt-2, vocab.bpe: 50,000 merges, 256 bytes",
        50000,
    )
    at = beat("what-it-costs", 3)
    words = zip(at.trace.pre_tokens, at.trace.words_at(at.step), strict=True)
    have_it = [name for name, (word, _) in words if at.symbol("e</w>") in word]
    assert have_it[:7] == ["The", "the", "one", "same", "twice", "have", "because"]
    assert len(have_it) - 7 == 69
    assert sum(len({*at.trace.boundaries(word)} - {-1}) for word in at.trace.pre_tokens) == 2787
    assert round(329600 / 2787) == 118
    assert 400 * 824 == 329600
    assert (at.trace.stopped, len(at.trace.steps)) == ("merges", 400)
    at = beat("what-it-costs", 4)
    assert counted_in_parts(at, 4) == [709, 621, 711, 566]
    assert sum(at.trace.frequencies) == 2607
    at = beat("what-it-costs", 5)
    assert len(at.trace.variant.spell("understanding")) == 14
    assert 14 - 1 == 13
    assert len(at.encoding("understanding").split()) == 9
    assert len(at.ids("understanding")) == 5


def test_glitch_tokens() -> None:
    at = beat("glitch-tokens", 1)
    assert at.text.count("QuietMossTeapot") == 6
    assert len(at.text.splitlines()) == 10
    given("the text", 3)
    at = beat("glitch-tokens", 2)
    assert at.tied == "QuietMossTeap + ot"
    at = beat("glitch-tokens", 3)
    assert at.trace.born(at.symbol("QuietMossTeapot")) + 1 == 26
    at = beat("glitch-tokens", 4)
    assert {*map(at.symbol, ["Quiet", "Moss", "Teap", "QuietMossTeap"])} <= {
        *at.trace.symbols
    } - at.trace.token_counts(at.step).keys()
    at = beat("glitch-tokens", 5)
    assert at.split(from_sample("story").documents[0]).split().count("QuietMossTeapot") == 0
    at = beat("glitch-tokens", 6)
    assert at.split("Who is QuietMossTeapot?") == "W h o · i s · QuietMossTeapot ?"
    beat("glitch-tokens", 7)
    given(
        "Rumbelow and Watkins on LessWrong, February 2023: SolidGoldMagikarp, part 3 on nested families",
        2023,
        2,
    )


def test_a_whole_novel() -> None:
    at = beat("a-whole-novel", 1)
    assert at.tied == "e + </w>"
    given("the article's output", 98, 17749)
    assert novel().title == "All Around the Moon"
    assert novel().first == [["e", "</w>"], ["t", "h"], ["t", "</w>"]]
    at = beat("a-whole-novel", 2)
    given("the article's output", 14029, 9271)
    assert novel().counts == [17749, 14029, 9268]
    assert at.after(4).made == "e</w> d</w> th t</w>"
    at = beat("a-whole-novel", 3)
    given("the article's output", 98, 99, 100, 101)
    assert at.trace.in_use(1) == 56
    assert at.trace.in_use(2) == 57
    beat("a-whole-novel", 4)
    given("the article's text", 1000, 10000)
    assert novel().in_use_at == {"1000": 1092, "10000": 9387}
    assert novel().falls_at == 25892
    beat("a-whole-novel", 5)
    given("the article's output", 10000)
    assert " ".join(novel().longest_first) == "I like ea ting app l es!</w>"
    at = beat("a-whole-novel", 6)
    assert {*map(at.symbol, ["time", "again"])} <= {*at.trace.symbols} - at.trace.token_counts(at.step).keys()
    assert at.split("time again") == "ti me</w> ag a in</w>"
    assert at.split("time", "longest") == "time </w>"
    assert at.split("again", "longest") == "again </w>"
    encoders = ("longest", "longest-in-use")
    assert (
        sum(len({at.split(word, encoder) for encoder in encoders}) > 1 for word in at.trace.pre_tokens) == 12
    )
    at = beat("a-whole-novel", 7)
    assert len(at.ids("Ilikeeatingapples!")) == 12
    assert len(at.ids("Ilikeeatingapples!", "longest-in-use")) == 13
    assert at.text.count("apple") == 0
    assert at.symbol("!") not in at.trace.alphabet
