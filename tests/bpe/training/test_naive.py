"""The naive oracle agrees with worked examples, and trainings agree with it, also where pairs overlap."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

import bpe
from bpe import (
    END_OF_WORD,
    BPEError,
    Pair,
    Symbol,
    Trace,
    Word,
    continue_training,
    continue_training_steps,
    count_pairs,
    merge_pair,
    replay,
    train,
)
from bpe.analysis.best_pairs import best_pairs
from bpe.exercises.merge_order import MergeOrder
from bpe.exercises.next_pair import NextPair
from bpe.settings.request import read_request
from bpe.text.variants import VARIANTS
from bpe.trace.merge_log import MergeLog
from bpe.training.pair_index import estimate_threshold
from bpe.training.textbook import textbook_train
from bpe.training.trainer import Training
from tests.naive import naive_encode, naive_train, naive_words

E = END_OF_WORD
FIRST_TEXTBOOK = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
SECOND_TEXTBOOK = {"low": 5, "lowest": 2, "newest": 6, "wider": 3}


def learned(words: dict[str, int], rule: str, merges: int) -> list[bytes]:
    variant = VARIANTS["char-eow"]
    spelled = {variant.spell(word): frequency for word, frequency in words.items()}
    return [left + right for (left, right), _, _ in naive_train(spelled, rule, merges, variant=variant)]


@pytest.mark.parametrize(
    ("words", "rule", "tokens"),
    [
        pytest.param(FIRST_TEXTBOOK, "first", [b"es", b"est", b"est" + E, b"lo"], id="first of three tied"),
        pytest.param(
            FIRST_TEXTBOOK, "pair-max", [b"t" + E, b"st" + E, b"est" + E, b"ow"], id="greatest of three tied"
        ),
        pytest.param(
            SECOND_TEXTBOOK, "first", [b"we", b"wes", b"west", b"west" + E], id="first of four tied"
        ),
        pytest.param(
            SECOND_TEXTBOOK, "pair-min", [b"es", b"est", b"est" + E, b"west" + E], id="smallest of four tied"
        ),
    ],
)
def test_textbook_words_merge_as_published(words: dict[str, int], rule: str, tokens: list[bytes]) -> None:
    assert learned(words, rule, 4) == tokens


def test_cs336_notes_learn_the_published_merges_and_counts() -> None:
    text = "low low low low low lower lower widest widest widest newest newest newest newest newest newest"
    variant = VARIANTS["bytes-whitespace"]
    steps = naive_train(naive_words(text, variant), "names-max", 6, variant=variant)
    expected = [(b"st", 9), (b"est", 9), (b"ow", 7), (b"low", 7), (b"west", 6), (b"ne", 6)]
    assert [(left + right, count) for (left, right), count, _ in steps] == expected


def test_five_pairs_tie_for_the_first_merge_of_highest_higher() -> None:
    variant = VARIANTS["char-eow"]
    words = naive_words("highest higher lower lowest cooler coolest", variant)
    pair, count, tied = naive_train(words, "first", 1, variant=variant)[0]
    assert (pair, count) == ((b"e", b"s"), 3)
    assert tied == [(b"e", b"s"), (b"s", b"t"), (b"t", E), (b"e", b"r"), (b"r", E)]


def test_a_letter_lottery_goes_to_the_first_or_the_last_place() -> None:
    variant = VARIANTS["bytes"]
    words = naive_words("the sky is blue", variant)
    assert naive_train(words, "first", 1, variant=variant)[0][0] == (b"t", b"h")
    assert naive_train(words, "last", 1, variant=variant)[0][0] == (b"u", b"e")


def test_lowest_rank_is_applied_everywhere_before_the_next() -> None:
    merges: list[Pair] = [(b"u", b"g"), (b"h", b"u")]
    assert naive_encode((b"h", b"u", b"g"), merges) == (b"h", b"ug")


# Pair index: the pruning threshold affects the speed of training, never the merges.

RNG = random.Random(7)
TEXT = " ".join("".join(RNG.choices("abc", weights=(5, 3, 1), k=RNG.randint(1, 9))) for _ in range(400))


def learned_with(
    rule: str, variant: str, threshold: int | None = None, **settings: Any
) -> tuple[list[list[int]], str]:
    """Return everything that a training decides, with pairs pruned at this threshold."""
    request = read_request(variant, rule, **settings)
    trace = bpe.Training(request, request.count(TEXT), threshold).finish().trace()
    return [getattr(trace.log, field).tolist() for field in MergeLog.FIELDS], trace.stopped


@pytest.mark.parametrize("variant", ["bytes-gpt2", "bytes"])
@pytest.mark.parametrize("rule", [rule for rule in bpe.TIE_BREAKS if rule != "manual"])
def test_a_wrong_threshold_changes_nothing(rule: str, variant: str) -> None:
    unpruned = learned_with(rule, variant, 1, merges=150)
    for threshold in (2, 5, 40, 10**9):
        assert learned_with(rule, variant, threshold, merges=150) == unpruned, threshold


@pytest.mark.parametrize("threshold", [None, 50])
def test_a_wrong_threshold_stops_at_the_same_merge(threshold: int | None) -> None:
    unpruned = [learned_with("first", "bytes-gpt2", 1, merges=10_000, min_count=count) for count in (3, 1)]
    assert [stopped for _, stopped in unpruned] == ["min_count", "no pairs"]
    assert unpruned == [
        learned_with("first", "bytes-gpt2", threshold, merges=10_000, min_count=count) for count in (3, 1)
    ]


@pytest.mark.parametrize(
    ("frequencies", "positions", "merges", "threshold"),
    [
        ([9, 5, 4, 1], 20, 2, 6),  # half as much again as the word of rank 2
        ([1], 1_000, 10, 5),  # one long word: a twentieth of 100 positions per merge
        ([9, 5, 4, 1], 20, 10, 1),  # every word may be completed
        ([9], 20, 0, 1),
        ([], 0, 10, 1),
    ],
)
def test_the_threshold_is_estimated_from_the_words(
    frequencies: list[int], positions: int, merges: int, threshold: int
) -> None:
    assert estimate_threshold(frequencies, positions, merges) == threshold


# Runs counted without overlap: the trainer and its trace agree with a recount at every step.

RULES = ("first", "last", "ids-min", "pair-max", "pair-min", "shortest", "longest", "random")


def runs(seed: int, letters: str = "ab ") -> str:
    """Return a short text of long runs."""
    draw = random.Random(seed)
    return "".join(draw.choice(letters) * draw.choice((1, 1, 2, 3, 5, 8)) for _ in range(draw.randint(1, 40)))


def recount(words: Sequence[tuple[Word, int]]) -> dict[Pair, int]:
    """Return the count of every pair by another way: a run of n symbols holds n // 2 pairs of the symbol."""
    counts: Counter[Pair] = Counter()
    for word, frequency in words:
        for pair in pairwise(word):
            counts[pair] += frequency * (pair[0] != pair[1])
        lengths: list[tuple[Symbol, int]] = []
        for symbol in word:
            if lengths and lengths[-1][0] == symbol:
                lengths[-1] = (symbol, lengths[-1][1] + 1)
            else:
                lengths.append((symbol, 1))
        for symbol, length in lengths:
            counts[symbol, symbol] += frequency * (length // 2)
    return {pair: count for pair, count in counts.items() if count}


def check_every_step(trace: Trace, cut: Sequence[tuple[Word, int]]) -> None:
    """Compare the trace of one stage with a recount after 0, 1, 2, … merges. `cut` are its first words."""
    best = best_pairs(trace)
    for k in range(len(trace.steps) + 1):
        counts = recount(cut)
        assert trace.pair_counts(k) == counts
        assert trace.token_counts(k) == Counter(
            symbol for word, frequency in cut for symbol in word for _ in range(frequency)
        )
        if k == len(trace.steps):
            break
        step = trace.steps[k]
        assert step.count == step.replaced == counts[step.pair]
        assert best[k].count == max(counts.values())
        cut = [(merge_pair(word, step.pair), frequency) for word, frequency in cut]
        after = recount(cut)
        changes = {pair: after.get(pair, 0) - counts.get(pair, 0) for pair in counts | after}
        assert trace.counts_changed(k + 1) == {pair: change for pair, change in changes.items() if change}


@pytest.mark.parametrize("variant", ["bytes", "bytes-gpt2", "char-eow", "char-metaspace"])
@pytest.mark.parametrize("rule", RULES)
def test_training_and_each_of_its_steps_equal_a_recount(variant: str, rule: str) -> None:
    for seed in range(3):
        text = runs(seed)
        words = naive_words(text, VARIANTS[variant])
        request = read_request(variant, rule, merges=25, seed=seed, overlaps="skip")
        # What is pruned is counted again, without overlap too.
        traces = [
            Training(request, request.count(text), threshold).finish().trace() for threshold in (None, 1, 3)
        ]
        alphabet = traces[0].alphabet
        naive = naive_train(
            words, rule, 25, variant=VARIANTS[variant], seed=seed, alphabet=alphabet, overlaps=False
        )
        for trace in traces:
            assert [(step.pair, step.count, step.tied) for step in trace.steps] == [
                (pair, count, len(tied)) for pair, count, tied in naive
            ]
            assert [list(trace.tied_pairs(k)) for k in range(len(naive))] == [tied for _, _, tied in naive]
        check_every_step(traces[-1], list(words.items()))


def test_the_textbook_trainer_counts_alike() -> None:
    for seed in range(20):
        text = runs(seed)
        words = naive_words(text, VARIANTS["bytes-gpt2"])
        trace = train(text, "bytes-gpt2", merges=30, overlaps="skip")
        assert textbook_train(words, 30, overlaps=False) == trace.merges
        assert count_pairs(words, overlaps=False) == recount(list(words.items()))


def test_the_setting_changes_what_is_merged() -> None:
    assert train("aaa aaa bb bb bb", "bytes-whitespace", merges=1).merges == [(b"a", b"a")]
    trace = train("aaa aaa bb bb bb", "bytes-whitespace", merges=1, overlaps="skip")
    assert trace.merges == [(b"b", b"b")]
    assert trace.settings["overlaps"] == "skip"
    assert "overlaps" not in train("a", overlaps="count").settings


def test_a_second_stage_counts_alike() -> None:
    for seed in range(12):
        text = runs(seed, "ab \n")
        trace = train(text, "bytes-gpt2", merges=20, overlaps="skip", second_pattern="lines", second_after=8)
        for k in range(trace.log.second_after or 99, len(trace.steps) + 1):
            assert trace.pair_counts(k) == recount(trace.words_at(k))


def test_replays_and_further_merges_count_alike() -> None:
    tokenizer = train("aab aaab baa", "bytes-gpt2", merges=3).tokenizer()
    for seed in range(12):
        trace = continue_training(runs(seed), tokenizer, merges=12, overlaps="skip")
        for k in range(len(trace.steps) + 1):
            assert trace.pair_counts(k) == recount(trace.words_at(k))
    assert replay("aaaa", tokenizer).steps[0].count == 3


@pytest.mark.parametrize("overlaps", ["count", "skip"])
def test_further_merges_after_a_list_out_of_order_count_alike(overlaps: str) -> None:
    symbols = [b"a", b"b", b" ", b"aa", b"aaa", b"ba"]
    merges = [(b"aa", b"a"), (b"a", b"a"), (b"b", b"a")]
    tokenizer = bpe.Tokenizer(VARIANTS["bytes-gpt2"], symbols, merges, one_by_one=True)
    reordered = 0
    for seed in range(12):
        training = continue_training_steps(runs(seed), tokenizer, merges=12, overlaps=overlaps)
        steps = list(training)
        trace = training.trace()
        assert trace.replayed
        reordered += trace.replayed.reordered
        for k in range(len(trace.steps) + 1):
            cut = trace.words_at(k)
            here = recount(cut) if overlaps == "skip" else count_pairs(cut)
            assert trace.pair_counts(k) == here
            if k < len(steps):
                count, top = here[steps[k].pair], max(here.values())
                assert steps[k].count == count
                if steps[k].list_rank is not None:
                    assert steps[k].tied == (list(here.values()).count(top) if count == top else 0)
    assert reordered


def test_exercises_know_how_pairs_are_counted() -> None:
    words = {"aaa": 3, "bc": 4}
    trace = train(words, "bytes-whitespace", merges=3, overlaps="skip")
    merge = NextPair(trace, 0, words)
    assert merge.judge((b"b", b"c")).right
    assert merge.judge((b"a", b"a")).mistakes[0] == "with_overlaps"
    order = MergeOrder(trace, 0, 2)
    assert order.judge([(b"b", b"c"), (b"a", b"a")]).right
    assert not order.judge([(b"a", b"a"), (b"b", b"c")]).right


@pytest.mark.parametrize("wrong", ["never", "", None, 1])
def test_a_setting_that_is_no_choice_is_refused(wrong: Any) -> None:
    with pytest.raises(BPEError, match="overlaps"):
        train("aaaa", overlaps=wrong)
