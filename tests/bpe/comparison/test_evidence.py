"""Evidence on held-out texts: every figure is computed again, from the merges, one occurrence at a time."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from itertools import combinations, count, islice, permutations
from math import inf
from pathlib import Path
from random import Random

import pytest
import sentencepiece

import bpe
from bpe import Trace, Word, merge_pair
from bpe.checkpoints import checkpoints
from bpe.comparison import verdict_text
from bpe.comparison.evidence import Evidence, evidence
from bpe.comparison.held_out import FEWEST, held_out
from bpe.comparison.intervals import AT_ONCE, Estimate, _clopper_pearson, _widened
from bpe.comparison.verdict_text import sentences
from bpe.settings.presets import PRESETS
from tests.bpe.comparison.story_evidence import RESAMPLES, measured, sample, trained

SENTENCES = [
    f"The {word} tower and the lower hill, {n} of them." for n, word in enumerate("abcdefghijkl" * 2)
]


def applied(trace: Trace, pre_token: str) -> Word:
    """Return the pre-token after all merges, one after another."""
    word = tuple(trace.variant.spell(pre_token))
    for pair in trace.merges:
        word = merge_pair(word, pair)
    return word


class Naive:
    """The figures of a text under several lanes: every pre-token of every unit is segmented, nothing is summed up."""

    def __init__(self, traces: Sequence[Trace], units: Sequence[str]) -> None:
        self.traces, self.units = traces, units
        split = traces[0].variant.split

        @cache
        def segmented(word: str) -> tuple[Word, ...]:
            return tuple(applied(trace, word) for trace in traces)

        self.segmented = [[(word, segmented(word)) for word in split(unit)] for unit in units]

    def tokens(self, lane: int, units: Sequence[int]) -> int:
        return sum(len(words[lane]) for unit in units for _, words in self.segmented[unit])

    def same(self, lanes: Sequence[int], units: Sequence[int]) -> float:
        words = [
            {words[lane] for lane in lanes}
            for unit in units
            for word, words in self.segmented[unit]
            if any(character.isalnum() for character in word)
        ]
        return sum(len(segmentations) == 1 for segmentations in words) / len(words)

    def characters(self, units: Sequence[int]) -> int:
        return sum(len(self.units[unit]) for unit in units)


@pytest.mark.parametrize("variant", ["bytes-gpt2", "char-eow"])
def test_every_figure_is_that_of_the_text_itself(variant: str) -> None:
    result, traces = measured(variant), trained(variant)
    naive = Naive(traces, result.held_out.units)
    every = range(len(naive.units))
    assert "".join(naive.units) == sample("ties")
    assert result.characters == len(sample("ties"))
    for lane, of_lane in enumerate(result.lanes):
        assert (
            of_lane.tokens
            == naive.tokens(lane, every)
            == len(traces[lane].tokenizer().tokens(sample("ties")))
        )
        assert of_lane.compression.value == len("".join(naive.units)) / of_lane.tokens
        assert of_lane.fertility.value == of_lane.tokens / len(sample("ties").split())
    assert result.same_splits.value == naive.same((0, 1, 2), every)
    assert [(pair.first, pair.second) for pair in result.pairs] == list(combinations(range(3), 2))
    for pair in result.pairs:
        first, second = (result.lanes[lane] for lane in (pair.first, pair.second))
        assert pair.same_splits.value == naive.same((pair.first, pair.second), every)
        assert pair.more_tokens.value == (second.tokens - first.tokens) / first.tokens
        assert pair.compression.value == second.compression.value - first.compression.value
        assert pair.fertility.value == second.fertility.value - first.fertility.value
    words = Counter(word for unit in naive.segmented for word, _ in unit if any(map(str.isalnum, word)))
    differing = {word for unit in naive.segmented for word, words in unit if len(set(words)) > 1}
    assert {word.word for word in result.differing} == differing & words.keys()
    assert result.differing_words == sum(words[word] for word in differing)
    assert (result.compared_words, result.distinct_words) == (words.total(), len(words))
    known = sum(words[word] for word in words if word in set(traces[0].pre_tokens))
    assert result.known_words == known / words.total()


def test_the_intervals_are_those_of_texts_drawn_unit_by_unit() -> None:
    result = measured("bytes-gpt2")
    naive = Naive(trained("bytes-gpt2"), result.held_out.units)
    every = range(len(naive.units))
    draws = []
    for start in range(0, RESAMPLES, AT_ONCE):
        random = Random(f"0:{start}")
        draws += [random.choices(every, k=len(every)) for _ in range(min(AT_ONCE, RESAMPLES - start))]

    def interval(figure: Callable[[list[int]], float], confidence: float) -> tuple[float, float]:
        ordered = sorted(map(figure, draws))
        outside = int(len(ordered) * (1 - confidence) / 2 + 1e-9)
        return ordered[outside], ordered[len(ordered) - 1 - outside]

    assert result.lanes[1].compression.interval == interval(
        lambda units: naive.characters(units) / naive.tokens(1, units), 0.95
    )
    # Three pairs share the 5%.
    assert result.pairs[0].more_tokens.interval == interval(
        lambda units: (naive.tokens(1, units) - naive.tokens(0, units)) / naive.tokens(0, units), 1 - 0.05 / 3
    )
    assert result.same_splits.interval == interval(lambda units: naive.same((0, 1, 2), units), 0.95)


def test_lanes_that_split_text_differently_are_compared_by_words_between_spaces() -> None:
    traces = [bpe.train(sample("story"), variant, merges=60) for variant in ("char-eow", "bytes")]
    result = evidence(traces, [sample("ties")], sample("story"), resamples=10)
    assert result.compared_words == sum(any(map(str.isalnum, word)) for word in sample("ties").split())
    assert all(len(word.word.split()) == 1 for word in result.differing)


def test_a_variant_that_does_not_split_is_compared_by_words_too() -> None:
    result = measured("bytes")
    assert 0 < result.differing_words < result.compared_words
    assert result.compared_words == sum(any(map(str.isalnum, word)) for word in sample("ties").split())


# Lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_decide_nothing_where_a_lane_reads_lines(end: str, tmp_path: Path) -> None:
    """The tokens of each line are those of SentencePiece, which reads lines."""
    corpus, lines = sample("story"), sample("ties").splitlines()
    reader = bpe.train(
        corpus, **dict(bpe.PRESETS["sentencepiece"].settings) | {"vocab_size": None, "merges": 90}
    )
    other = bpe.train(corpus, "char-metaspace", merges=120)
    text = end.join([*lines[:9], "☃ and ☃ left", *lines[9:]])
    result = evidence([reader, other], [text], corpus, resamples=10)
    reader.tokenizer().save(tmp_path / "tokenizer.model")
    library = sentencepiece.SentencePieceProcessor(str(tmp_path / "tokenizer.model"))
    pieces = [library.encode(line) for line in text.splitlines()]
    assert result.lanes[0].tokens == sum(map(len, pieces))
    assert result.lanes[0].unknown == sum(ids.count(library.unk_id()) for ids in pieces) > 0
    tokenizer = other.tokenizer()
    tokens = [token for line in text.splitlines() for token in tokenizer.tokens(line)]
    assert result.lanes[1].tokens == len(tokens)
    assert result.lanes[1].unknown == sum(token not in tokenizer.ids for token in tokens)
    assert result.characters == sum(map(len, text.splitlines()))
    assert [lane.reads_lines for lane in result.lanes] == [True, end != "\n"]
    assert result.compared_words == sum(any(map(str.isalnum, word)) for word in text.split())
    told = sentences(result, ["SentencePiece", "First"])
    assert (
        f"{result.lanes[0].unknown:,} of the {result.lanes[0].tokens:,} tokens under “SentencePiece”"
        in str(told)
    )
    assert "text line by line, so every lane is measured on lines" in str(told)


def test_a_text_of_lines_is_read_whole_where_every_lane_knows_line_ends() -> None:
    traces = [bpe.train("a\nb\n", rule, merges=0) for rule in ("char-metaspace", "bytes", "char-eow")]
    result = evidence(traces, ["b\na\n"], "a\nb\n", resamples=10)
    assert [lane.tokens for lane in result.lanes] == [5, 4, 4]
    assert not any(lane.reads_lines or lane.unknown for lane in result.lanes)


# Units


def copies(text: str, number: int) -> list[str]:
    """Return this many copies of a text, each with a number of its own."""
    return [text.format(one) for one in range(number)]


@pytest.mark.parametrize(
    ("documents", "kind", "units"),
    [
        (copies("{}", FEWEST), "documents", FEWEST),
        (copies("a {0}\n{0}\n\n\n", FEWEST - 1), "lines", 2 * (FEWEST - 1)),
        (copies("a {0}\nc\n\n{0}\n", FEWEST // 2), "paragraphs", FEWEST),
        (["".join(copies("line {}\n", 30))], "lines", 30),
        (["".join(copies("\n\nline {}\r\n\r\n", 30)), " "], "paragraphs", 30),
        ([" ".join(copies("{}", 20 * FEWEST))], "blocks of words", FEWEST),
        (["".join(copies("line {}\n", FEWEST)) * 3] * FEWEST, "lines", 3 * FEWEST * FEWEST),
        (["one line\n" * 300], "documents", 1),  # the lines are all the same
        (["few words"], "documents", 1),
        (["few words\nand more"], "lines", 2),
    ],
)
def test_text_is_split_only_as_far_as_needed(documents: list[str], kind: str, units: int) -> None:
    text = held_out(documents)
    assert (text.kind, len(text.units)) == (kind, units)
    assert list(map("".join, text.units_of)) == [document for document in documents if document.strip()]
    assert all(unit.strip() for unit in text.units)


def test_line_ends_are_a_part_of_the_text() -> None:
    """Where every sentence is a line, a lane that joins line ends to the full stop before them saves many tokens."""
    training = "The tower is higher than the hill.\n" * 10
    traces = [bpe.train(training, variant, merges=40) for variant in ("bytes-gpt2", "bytes-gpt4")]
    orders = islice(permutations(("tower", "is", "higher", "than", "the")), 30)
    lines = "".join(f"The {' '.join(words)} hill.\n" for words in orders)
    result = evidence(traces, [lines], training)
    first, second = result.lanes
    assert first.tokens - second.tokens == 30
    assert result.pairs[0].more_tokens.is_negative
    assert result.verdict.answer == "yes"


class EndError(Exception):
    """Raised at a checkpoint."""


def checkpoints_reached(last: float, shares: list[float]) -> int:
    """Measure, end at the checkpoint of this number, and return how many were reached."""
    numbers = count(1)
    number = 0

    def check() -> None:
        nonlocal number
        number = next(numbers)
        if number == last:
            raise EndError

    traces = trained("char-eow")  # whose checkpoints do not count
    with checkpoints(check), suppress(EndError):
        evidence(traces, [sample("ties")], sample("story"), resamples=300, on_progress=shares.append)
    return number


def test_measuring_can_be_ended_at_any_checkpoint() -> None:
    shares: list[float] = []
    reached = checkpoints_reached(inf, shares)
    assert reached > 100  # units, words, resamples, figures
    assert shares == sorted(shares)
    assert 0.5 < shares[-1] <= 1
    for last in (1, reached // 2, reached - 1):
        assert checkpoints_reached(last, []) == last


# Lanes of different numbers of merges are measured at the smaller one too; few words leave the answer open.

NAMES = ["First occurrence", "Hugging Face"]


@cache
def a_trainer_that_stops_early() -> tuple[Evidence, list[bpe.Trace]]:
    training, held_out = sample("story")[:30_000], sample("ties")
    hf = PRESETS["hf-bytelevel"].settings
    traces = [
        bpe.train(training, "bytes-gpt2", merges=900),
        bpe.train(training, merges=900, **hf),  # stops when no pair occurs twice
    ]
    return evidence(traces, [held_out], training, resamples=50), traces


def test_lanes_are_measured_after_as_many_merges_as_the_shortest_has() -> None:
    measured, traces = a_trainer_that_stops_early()
    least = len(traces[1].steps)
    assert least < len(traces[0].steps)
    assert measured.equal
    assert measured.equal.merges == least
    # The same figures from trainings that were stopped there.
    again = evidence(
        [bpe.train(sample("story")[:30_000], "bytes-gpt2", merges=least), traces[1]],
        [sample("ties")],
        sample("story")[:30_000],
        resamples=50,
    )
    assert again.equal is None
    assert measured.equal.tokens == tuple(lane.tokens for lane in again.lanes)
    assert measured.equal.same_splits == again.same_splits
    assert measured.equal.more_tokens == tuple(pair.more_tokens for pair in again.pairs)


def test_the_headline_says_what_is_left_at_equal_numbers() -> None:
    measured, traces = a_trainer_that_stops_early()
    headline = verdict_text.headline(measured, NAMES)
    assert not headline.startswith("It matters")  # other numbers of merges may be why
    assert f"; after {len(traces[1].steps):,} merges each, " in headline


def test_one_merge_more_or_less_is_no_difference() -> None:
    training = sample("story")[:20_000]
    traces = [bpe.train(training, "bytes-gpt2", merges=merges) for merges in (300, 301)]
    measured = evidence(traces, [sample("ties")], training, resamples=50)
    assert measured.equal is None
    assert "300 to 301" not in verdict_text.headline(measured, NAMES)


# times, trials, the published interval: R. G. Newcombe 1998, Two-sided confidence intervals for the single proportion,
# table I, method 5
@pytest.mark.parametrize(
    ("times", "trials", "low", "high"),
    [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0.0, 0.1684), (1, 29, 0.0009, 0.1776)],
)
def test_the_exact_interval_is_the_published_one(times: int, trials: int, low: float, high: float) -> None:
    assert _clopper_pearson(times, trials) == pytest.approx((low, high), abs=6e-5)


def test_twenty_words_that_are_all_split_alike_do_not_decide() -> None:
    words = sorted(set(sample("story")[:20_000].split()))
    random.Random(1).shuffle(words)
    training = sample("story")[:20_000]
    traces = [bpe.train(training, "char-eow", rule, merges=60) for rule in ("first", "pair-max")]
    alike = [
        word
        for word in words
        if word.isalpha() and traces[0].tokenizer().tokens(word) == traces[1].tokenizer().tokens(word)
    ]
    measured = evidence(traces, ["\n".join(alike[:20])], training, resamples=50)
    assert not measured.differing
    assert measured.held_out.has_enough
    assert measured.same_splits.interval == pytest.approx((1 - 0.1684, 1), abs=1e-4)
    assert measured.verdict.answer == "perhaps"
    assert verdict_text.headline(measured, NAMES) == (
        "It may matter: all 20 held-out words are split the same way, but the text is too short to be sure."
    )
    many = evidence(traces, ["\n".join(alike[:120])], training, resamples=50)
    assert many.same_splits.interval
    assert many.verdict.answer == "hardly"


def test_words_that_differ_together_count_as_one_event() -> None:
    resampled = Estimate(0.95, (0.85, 1.0))
    one_unit = _widened(resampled, [10, *[0] * 19], 200)  # ten words of one unit
    assert one_unit.interval
    assert one_unit.interval[0] == pytest.approx(1 - _clopper_pearson(1, 20)[1])
    assert _widened(resampled, [1] * 10 + [0] * 10, 200) == resampled
