"""The trace: every step, the origin of tokens, and errors for steps and tokens that do not exist."""

import sys
import threading
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import END_OF_WORD, BPEError, Pair, Trace, Word, train, train_steps
from tests.material.texts import SENTENCES, TOYS, languages, source
from tests.naive import naive_words


@pytest.fixture(scope="module")
def low() -> Trace:
    return train(TOYS["newest"], merges=6)


def test_steps_are_a_sequence(low: Trace) -> None:
    assert len(low.steps) == 6
    assert low.steps[-1] == list(low.steps)[5] == low.steps[5]
    assert low.steps[1:3] == list(low.steps)[1:3]
    assert [step.rank for step in low.steps] == list(range(6))
    with pytest.raises(IndexError):
        low.steps[6]


def test_words_come_in_order_of_first_appearance_with_their_frequencies(low: Trace) -> None:
    assert [(b"".join(word), frequency) for word, frequency in low.words_at(3)] == [
        (b"low" + END_OF_WORD, 5),
        (b"lower" + END_OF_WORD, 2),
        (b"widest" + END_OF_WORD, 3),
        (b"newest" + END_OF_WORD, 6),
    ]


def test_past_the_last_step_the_tied_pairs_are_the_next_candidates() -> None:
    trace = train("ab cd", "bytes-whitespace", merges=0)
    assert trace.tied_pairs(0) == ((b"a", b"b"), (b"c", b"d"))
    assert train("ab", "bytes").tied_pairs(1) == ()


def test_a_token_knows_where_it_came_from_and_where_it_went() -> None:
    trace = train("abcd abcd abc ab", "bytes-whitespace")
    assert trace.merges == [(b"a", b"b"), (b"ab", b"c"), (b"abc", b"d")]
    assert trace.parents(b"abc") == (b"ab", b"c")
    assert trace.parents(b"a") is None
    assert (trace.born(b"a"), trace.born(b"ab"), trace.born(b"abcd")) == (-1, 0, 2)
    assert trace.built_from(b"ab") == [1]
    assert trace.uses(b"ab", 1) == [("abcd", 2, 1), ("abc", 1, 1), ("ab", 1, 1)]
    assert trace.uses(b"ab", 3) == [("ab", 1, 1)]
    assert trace.id_of(b"abcd") == 258


def test_counts_changed_are_those_of_the_last_merge() -> None:
    trace = train("abcab", "bytes", merges=1)
    assert trace.counts_changed(0) == {}
    assert trace.counts_changed(1) == {
        (b"a", b"b"): -2,
        (b"b", b"c"): -1,
        (b"c", b"a"): -1,
        (b"ab", b"c"): 1,
        (b"c", b"ab"): 1,
    }


def test_totals_by_step_are_those_of_each_step() -> None:
    """In runs a symbol follows itself, so a merge can use it up on both sides at once."""
    trace = train("aaaa aaaa bb", "bytes-whitespace")
    steps = range(len(trace.steps) + 1)
    assert trace.in_use_by_step() == [trace.in_use(k) for k in steps] == [2, 2, 2, 2]
    assert trace.tokens_by_step() == [trace.tokens_total(k) for k in steps] == [10, 6, 4, 3]


def test_boundaries_give_the_segmentation_at_every_step() -> None:
    trace = train("abab abab", "bytes-whitespace")
    assert trace.merges == [(b"a", b"b"), (b"ab", b"ab")]
    assert trace.boundaries("abab ab") == [0, 1, 0, -1, 0]
    assert trace.boundaries("") == trace.boundaries("a") == []


def test_a_new_text_is_segmented_by_the_same_merges(low: Trace) -> None:
    assert low.segment("slowest", 6)[0] == b"s"
    assert b"".join(low.segment("sl\u00fcwest", 3)) == "sl\u00fcwest".encode() + END_OF_WORD


@pytest.mark.parametrize("k", [-1, 7, 10**9])
def test_a_step_that_does_not_exist_is_an_error(low: Trace, k: int) -> None:
    for ask in (
        low.words_at,
        low.pair_counts,
        low.tied_pairs,
        low.token_counts,
        low.vocabulary,
        low.tokenizer,
    ):
        with pytest.raises(BPEError, match=f"from 0 to 6, the number of merges learned; got {k}"):
            ask(k)


