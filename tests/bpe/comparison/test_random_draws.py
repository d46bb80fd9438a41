"""Random draws: what trainings with random ties differ by, on the corpus and on a held-out text."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations, product
from operator import ne
from typing import Any

import pytest

import bpe
from bpe import Pair, Word, count_pairs, merge_pair
from bpe.comparison.evidence import evidence, with_random_draws
from bpe.comparison.evidence_text import luck_sentence
from bpe.comparison.intervals import _joined, _percentile_interval, resampled_sums
from bpe.comparison.random_draws import enough_draws, every_way, random_draws
from tests.bpe.comparison.story_evidence import sample

CORPUS = "low low lower lowest slow slower slowest new newer newest wide wider widest"
HELD_OUT = ["the newest towers\nare lower", "than the wide ones"]


def test_every_figure_of_the_draws_is_that_of_trainings_with_their_seeds() -> None:
    *_, luck = random_draws(CORPUS, HELD_OUT, 4, merges=12)
    traces = [bpe.train(CORPUS, tie_break="random", seed=seed, merges=12) for seed in range(4)]
    texts = [[trace.tokenizer().tokens(document) for document in HELD_OUT] for trace in traces]
    totals = [sum(map(len, tokens)) for tokens in texts]
    assert luck.tokens == tuple(totals)
    words = [
        [tuple(trace.tokenizer().tokens(word)) for text in HELD_OUT for word in text.split()]
        for trace in traces
    ]
    learned = [{left + right for left, right in trace.merges} for trace in traces]
    pairs = sorted(combinations(range(4), 2), key=lambda pair: pair[::-1])
    for number, (one, other) in enumerate(pairs):
        same = sum(a == b for a, b in zip(words[one], words[other], strict=True)) / len(words[0])
        assert luck.same_splits[number] == same
        assert luck.more_tokens[number] == abs(totals[one] - totals[other]) / min(totals[one], totals[other])
        assert luck.shared[number] == len(learned[one] & learned[other]) / 12
    assert len(set(totals)) > 1


def test_the_study_holds_what_all_draws_and_what_some_draws_learn() -> None:
    luck = list(random_draws(CORPUS, HELD_OUT, 5, "bytes", merges=9))
    assert [one.study.draws for one in luck] == [1, 2, 3, 4, 5]
    runs = [bpe.train(CORPUS, "bytes", "random", merges=9, seed=seed) for seed in range(5)]
    learned = [{left + right for left, right in run.merges} for run in runs]
    everywhere = learned[0].intersection(*learned)
    study = luck[-1].study
    assert {token for token, times in study.times.items() if times == study.draws} == everywhere
    assert dict(study.sometimes).keys() == set.union(*learned) - everywhere
    assert study.totals == tuple(run.tokens_by_step()[-1] for run in runs)


@pytest.mark.parametrize("executor", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_same_draws(executor: Callable[[int], Executor]) -> None:
    settings = dict(bpe.PRESETS["sentencepiece"].settings)
    del settings["tie_break"]
    alone = list(random_draws([CORPUS, "mine"], HELD_OUT, 6, **settings, merges=6))
    with executor(2) as pool:
        assert list(random_draws([CORPUS, "mine"], HELD_OUT, 6, executor=pool, **settings, merges=6)) == alone


def test_a_worker_trains_with_ones_own_pattern() -> None:
    variant = bpe.custom_variant(r"\w\w?", "characters")
    with ThreadPoolExecutor(1) as pool:
        drawn = [
            list(random_draws(CORPUS, HELD_OUT, 2, variant, executor=one, merges=5)) for one in (None, pool)
        ]
    assert drawn[0] == drawn[1]


def test_draws_are_measured_as_the_lanes_are() -> None:
    """One lane reads lines and splits text in its own way, so all lanes are measured on lines, between spaces."""
    text = sample("story")[:4_000]
    traces = [bpe.train(text, "char-eow", "random", seed=seed, merges=80) for seed in (0, 1)]
    preset = bpe.PRESETS["sentencepiece"]
    traces.append(bpe.train(text, **{**preset.settings, "merges": 80}))
    lanes = evidence(traces, [sample("ties")[:2_000]], text, resamples=10)
    assert lanes.lanes[2].reads_lines
    assert not lanes.words_are_pre_tokens
    *_, drawn = with_random_draws(lanes, traces, text, 2, variant="char-eow", merges=80)
    assert drawn.luck
    assert drawn.luck.tokens == tuple(lane.tokens for lane in lanes.lanes[:2])
    assert drawn.luck.same_splits == (lanes.pairs[0].same_splits.value,)
    assert drawn.verdict.beside_luck
    assert (drawn.verdict.beside_luck[0].words, drawn.verdict.beside_luck[0].tokens) == (1, 1)


def test_enough_draws_are_made_where_the_answer_is_near_and_few_where_it_is_far() -> None:
    text, held_out = sample("ties"), [sample("story")]
    rules = ("first", "random"), ("first", "last")
    for one, other in rules:
        traces = [bpe.train(text, "char-eow", rule, seed=9, merges=150) for rule in (one, other)]
        measured = evidence(traces, held_out, text, resamples=10)
        *_, drawn = with_random_draws(measured, traces, text, variant="char-eow", merges=150)
        assert drawn.luck
        assert drawn.verdict.beside_luck
        (beside,) = drawn.verdict.beside_luck
        assert drawn.luck.draws <= enough_draws(2)
        if drawn.luck.draws < enough_draws(2):
            assert min(beside.words, beside.tokens) >= 0.1
            assert drawn.verdict.beyond_luck == ()
        else:
            assert min(beside.words, beside.tokens) < 0.1


def all_ways(words: dict[Word, int], merges: int) -> Iterator[tuple[list[Pair], Fraction]]:
    """Yield every list of merges that some way to break the ties leads to, with its chance under random draws."""
    counts = count_pairs(words)
    if not merges or not counts:
        yield [], Fraction(1)
        return
    tied = [pair for pair, count in counts.items() if count == max(counts.values())]
    for pair in tied:
        after: Counter[Word] = Counter()
        for word, frequency in words.items():
            after[merge_pair(word, pair)] += frequency
        for later, chance in all_ways(dict(after), merges - 1):
            yield [pair, *later], chance / len(tied)


def split_by(merges: list[Pair], words: Sequence[Word]) -> tuple[Word, ...]:
    split = list(words)
    for pair in merges:
        split = [merge_pair(word, pair) for word in split]
    return tuple(split)


@pytest.mark.parametrize(
    ("text", "merges"), [("low low lower newest widest newest", 5), ("abcab bcabc cab", 4), ("aab abb", 9)]
)
def test_every_way_is_what_trying_all_orders_gives(text: str, merges: int) -> None:
    held_out = "lower west cab\nabc lowest aabb"
    variant = bpe.VARIANTS["char-eow"]
    words = Counter(tuple(variant.symbols(word)) for word in text.split())
    new = [tuple(variant.symbols(word)) for word in held_out.split()]
    ways = list(all_ways(dict(words), merges))
    traces = [bpe.train(text, "char-eow", rule, merges=merges) for rule in ("first", "pair-max", "last")]
    lanes = evidence(traces, [held_out], text, resamples=10)
    *_, beside = with_random_draws(lanes, traces, text, variant="char-eow", merges=merges)
    assert beside.luck is None
    assert beside.ways
    assert beside.ways.number == len(ways) > 1
    of_lanes = [split_by(list(trace.merges), new) for trace in traces]
    of_ways = [split_by(way, new) for way, _ in ways]
    assert beside.ways.alike == tuple(of_ways.count(lane) for lane in of_lanes)

    def apart(one: tuple[Word, ...], other: tuple[Word, ...]) -> tuple[int, Fraction]:
        least, most = sorted(sum(map(len, split)) for split in (one, other))
        return sum(map(ne, one, other)), Fraction(most - least, least)

    of_draws = [
        (apart(of_ways[one], of_ways[other]), ways[one][1] * ways[other][1])
        for one, other in product(range(len(ways)), repeat=2)
    ]
    for number, pair in enumerate(combinations(of_lanes, 2)):
        words_apart, tokens_apart = apart(*pair)
        as_many = sum(chance for (words, _), chance in of_draws if words >= words_apart)
        as_far = sum(chance for (_, tokens), chance in of_draws if tokens >= tokens_apart)
        assert beside.ways.words[number] == pytest.approx(float(as_many))
        assert beside.ways.tokens[number] == pytest.approx(float(as_far))
    sentence = luck_sentence(beside, ["A", "B", "C"])
    assert sentence.startswith(f"Of {len(ways):,} ways to break the ties, {beside.ways.alike[0]:,} split")


def test_ways_that_are_too_many_or_of_two_stages_are_drawn_instead() -> None:
    text = "low low lower newest widest newest"
    trace = bpe.train(text, "bytes-gpt2", merges=5)
    assert every_way([trace, trace], text, HELD_OUT, "bytes-gpt2", merges=5)
    assert every_way([trace, trace], text, HELD_OUT, "bytes-gpt2", merges=14) is None
    two_stages: dict[str, Any] = {"second_pattern": "lines", "second_after": 3}
    assert every_way([trace, trace], text, HELD_OUT, "bytes-gpt2", merges=5, **two_stages) is None


# Intervals by resampling units of a text.


def test_neighbours_are_joined_and_nothing_is_lost() -> None:
    rows = [(number, 1) for number in range(1_003)]
    groups = _joined(rows, most=200)
    assert len(groups) == 200
    assert {count for _, count in groups} == {5, 6}
    assert sum(number for number, _ in groups) == sum(range(1_003))


def test_a_difference_of_a_few_units_is_not_claimed() -> None:
    same = [(10, 10)] * 30
    assert _percentile_interval([b - a for a, b in resampled_sums([*same, (10, 12)])])[0] == 0
    assert _percentile_interval([b - a for a, b in resampled_sums([(10, 11)] * 30)]) == (30, 30)


@pytest.mark.parametrize("executor", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_same_intervals(executor: Callable[[int], Executor]) -> None:
    rows = [(number, number * number % 17) for number in range(50)]
    with executor(2) as pool:
        assert resampled_sums(rows, 600, 7, pool) == resampled_sums(rows, 600, 7)
    assert resampled_sums(rows, 600, 8) != resampled_sums(rows, 600, 7)
