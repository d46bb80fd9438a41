"""Compare measures with figures that can be checked by hand, and ties with their definition."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import Trace
from bpe.analysis.compression import measure, tokens_needed, why_below_one
from bpe.analysis.ties import tie_map
from bpe.comparison.learned import (
    _kendall_tau,
    differing,
    first_divergence,
    learned_by,
    moved,
    steps_side_by_side,
    vocabulary_agreement,
)
from bpe.comparison.words import segment_texts, segment_words
from tests import ROOT
from ui.view.tables import _characters

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}  # the corpus of the textbooks
RULES = ("first", "pair-max")
TIED = "DCBBABCDCBABCD"  # a user's question, huggingface/tokenizers#1065


def lanes(
    text: str | dict[str, int] = WORDS, *rules: str, merges: int | None = 12, variant: str = "char-eow"
) -> list[Trace]:
    return [bpe.train(text, variant, rule, merges=merges) for rule in rules or RULES]


def spelled(tokens: Iterable[bytes]) -> str:
    return " ".join(bpe.VARIANTS["char-eow"].label(token) for token in tokens)


def test_tokens_of_two_rules_on_the_textbook_corpus() -> None:
    listed = learned_by(lanes())
    assert spelled(one.token for one in listed if one.only == 0) == "es est lo new"
    both = "est</w> low ne newest</w> low</w> wi wid widest</w>"
    assert spelled(one.token for one in listed if one.everywhere) == both
    assert spelled(one.token for one in listed if one.only == 1) == "t</w> st</w> ow west</w>"
    assert moved(*lanes()) == ()  # the eight are in the same order, though not all at the same rank


def test_the_fewest_tokens_that_changed_places_have_moved() -> None:
    words = {"ab": 2, "cd": 2, "ef": 2}
    two = lanes(words, "pair-min", "pair-max", variant="bytes-whitespace")
    assert [one.token for one in learned_by(two)] == [b"ab", b"cd", b"ef"]
    assert len(moved(*two)) == 2  # between `ab cd ef` and `ef cd ab` only one keeps its position


def test_traces_without_merges_share_nothing() -> None:
    assert learned_by(lanes({"a": 1}, variant="bytes-whitespace")) == []


def test_fates_of_three_traces() -> None:
    actual = {
        spelled([entry.token]): entry for entry in learned_by(lanes(WORDS, "first", "pair-max", "first"))
    }
    assert actual["es"].ranks == (0, None, 0)
    assert actual["t</w>"].only == 1
    assert actual["es"].only is None
    assert actual["low"].everywhere


def test_the_rules_part_at_merge_0_and_make_the_same_token_at_merge_2() -> None:
    traces = lanes()
    divergence = first_divergence(traces)
    assert divergence is not None
    assert divergence.rank == 0
    assert divergence.one_tie
    assert [step and step.pair for step in divergence.choices] == [(b"e", b"s"), (b"t", b"\xff")]
    assert list(map(spelled, divergence.tied[0])) == ["e s", "s t", "t </w>"]
    assert [rank for rank, differs in enumerate(differing(traces)) if not differs] == [2, 4, 7, 8, 9, 10, 11]


def test_no_divergence_where_no_tie_is_decided_otherwise() -> None:
    assert first_divergence(lanes(WORDS, "first", "first")) is None


def test_a_trace_that_ends_first_differs_from_then_on() -> None:
    longer, shorter = (bpe.train(WORDS, tie_break="first", merges=4, min_count=least) for least in (1, 8))
    assert [len(shorter.steps), len(longer.steps)] == [3, 4]
    assert steps_side_by_side([longer, shorter])[3][1] is None
    divergence = first_divergence([longer, shorter])
    assert divergence is not None
    assert divergence.rank == 3


@pytest.mark.parametrize("rule", RULES)
def test_tokens_needed_for_the_corpus_itself_are_the_corpus_s(rule: str) -> None:
    text = "low lower lowest newest newest widest"
    trace = bpe.train(text, tie_break=rule, merges=9)
    assert tokens_needed(trace, text) == trace.tokens_by_step()


@given(st.text("ab c", max_size=30), st.text("abx ", max_size=20))
def test_tokens_needed_equal_the_segmentation_at_every_step(corpus: str, text: str) -> None:
    for variant in ("char-eow", "bytes", "char-metaspace"):
        trace = bpe.train(corpus, variant, merges=6)
        assert tokens_needed(trace, text) == [
            len(trace.segment(text, k)) for k in range(len(trace.steps) + 1)
        ]


def test_every_word_is_cut_alike_in_the_end_and_differently_before() -> None:
    traces = lanes()
    assert not any(cut.differs for cut in segment_words(traces, WORDS))
    after_two = {cut.word: cut for cut in segment_words(traces, WORDS, 2)}
    assert [word for word, cut in after_two.items() if cut.differs] == ["newest", "widest"]
    assert list(map(spelled, after_two["widest"].tokens)) == ["w i d est </w>", "w i d e st</w>"]
    assert after_two["newest"].frequency == 6


def test_words_are_compared_by_their_letters_where_variants_differ() -> None:
    text = "low low low newest"
    traces = [
        bpe.train(text, variant, "first", merges=2)
        for variant in ("char-eow", "bytes-gpt2", "char-metaspace")
    ]
    words = segment_texts(traces, [text])
    assert [(cut.word, cut.frequency) for cut in words] == [("low", 3), ("newest", 1)]
    low = words[0]
    assert low.tokens[0] == low.tokens[1] == (b"low",)  # (l,o) (lo,w); marker and space are left out
    assert low.tokens[2] == (b"lo", b"w")  # (▁,l) (▁l,o)
    assert low.differs


@pytest.mark.parametrize("order", [1, -1])
def test_words_are_compared_by_their_letters_where_normalizations_differ(order: int) -> None:
    """Each lane reads a word as its tokenizer does, whichever lane is the first."""
    text = "The the é Lower"
    traces = [bpe.train(text, normalization=form) for form in ("lower", None, "NFD")][::order]
    words = segment_texts(traces, [text])
    assert {cut.word for cut in words} == {"The", "the", "é", "Lower"}
    assert not any(cut.differs for cut in words)
    before = {cut.word: cut for cut in segment_texts(traces, [text], 0)}
    assert before["Lower"].tokens == ((b"L", b"o", b"w", b"e", b"r"),) * 3
    assert set(before["é"].tokens) == {("é".encode(),), (b"\xc3", b"\xa9")}  # NFD writes e and an accent


def test_measure() -> None:
    actual = measure("naïve 😊", 4)
    assert (actual.characters, actual.bytes, actual.words) == (7, 11, 2)
    assert (actual.characters_per_token, actual.bytes_per_token, actual.fertility) == (7 / 4, 11 / 4, 2)
    assert measure("", 0).fertility == 0


# Ties

TEXTS = {
    "question": (TIED, "bytes"),
    "textbook": ("low lower newest widest " * 2, "char-eow"),
    "overlap": ("aaaa bbbb abab", "bytes-whitespace"),
    "every pair once": ("the sky is blue", "bytes"),
}


def by_definition(trace: Trace) -> list[str]:
    """Return the kind of each tie, from the words and counts at each step."""
    next_tie = trace.tie(len(trace.steps))
    kinds = []
    for step in trace.steps:
        unfinished = all(later.count == next_tie.count for later in trace.steps[step.rank :])
        if step.tied < 2:
            kinds.append("none")
        elif unfinished:
            kinds.append("open")
        else:
            kinds.append("choice" if trace.rivals(step.rank) else "order only")
    return kinds


@pytest.mark.parametrize(("text", "variant"), TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("rule", ["first", "last", "ids-min", "pair-max", "random"])
@pytest.mark.parametrize("merges", [3, None])
def test_tie_map_is_its_definition(text: str, variant: str, rule: str, merges: int | None) -> None:
    trace = bpe.train(text, variant, rule, merges=merges)
    assert list(tie_map(trace).kinds) == by_definition(trace)


@given(st.text("abc ", max_size=40), st.sampled_from(["first", "pair-max", "shortest"]), st.integers(1, 12))
def test_tie_map_is_its_definition_on_any_text(text: str, rule: str, merges: int) -> None:
    trace = bpe.train(text, "bytes-whitespace", rule, merges=merges)
    assert list(tie_map(trace).kinds) == by_definition(trace)


def test_tie_map_counts_what_pieces_may_be_made_only() -> None:
    trace = bpe.train("ab1 ab1 cd2 cd2", merges=4, **bpe.PRESETS["sentencepiece"].settings)
    assert list(tie_map(trace).tied) == [step.tied for step in trace.steps]


def test_the_question_is_a_tie_of_six() -> None:
    actual = tie_map(bpe.train(TIED, "bytes", "first"))
    assert actual.tied[0] == 6
    assert (actual.largest, actual.kinds[0]) == (0, "choice")


def test_a_training_without_merges_has_no_ties() -> None:
    actual = tie_map(bpe.train("a", "bytes"))
    assert (actual.steps_tied, actual.largest, actual.kinds) == (0, None, ())


def test_a_word_is_segmented_in_its_context() -> None:
    """After a line end, " low" is no pre-token, so a merge of its space has no place there."""
    traces = [bpe.train("a low low", variant, "first", merges=2) for variant in ("bytes-gpt2", "char-eow")]
    words = segment_texts(traces, ["a low low\nlow"])
    low = {cut.tokens: cut.frequency for cut in words if cut.word == "low"}
    assert low == {((b"lo", b"w"), (b"low",)): 2, ((b"l", b"o", b"w"), (b"low",)): 1}


def test_counted_words_are_split_as_those_of_a_text_are_after_a_space() -> None:
    text = "low lower LOWEST, x²ﬁ \u00a0the the newest—widest 1234 don't\nlow\n  the end </w> ▁a" * 3
    text += " ".join(f" w{number}" for number in range(20))
    traces = [bpe.train(text, variant, merges=40) for variant in ("char-eow", "bytes-gpt4", "char-metaspace")]
    words = Counter(text.split())
    counted = segment_words(traces, words, 25)
    assert counted == segment_texts(traces, ["".join(f" {word}" for word in words.elements())], 25)
    assert any(cut.differs for cut in counted)


@pytest.mark.parametrize("variant", bpe.VARIANTS)
def test_where_a_text_can_have_fewer_characters_than_tokens_a_sentence_says_why(variant: str) -> None:
    trace = bpe.train("low é 語 😀", variant, merges=0)
    begins_below_one = _characters(trace) < trace.tokens_by_step()[0]
    assert begins_below_one == bool(why_below_one(trace.variant))


# How far the vocabularies of two trainings agree.


def story() -> str:
    return Path(ROOT / "sample_corpora" / "story.txt").read_text("utf-8")


def test_agreement_of_vocabularies_by_rank_and_by_frequency() -> None:
    first, second = (bpe.train(story(), "char-eow", rule, merges=120) for rule in ("first", "pair-max"))
    actual = vocabulary_agreement(first, second)
    tokens = [[left + right for left, right in trace.merges] for trace in (first, second)]
    both = [token for token in tokens[0] if token in tokens[1]]
    assert (actual.learned, actual.shared, actual.overlap) == ((120, 120), len(both), len(both) / 120)
    shared = [len(set(tokens[0][:k]) & set(tokens[1][:k])) / k for k in range(1, 121)]
    assert actual.average_overlap == pytest.approx(sum(shared) / 120)
    ranks = [tokens[1].index(token) for token in both]
    concordant = [a < b for a, b in combinations(ranks, 2)]
    assert actual.tau == pytest.approx(2 * sum(concordant) / len(concordant) - 1)
    common = set(first.symbols) & set(second.symbols)
    corpus = [
        token
        for trace in (first, second)
        for word, frequency in trace.words_at(120)
        for token in word
        for _ in range(frequency)
    ]
    assert actual.occurrences == sum(token in common for token in corpus) / len(corpus)
    assert _kendall_tau(ranks) == actual.tau


def test_tokens_of_lanes_with_different_markers_are_compared_by_their_text() -> None:
    traces = [bpe.train("low low low", variant, merges=3) for variant in ("char-eow", "bytes-gpt2")]
    assert vocabulary_agreement(*traces).shared == 2  # lo and low; low</w> and ·low are low as well


def test_a_normalization_leaves_tokens_as_they_are_compared() -> None:
    """` the` and `the` are two tokens in both vocabularies, as they are with equal normalizations."""
    text = "the the The low low Low the" * 5
    traces = [bpe.train(text, "bytes-gpt2", normalization=form) for form in (None, "lower")]
    learned = [{left + right for left, right in trace.merges} for trace in traces]
    actual = vocabulary_agreement(*traces)
    assert {b"the", b" the"} <= learned[0] & learned[1]
    assert (actual.learned, actual.shared) == (tuple(map(len, learned)), len(learned[0] & learned[1]))