def test_a_token_that_does_not_exist_is_an_error(low: Trace) -> None:
    with pytest.raises(BPEError, match="does not contain the token 'xyz</w>'"):
        low.id_of(b"xyz" + END_OF_WORD)


def test_a_trace_knows_the_settings_it_was_given() -> None:
    trace = train("ab", "bytes", "pair-max", merges=1, special_tokens=("<s>",))
    assert trace.settings == {
        "variant": "bytes",
        "tie_break": "pair-max",
        "merges": 1,
        "special_tokens": ("<s>",),
    }
    assert trace.special_tokens == ("<s>",)


def test_steps_can_be_asked_for_in_any_order() -> None:
    text = languages()[:3_000]
    steps = [150, 3, 80, 80, 79, 0, 200, 1]
    jumping = train(text, "bytes-gpt2", merges=200)
    jumped = {k: (jumping.pair_counts(k), jumping.tied_pairs(k)) for k in steps}
    for k in steps:
        fresh = train(text, "bytes-gpt2", merges=200)
        assert jumped[k] == (fresh.pair_counts(k), fresh.tied_pairs(k))


def test_a_deep_merge_tree_needs_no_deep_stack() -> None:
    # Each merge joins everything so far with one more letter, so the tree is as deep as the word is long.
    text = "".join(chr(0x4E00 + number) for number in range(2 * sys.getrecursionlimit()))
    trace = train([text], "char-eow")
    assert len(trace.steps) == len(text)
    assert b"".join(trace.segment(text, len(text) // 2)) == text.encode() + END_OF_WORD
    assert trace.boundaries(text) == list(range(len(text)))


def test_threads_may_share_a_trace() -> None:
    trace = train(source()[:20_000], "bytes-gpt2", merges=400)
    alone = {k: train(source()[:20_000], "bytes-gpt2", merges=400).pair_counts(k) for k in (0, 100, 250, 400)}
    wrong: list[int] = []

    def ask() -> None:
        wrong.extend(k for k in (400, 0, 250, 100) * 4 if trace.pair_counts(k) != alone[k])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_trace_of_an_unfinished_training_equals_one_of_so_many_merges() -> None:
    text = languages()[:2_000]
    training = train_steps(text, "char-eow", merges=100)
    for _ in range(40):
        next(training)
    early, full = training.trace(), train(text, "char-eow", merges=40)
    list(training)
    for k in (0, 20, 40):
        assert early.words_at(k) == full.words_at(k)
        assert early.pair_counts(k) == full.pair_counts(k)
    assert early.merges == full.merges


def test_a_trace_before_the_first_merge_has_the_counts() -> None:
    trace, full = train_steps("low lower lowest").trace(), train("low lower lowest")
    assert trace.pair_counts(0) == full.pair_counts(0)
    assert trace.token_counts(0) == full.token_counts(0)
    assert trace.tied_pairs(0) == full.tied_pairs(0)
    assert len(trace.steps) == 0


def test_later_steps_do_not_change_a_trace_even_with_counts_beyond_32_bits() -> None:
    training = train_steps({"abcab": 2**33, "abd": 5, "bcd": 2**32})
    next(training)
    early = training.trace()
    training.finish()
    assert len(early.tokens_by_step()) == len(early.in_use_by_step()) == len(early.steps) + 1 == 2


def test_a_trace_is_small_beside_its_words() -> None:
    trace = train(source(), "bytes-gpt2", merges=2_000)
    log = trace.log
    size = sum(getattr(log, field).buffer_info()[1] * getattr(log, field).itemsize for field in log.FIELDS)
    assert size < 200_000  # bytes; 1 MB at 1 MB of text and 10,000 merges, see benchmarks/


def test_every_segmentation_only_joins_the_one_before() -> None:
    trace = train("low lower lowest newest", merges=12)
    frames = [trace.segment("lowest newer", k) for k in range(len(trace.steps) + 1)]
    for earlier, later in pairwise(frames):
        assert b"".join(earlier) == b"".join(later)
        assert len(later) <= len(earlier)


# Tied pairs and the most frequent pairs at a step, compared with those that counting everything again finds.

TEXT = SENTENCES[:900]
OTHER = "a rose is a rose, and 1905 was 1905; xa1 ya1 za1 " * 2
TRACES = {
    "first": bpe.train(TEXT, merges=40),
    "last": bpe.train(TEXT, merges=40, tie_break="last"),
    "random": bpe.train(TEXT, merges=25, tie_break="random", variant="bytes-gpt2"),
    "sentencepiece's pieces": bpe.train(
        TEXT + OTHER, merges=30, variant="char-metaspace", pieces="sentencepiece"
    ),
    "superwords": bpe.train(
        OTHER * 2, merges=25, second_after=12, second_pattern="lines", variant="bytes-gpt2"
    ),
    "replay": bpe.replay(TEXT, bpe.train(OTHER, merges=20, variant="bytes-gpt2").tokenizer()),
    "to the end": bpe.train("low lower lowest"),
}


FIRST_STAGE = bpe.train(OTHER * 2, merges=12, variant="bytes-gpt2")


def in_order(trace: Trace, k: int, pairs: set[Pair]) -> Iterator[Pair]:
    """Yield the pairs as they first occur in the words after `k` merges. Words of a first stage are shorter."""
    trace = FIRST_STAGE if k < (trace.second_stage or 0) and not trace.replayed else trace
    words = (word for word, _ in trace.words_at(k))
    yield from dict.fromkeys(pair for word in words for pair in pairwise(word) if pair in pairs)


def tied_at(trace: Trace, k: int) -> set[Pair]:
    may_merge = trace.may_merge_at(k)
    counts = {pair: count for pair, count in trace.pair_counts(k).items() if may_merge(*pair)}
    return {pair for pair, count in counts.items() if count == max(counts.values())}


@pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES)
def test_a_tie_has_all_its_pairs_in_the_order_in_which_the_text_has_them(trace: Trace) -> None:
    for k in range(len(trace.steps) + 1):
        tied = tied_at(trace, k)
        tie = trace.tie(k)
        assert (set(tie.pairs), tie.size) == (tied, len(tied))
        assert all(trace.pair_counts(k)[pair] == tie.count for pair in tied)
        assert list(tie.pairs) == list(in_order(trace, k, tied))
        assert trace.tied_pairs(k) == tie.pairs


@pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES)
def test_the_first_pairs_of_a_tie_are_those_of_the_whole_tie(trace: Trace) -> None:
    for k in range(len(trace.steps) + 1):
        firsts = {most: trace.tie(k, most) for most in (3, 1, 2, 5)}  # the latest tie is cached
        whole = trace.tie(k)
        for most, first in firsts.items():
            assert (first.size, first.pairs) == (whole.size, whole.pairs[:most])


@pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES)
def test_the_most_frequent_pairs_are_the_first_ones_of_all(trace: Trace) -> None:
    number_of = {symbol: number for number, symbol in enumerate(trace.symbols)}
    for k in range(0, len(trace.steps) + 1, 3):
        counts = trace.pair_counts(k)
        every = sorted(counts.items(), key=lambda item: (-item[1], *map(number_of.__getitem__, item[0])))
        for most in (1, 4, 10_000):
            frequent = trace.frequent_pairs(k, most)
            assert list(frequent.pairs) == every[:most]
            assert (frequent.number, frequent.total) == (len(counts), sum(counts.values()))


# Rivals: the tied pairs that overlap the merged one are those that reading all words finds.

REPLAYED = bpe.train(OTHER, merges=20, variant="bytes-gpt2").tokenizer()
SUPERWORDS: dict[str, Any] = {"second_after": 12, "second_pattern": "lines"}
LENGTH: dict[str, Any] = {"max_token_length": 4}
RIVAL_TRACES = {
    "first": bpe.train(SENTENCES[:900], merges=120),
    "random": bpe.train(SENTENCES[:900], "bytes-gpt2", "random", merges=90),
    "one long word": bpe.train(SENTENCES[:600], "bytes", merges=90),
    "pieces": bpe.train(SENTENCES[:500] + OTHER, merges=90, **bpe.PRESETS["sentencepiece"].settings),
    "overlaps that do not count": bpe.train("aaaa abab baab aaa aaab " * 2, "bytes", overlaps="skip"),
    "superwords": bpe.train(OTHER * 2, "bytes-gpt2", merges=40, **SUPERWORDS),
    "superwords of two words": bpe.train(OTHER * 2, "bytes-gpt2", merges=40, second_words=2, **SUPERWORDS),
    "replay": bpe.replay(SENTENCES[:900], REPLAYED),
    "replay of the text": bpe.replay(OTHER, REPLAYED),
    "replay and further merges": bpe.continue_training(SENTENCES[:900], REPLAYED, merges=40),
    "documents": bpe.train(["abab", "ba", "bab", "abc"], "bytes"),
    "no merge": bpe.train("a", "bytes"),
}


