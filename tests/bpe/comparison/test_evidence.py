"""Evidence on held-out texts: every figure is computed again, from the merges, one occurrence at a time."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import combinations, count, islice, permutations
from math import inf
from pathlib import Path

import pytest
import sentencepiece

import bpe
from bpe import Trace, Word, merge_pair
from bpe.checkpoints import checkpoints
from bpe.comparison.evidence import evidence
from bpe.comparison.held_out import FEWEST, held_out
from bpe.comparison.verdict import notes
from tests.bpe.comparison.story_evidence import measured, sample, trained

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
        assert of_lane.compression == len("".join(naive.units)) / of_lane.tokens
        assert of_lane.fertility == of_lane.tokens / len(sample("ties").split())
    assert 1 - result.apart == pytest.approx(naive.same((0, 1, 2), every))
    assert [(pair.first, pair.second) for pair in result.pairs] == list(combinations(range(3), 2))
    for pair in result.pairs:
        first, second = (result.lanes[lane] for lane in (pair.first, pair.second))
        assert pair.same_splits == naive.same((pair.first, pair.second), every)
        assert pair.more_tokens == (second.tokens - first.tokens) / first.tokens
    words = Counter(word for unit in naive.segmented for word, _ in unit if any(map(str.isalnum, word)))
    differing = {word for unit in naive.segmented for word, words in unit if len(set(words)) > 1}
    assert {word.word for word in result.differing} == differing & words.keys()
    assert result.differing_words == sum(words[word] for word in differing)
    assert result.compared_words == words.total()
    known = sum(words[word] for word in words if word in set(traces[0].pre_tokens))
    assert result.known_words == known / words.total()


def test_lanes_that_split_text_differently_are_compared_by_words_between_spaces() -> None:
    traces = [bpe.train(sample("story"), variant, merges=60) for variant in ("char-eow", "bytes")]
    result = evidence(traces, [sample("ties")], sample("story"))
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
    result = evidence([reader, other], [text], corpus)
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
    told = list(notes(result, ["SentencePiece", "First"]))
    assert f"{result.lanes[0].unknown:,} tokens under “SentencePiece”" in str(told)
    assert "measured line by line" in str(told)


@pytest.mark.parametrize(
    ("names", "trained", "reading"),
    [
        (["A"], "“A” was trained on", "“A” reads text"),
        (["A", "B"], "“A” and “B” were trained on", "“A” and “B” read text"),
    ],
)
def test_a_note_on_one_file_or_two_agrees_with_their_number(
    names: list[str], trained: str, reading: str
) -> None:
    corpus = "low lower\nnewest"
    reader = bpe.train(
        corpus, **dict(bpe.PRESETS["sentencepiece"].settings) | {"vocab_size": None, "merges": 3}
    )
    files = [bpe.replay(corpus, reader.tokenizer()) for _ in names]
    told = list(
        notes(evidence([*files, bpe.train(corpus, merges=9)], ["low\nnew"], corpus), [*names, "First"])
    )
    assert f"We do not know what text {trained}; the held-out text may be a part of it." in told
    assert f"Every lane is measured line by line, without line breaks, as {reading}." in told


def test_a_text_of_lines_is_read_whole_where_every_lane_knows_line_ends() -> None:
    traces = [bpe.train("a\nb\n", rule, merges=0) for rule in ("char-metaspace", "bytes", "char-eow")]
    result = evidence(traces, ["b\na\n"], "a\nb\n")
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
    assert result.pairs[0].more_tokens < 0


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
        evidence(traces, [sample("ties")], sample("story"), on_progress=shares.append)
    return number


def test_measuring_can_be_ended_at_any_checkpoint() -> None:
    shares: list[float] = []
    reached = checkpoints_reached(inf, shares)
    assert reached > 10  # words, texts
    assert shares == sorted(shares)
    assert 0.5 <= shares[-1] <= 1
    for last in (1, reached // 2, reached - 1):
        assert checkpoints_reached(last, []) == last