def words_before(trace: Trace, k: int) -> list[Word]:
    """Return the words that were counted for merge k. Those of the first of two stages are shorter."""
    if trace.replayed or k >= (trace.second_stage or 0):
        return [word for word, _ in trace.words_at(k)]
    words = list(naive_words(OTHER * 2, bpe.VARIANTS["bytes-gpt2"]))
    for pair in trace.merges[:k]:
        words = [bpe.merge_pair(word, pair) for word in words]
    return words


def by_definition(words: Sequence[Word], tied: Sequence[Pair], merged: Pair) -> tuple[Pair, ...]:
    """Return the tied pairs that share a token with the merged one, in order of first occurrence."""
    overlapping = set()
    for word in words:
        for before, after in pairwise(pairwise(word)):
            overlapping |= {before} if after == merged else {after} if before == merged else set()
            overlapping |= {after} if before == merged else set()
    overlapping -= {merged}
    return tuple(pair for pair in tied if pair in overlapping) if merged in tied else ()


def assert_rivals(trace: Trace) -> None:
    expected = {
        k: by_definition(words_before(trace, k), trace.tied_pairs(k), pair)
        for k, pair in enumerate(trace.merges)
    }
    assert {k: trace.rivals(k) for k in expected} == expected
    assert trace.all_rivals() == {k: rivals for k, rivals in expected.items() if rivals}
    assert trace.rivals(len(trace.steps)) == ()


@pytest.mark.parametrize("trace", RIVAL_TRACES.values(), ids=RIVAL_TRACES)
def test_rivals_are_the_tied_pairs_that_share_a_token_with_the_merged_one(trace: Trace) -> None:
    assert_rivals(trace)


# The words, the pair that is merged first, its rivals.
CASES = {
    "nothing shared": ({"ab": 2, "cd": 2}, "ab", []),
    "the right symbol is shared": ({"abc": 1}, "ab", ["bc"]),
    "the left symbol is shared": ({"abc": 1}, "bc", ["ab"]),
    "by first occurrence": ({"abc": 1, "zab": 1, "ab": 1, "bc": 2, "za": 2}, "ab", ["bc", "za"]),
    "a pair and its mirror": ({"aba": 1}, "ab", ["ba"]),
    "a run of the pair": ({"abab": 1, "ba": 1}, "ab", ["ba"]),
    "a run that ends with half a pair": ({"ababa": 1}, "ab", ["ba"]),
    "only itself": ({"aaaa": 1}, "aa", []),
    "after an even run": ({"aay": 1}, "aa", ["ay"]),
    "after an odd run, which leaves it whole": ({"aaay": 1, "ay": 1}, "aa", ["ay"]),
    "elsewhere than after the odd run": ({"aaa": 1, "ay": 2}, "aa", []),
}


def pair_of(letters: str) -> Pair:
    return letters[0].encode(), letters[1].encode()


@pytest.mark.parametrize(("words", "merged", "rivals"), CASES.values(), ids=CASES)
def test_rivals_of_the_first_merge(words: dict[str, int], merged: str, rivals: list[str]) -> None:
    trace = bpe.train(words, "bytes-whitespace", picks={0: pair_of(merged)})
    assert trace.rivals(0) == tuple(map(pair_of, rivals))
    assert_rivals(trace)


@given(
    st.dictionaries(
        st.text("ab", min_size=1, max_size=7) | st.text("abc", max_size=5, min_size=1), st.integers(1, 3)
    ),
    st.sampled_from(["first", "last", "pair-max", "random", "longest"]),
    st.sampled_from(["char-eow", "bytes-whitespace", "char-metaspace"]),
    st.sampled_from([{}, LENGTH, {"overlaps": "skip"}]),
)
def test_rivals_of_any_words(
    words: dict[str, int], rule: str, variant: str, settings: dict[str, Any]
) -> None:
    assert_rivals(bpe.train(words, variant, rule, **settings))


def test_k_is_a_number_of_merges() -> None:
    with pytest.raises(bpe.BPEError, match="k must be from 0 to 0"):
        RIVAL_TRACES["no merge"].rivals(1)
