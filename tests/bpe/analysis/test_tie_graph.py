"""The tie graph: its figures are those of every order of every pick, tried one by one."""

import random
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count as every_second
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import bpe
from bpe import END_OF_WORD, Pair, Word
from bpe.analysis.tie_graph import picks_for_way, tie_graph, tie_sentences
from bpe.analysis.ties import OUTCOMES, choice_text, later_terms, reasons_of, rival_losses, tie_map, why_won
from bpe.checkpoints import checkpoints
from bpe.settings.request import read_request, read_settings
from bpe.trace.trace import Trace
from tests.bpe.text.random_texts import examples
from tests.material.texts import SENTENCES, samples

Splits = tuple[Word, ...]  # of all words
PAPER = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
MOST = 3_000


@dataclass(frozen=True)
class EveryWay:
    """What trying every order finds, after 0, 1, … merges."""

    splits: list[int]
    ways: list[int]
    vocabularies: list[int]


class TooManyError(Exception):
    """There are too many ways to try."""


class Oracle:
    """All orders of all picks, one by one."""

    def __init__(self, words: Mapping[Word, int], **settings: Any) -> None:
        self.request = read_settings(settings)
        self.start: Splits = tuple(words)
        self.frequencies = list(words.values())

    def tied(self, splits: Splits, min_count: int) -> list[Pair]:
        words = list(zip(splits, self.frequencies, strict=True))
        counts = {
            pair: count
            for pair, count in bpe.count_pairs(words, overlaps=self.request.overlaps).items()
            if self.request.may_merge(*pair)
        }
        best = max(counts.values(), default=0)
        return [pair for pair, count in counts.items() if count == best] if best >= min_count else []

    def every_way(self) -> EveryWay:
        level: dict[Splits, tuple[int, set[frozenset[bytes]]]] = {self.start: (1, {frozenset()})}
        found = EveryWay([], [], [])
        while level:
            found.splits.append(len(level))
            found.ways.append(sum(ways for ways, _ in level.values()))
            found.vocabularies.append(len(set().union(*(sets for _, sets in level.values()))))
            if len(level) > MOST or found.vocabularies[-1] > MOST:
                raise TooManyError
            if len(found.splits) > (10_000 if self.request.merges is None else self.request.merges):
                break
            following: dict[Splits, tuple[int, set[frozenset[bytes]]]] = {}
            for splits, (ways, sets) in level.items():
                for pair in self.tied(splits, self.request.min_count):
                    merged = tuple(bpe.merge_pair(word, pair) for word in splits)
                    before, learned = following.get(merged, (0, set()))
                    more = {tokens | {pair[0] + pair[1]} for tokens in sets}
                    following[merged] = (before + ways, learned | more)
            level = following
        return found

    def first_splits(self, most: int) -> list[int]:
        """Return how many splits there are after 0, 1, … merges, until they are more than `most`."""
        level, numbers = {self.start}, [1]
        while numbers[-1] <= most and len(numbers) <= (self.request.merges or 10_000):
            level = {
                tuple(bpe.merge_pair(word, pair) for word in splits)
                for splits in level
                for pair in self.tied(splits, self.request.min_count)
            }
            if not level:
                break
            numbers.append(len(level))
        return numbers

    def ends(self, min_count: int) -> set[Splits]:
        """Return every segmentation in which training can stop."""
        seen, waiting, ends = {self.start}, [self.start], set()
        while waiting:
            splits = waiting.pop()
            tied = self.tied(splits, min_count)
            if not tied:
                ends.add(splits)
            for pair in tied:
                merged = tuple(bpe.merge_pair(word, pair) for word in splits)
                if merged not in seen:
                    seen.add(merged)
                    waiting.append(merged)
            if len(seen) > MOST:
                raise TooManyError
        return ends


def words_of(texts: Mapping[str, int], variant: str) -> dict[Word, int]:
    words: dict[Word, int] = {}
    for pre_token, frequency in texts.items():
        word = bpe.VARIANTS[variant].spell(pre_token)
        words[word] = words.get(word, 0) + frequency
    return words


def assert_every_way(texts: Mapping[str, int], variant: str, **settings: Any) -> None:
    oracle = Oracle(words_of(texts, variant), variant=variant, **settings)
    graph = tie_graph(texts, variant, **settings)
    every = oracle.every_way()
    assert list(graph.splits) == every.splits
    assert list(graph.ways) == every.ways
    for actual, expected in zip(graph.vocabularies, every.vocabularies, strict=True):
        assert actual in (expected, None)
    if max(every.ways) <= 100:
        assert None not in graph.vocabularies
    assert (graph.complete, graph.stopped) == (None, "")
    assert len(graph.nodes) <= sum(graph.splits)
    if settings.get("merges") is None:
        least = settings.get("min_count", 1)
        assert graph.results == len(oracle.ends(least))
        for min_count in {least, least + 1, *graph.ends}:
            assert graph.ends[min_count] == len(oracle.ends(min_count))


WORDS = st.dictionaries(
    st.text("ab", min_size=1, max_size=6)
    | st.text("abcd", min_size=1, max_size=5)
    | st.text("a1あ", min_size=1),
    st.integers(1, 3),
    max_size=5,
)
SETTINGS: list[dict[str, Any]] = [
    {"variant": "bytes-whitespace"},
    {"variant": "char-eow"},
    {"variant": "char-eow-attached", "min_count": 2},
    {"variant": "bytes-whitespace", "min_count": 3},
    {"variant": "char-eow", "merges": 3},
    {"variant": "char-eow-attached", "merges": 5, "min_count": 2},
    {"variant": "bytes-whitespace", "overlaps": "skip"},
    {"variant": "char-eow", "max_token_length": 3},
    {"variant": "bytes-whitespace", "max_token_length": 4, "min_count": 2},
    {"variant": "char-metaspace", "pieces": "sentencepiece"},
]


@pytest.mark.slow
@examples(20)  # each may have thousands of ways to try
@given(WORDS, st.sampled_from(SETTINGS))
def test_figures_are_those_of_every_order(words: dict[str, int], settings: dict[str, Any]) -> None:
    try:
        assert_every_way(words, **settings)
    except TooManyError:
        assume(False)


def test_the_four_words_of_the_paper_meet_again_five_times() -> None:
    graph = tie_graph(PAPER, merges=12)
    assert graph.splits == [1, 3, 3, 1, 2, 1, 3, 3, 1, 1, 3, 3, 1]
    assert (graph.ways[12], graph.vocabularies[12], graph.results) == (432, 250, 1)
    assert dict(graph.ends) == {9: 1, 7: 1, 6: 1, 5: 1, 3: 1}
    assert [node.merges for node in graph.nodes if node.meeting] == [0, 3, 5, 8, 9, 12]
    assert {edge.kind for edge in graph.edges} == {"none", "detour"}
    assert graph.complete is None


def test_from_the_fourth_merge_on_two_splits_of_hugs_remain() -> None:
    graph = tie_graph(HUGS, merges=6)
    assert graph.splits == [1, 1, 2, 1, 2, 2, 2]
    kinds = {edge.pairs[0]: edge.kind for edge in graph.edges if edge.kind != "none"}
    assert kinds == {
        (b"u", b"n"): "detour",
        (b"n", b"\xff"): "detour",
        (b"h", b"ug"): "fork",
        (b"ug", b"\xff"): "fork",
    }


def test_ends_are_known_between_the_counts_of_merges() -> None:
    ends = tie_graph(HUGS, min_count=10).ends
    assert [ends[count] for count in (10, 11, 12, 15, 16, 20, 1_000)] == [2, 2, 2, 2, 1, 1, 1]
    with pytest.raises(KeyError):
        ends[9]


def test_pairs_that_overlap_none_are_one_edge() -> None:
    graph = tie_graph({"ab": 2, "cd": 2, "ef": 2}, "bytes-whitespace")
    (edge,) = graph.edges
    assert (edge.pairs, edge.kind) == (((b"a", b"b"), (b"c", b"d"), (b"e", b"f")), "order only")
    assert (graph.splits, graph.ways, graph.vocabularies) == ([1, 3, 3, 1], [1, 3, 6, 6], [1, 3, 3, 1])


def test_training_that_ends_inside_a_tie_leaves_it_open() -> None:
    graph = tie_graph({"ab": 2, "cd": 2, "ef": 2}, "bytes-whitespace", merges=2)
    assert {edge.kind for edge in graph.edges} == {"open"}
    assert (graph.splits, graph.results, dict(graph.ends)) == ([1, 3, 3], 3, {})


@pytest.mark.parametrize(
    ("most_splits", "complete", "merges"), [(2, 10, None), (2, 0, 12), (3, None, 12)], ids=str
)
def test_a_listing_that_ends_early_says_where(
    most_splits: int, complete: int | None, merges: int | None
) -> None:
    graph = tie_graph(PAPER, merges=merges, most_splits=most_splits)
    assert graph.complete == complete
    assert graph.stopped == ("" if complete is None else "splits")
    whole = tie_graph(PAPER, merges=merges)
    assert list(graph.splits) == whole.splits[: len(graph.splits)]
    assert graph.results == (whole.results if complete is None else None)


def test_a_way_leads_to_every_node_of_a_listing_that_ran_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe.analysis.tie_bounds.BETWEEN_LOOKS", 1)
    whole = tie_graph(samples()["low-lower-newest-widest"])
    seen = set()
    for looks in (*range(0, 800, 11), 10_000):
        clock = every_second()  # a second passes whenever the listing looks at it
        monkeypatch.setattr("bpe.analysis.tie_bounds.monotonic", lambda clock=clock: next(clock))
        graph = tie_graph(samples()["low-lower-newest-widest"], most_seconds=looks)
        assert list(graph.splits) == list(whole.splits[: len(graph.splits)]), looks
        assert list(graph.ways) == list(whole.ways[: len(graph.ways)]), looks
        assert all(graph.edges_to[number] for number in range(1, len(graph.nodes))), looks
        assert graph.nodes[0].merges == 0
        seen.add(graph.stopped)
    assert seen == {"time", ""}


# Splits inside one count that are too many to compare.
START = "The Lane\n\nTwelve neighbours live in a lane. Before the fair "


def test_splits_end_before_a_number_that_is_not_known() -> None:
    graph = tie_graph(START, "char-eow", merges=8)
    assert (graph.splits, graph.complete, graph.stopped) == ([1, 1, 4, 5, 2], 4, "figures")
    graph = tie_graph(START, "char-eow")
    assert (graph.splits, graph.complete, graph.stopped) == ([1, 1, 4, 5, 2], 1, "figures")
    assert list(graph.ends) == [6, 2, 1]
    assert tie_graph(START, "char-eow", merges=4).stopped == ""
    short = "1-11a111-a\n-aa1-a\na1a1a---aa\n1a-1-1\n-a"
    assert tie_graph(short, "char-eow", merges=7).splits == [1, 1, 2, 4, 2]


@pytest.mark.parametrize("most_splits", [500, 20, 3])  # of which the oracle counts 120
@pytest.mark.parametrize("merges", [None, 6, 12], ids=str)
def test_no_number_of_splits_is_wrong_in_excerpts_of_the_samples(
    merges: int | None, most_splits: int
) -> None:
    draw = random.Random(f"{merges} {most_splits}")
    for text in draw.sample(list(samples().values()), 4):
        begin = draw.choice((0, draw.randrange(max(1, len(text) - 140))))
        excerpt = text[begin : begin + draw.randint(40, 140)]
        counted = read_request("char-eow", bpe.TIE_BREAKS["first"]).count(excerpt)
        oracle = Oracle(words_of(counted, "char-eow"), variant="char-eow", merges=merges)
        numbers = oracle.first_splits(120)
        graph = tie_graph(excerpt, "char-eow", merges=merges, most_splits=most_splits)
        compared = min(len(numbers), len(graph.splits))
        assert list(graph.splits[:compared]) == numbers[:compared], excerpt
        is_short = len(graph.splits) < len(numbers)
        assert not is_short or (graph.stopped and graph.complete is not None), excerpt


@pytest.mark.parametrize(
    ("words", "vocabularies"),
    [
        ({"bbabb": 1, "abccac": 1, "baccaa": 2, "c": 1}, [1, 4, 11]),
        ({"abac": 1, "cb": 2, "a": 1, "abcba": 1, "aba": 1}, [1, 4, 7]),
    ],
    ids=str,
)
def test_vocabularies_of_ways_that_end_inside_a_tie(words: dict[str, int], vocabularies: list[int]) -> None:
    oracle = Oracle(words_of(words, "char-eow"), variant="char-eow", merges=2)
    assert oracle.every_way().vocabularies == vocabularies
    assert tie_graph(words, "char-eow", merges=2).vocabularies == vocabularies


def test_vocabularies_are_counted_where_the_ways_can_be_listed_one_by_one() -> None:
    graph = tie_graph(" ".join("abcdefghijklmnop"), "char-eow", merges=5)
    assert graph.ways == [1, 16, 240, 3_360, 43_680, 524_160]
    assert graph.vocabularies == [1, 16, 120, 560, None, None]


def test_a_choice_whose_picks_lead_to_the_same_results_is_no_fork() -> None:
    """Another tied pair of the group, which no longer overlaps, decides the results."""
    documents = ["äaä a äaaaäääääa aäaaääaäaää ääaäa", "äää", "aaäaaäa", "äääääa"]
    settings: dict[str, Any] = {"min_count": 2}
    trace = bpe.train(documents, "char-eow-attached", "pair-max", **settings)
    graph = tie_graph(documents, "char-eow-attached", **settings)
    assert trace.rivals(3)
    assert tie_map(trace, graph).kinds[3] == "detour"


@contextmanager
def memory_watched() -> Iterator[Callable[[], tuple[int, int]]]:
    """Trace the memory. What it yields returns the most that was held, and the most that grew between checkpoints."""
    held, growth = [0], [0]

    def look() -> None:
        now, _ = tracemalloc.get_traced_memory()
        growth.append(now - held[-1])
        held.append(now)

    tracemalloc.start()
    try:
        with checkpoints(look):
            yield lambda: (tracemalloc.get_traced_memory()[1], max(growth))
    finally:
        tracemalloc.stop()


def characters(number: int) -> list[str]:
    return [chr(0x4E00 + code) for code in range(number)]


def fibonacci_word(length: int) -> str:
    one, other = "a", "ab"
    while len(other) < length:
        one, other = other, other + one
    return other[:length]


# Text, merges, and what ends the listing.
LARGE: dict[str, tuple[str, int | None, str]] = {
    "one word of different characters": ("".join(characters(450)), 100, "memory"),
    "more tied pairs than splits may be listed": ("".join(characters(2_100)), 100, "splits"),
    "a character in each line": ("\n".join(characters(900)), 100, ""),
    "pairs": (" ".join(map("".join, pairwise(characters(900)))), 100, "memory"),
    "random words": (
        " ".join("".join(random.Random(n).choices("abcdefghij", k=n % 9 + 2)) for n in range(500)),
        None,
        "memory",
    ),
    "a Fibonacci word": (fibonacci_word(5_000), 100, "memory"),
    "one letter": ("a" * 10_000, 100, ""),
}


@pytest.mark.slow
@pytest.mark.parametrize(("text", "merges", "stopped"), LARGE.values(), ids=LARGE)
def test_what_is_stored_is_bounded_and_looked_at_often(
    text: str, merges: int | None, stopped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = 400_000
    monkeypatch.setattr("bpe.analysis.tie_bounds.MOST_STORED", entries)
    with memory_watched() as most:
        graph = tie_graph(text, merges=merges)
        peak, growth = most()
    assert graph.stopped == stopped
    assert peak < 2 * 8 * entries + 1_000 * len(text)
    assert growth < 1_000_000 + 1_000 * len(text)


@pytest.mark.parametrize("most_seconds", [None, 10**400, 5.0], ids=["no limit", "a large one", "five"])
def test_a_listing_may_take_any_time(most_seconds: float | None) -> None:
    assert tie_graph(PAPER, merges=3, most_seconds=most_seconds).stopped == ""


def test_time_ends_a_listing() -> None:
    graph = tie_graph(PAPER, most_seconds=0)
    assert (graph.stopped, graph.complete, graph.splits, graph.results) == ("time", 10, [1], None)


def test_work_ends_a_listing_at_the_same_place_however_slow_the_machine_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text, ends = samples()["story"], []
    for _ in range(2):
        graph = tie_graph(text, merges=400, most_seconds=None, most_work=200_000)
        ends.append((graph.stopped, graph.complete, graph.splits, graph.ways))
        clock = every_second()
        monkeypatch.setattr("bpe.analysis.tie_bounds.monotonic", lambda clock=clock: next(clock))
    assert ends[0] == ends[1]
    assert ends[0][0] == "work"
    assert len(tie_graph(text, merges=400, most_seconds=None, most_work=600_000).splits) > len(ends[0][2])


class EndedError(Exception):
    """Raised at a checkpoint."""


def test_whoever_started_a_listing_can_end_it() -> None:
    def end() -> None:
        raise EndedError

    with checkpoints(end), pytest.raises(EndedError):
        tie_graph(PAPER)


REFUSED = {
    "picks": ({"picks": {0: 0}}, "leave the picks out"),
    "superwords": ({"second_pattern": "lines", "second_after": 3}, "leave the second stage out"),
    "most_splits": ({"most_splits": 0}, "most_splits must be at least 1"),
    "a text for a time": ({"most_seconds": "5"}, "most_seconds must be a number or None, got '5'"),
    "no time": ({"most_seconds": float("nan")}, "most_seconds must be a number or None, got nan"),
    "a text for work": ({"most_work": "5"}, "most_work must be a number or None, got '5'"),
    "a vocabulary that is too small": ({"vocab_size": 2}, "vocabulary size must be at least"),
    "no setting": ({"merge": 2}, "There is no setting 'merge'"),
}


@pytest.mark.parametrize(("settings", "message"), REFUSED.values(), ids=REFUSED)
def test_settings_that_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(bpe.BPEError, match=message):
        tie_graph("low lower", **settings)


def test_the_story_has_one_result_after_each_count_down_to_13() -> None:
    graph = tie_graph(samples()["story"], min_count=12)
    assert [count for count, number in graph.ends.items() if number > 1] == [12]
    assert graph.stopped == ""


@given(
    st.dictionaries(
        st.text("ab", min_size=1, max_size=5) | st.text("abc", min_size=1, max_size=4), st.integers(1, 3)
    ),
    st.sampled_from([{}, {"merges": 4}, {"min_count": 2}]),
)
def test_paths_end_alike_where_trainings_split_the_text_alike(
    words: dict[str, int], settings: dict[str, Any]
) -> None:
    graph = tie_graph(words, "bytes-whitespace", **settings)
    assume(not graph.stopped)
    traces = [
        bpe.train(words, "bytes-whitespace", rule, **settings)
        for rule in ("first", "last", "pair-max", "random")
    ]
    split_alike: dict[int, list[Word]] = {}
    for trace in traces:
        path = graph.path(trace)
        assert path[0] == 0
        end = graph.nodes[path[-1]]
        assert end.merges == len(trace.merges)
        final = [word for word, _ in trace.words_at(len(trace.merges))]
        assert split_alike.setdefault(end.segmentation, final) == final
        in_use = set(trace.token_counts(len(trace.merges)))
        assert set(end.tokens) <= in_use
    assert len({tuple(words) for words in split_alike.values()}) == len(split_alike)


def test_a_path_passes_every_merge_of_a_training_without_independent_ties() -> None:
    graph = tie_graph(PAPER, merges=12)
    for rule in ("first", "last", "pair-max", "random"):
        trace = bpe.train(PAPER, tie_break=rule, merges=12)
        edges = graph.edges_of(trace)
        assert [edge.pairs for edge in edges] == [(pair,) for pair in trace.merges]
        for node in map(graph.nodes.__getitem__, graph.path(trace)):
            assert set(node.tokens) <= set(trace.token_counts(node.merges))


GRAPHS_IN_WORDS = {
    "no tie": ({"ab": 1}, {}, "No pairs ever tie, so there is only one way."),
    "order only": (
        {"ab": 2, "cd": 2},
        {},
        "2 ways to break the ties, one vocabulary: every one splits the text the same way.",
    ),
    "they meet": (
        PAPER,
        {"merges": 12},
        "432 ways to break the ties, 250 vocabularies: every one splits the text the same way.",
    ),
    "they part": (
        HUGS,
        {"merges": 6},
        "From merge 4 on, there are two different splits: this tie makes a lasting difference. "
        "4 ways to break the ties, 4 vocabularies.",
    ),
    "training ends inside a tie": (
        {"ab": 2, "cd": 2, "ef": 2},
        {"merges": 2},
        "Training ends inside a tie, with three possible splits. 6 ways to break the ties, 3 vocabularies.",
    ),
    "they part and go on": (
        HUGS,
        {"merges": 8},
        "From merge 4 on, the paths never all meet again: they end in nine different splits. "
        "48 ways to break the ties, 26 vocabularies.",
    ),
    "too many splits": (
        HUGS,
        {"most_splits": 2},
        "2 different splits are possible once every pair that occurs 10 times or more is merged. "
        "We stopped listing after 6 merges. After that, there are more than 2 splits.",
    ),
    "nothing listed": (
        PAPER,
        {"most_splits": 1},
        "There are too many ways to list. Nothing is listed: there are more than 1 splits.",
    ),
    "no time": (
        PAPER,
        {"most_seconds": 0},
        "There are too many ways to list. Nothing is listed: the time was up.",
    ),
    "no work": (
        PAPER,
        {"most_work": 0},
        "There are too many ways to list. Nothing is listed: listing them would take too long.",
    ),
}


@pytest.mark.parametrize(("words", "settings", "sentences"), GRAPHS_IN_WORDS.values(), ids=GRAPHS_IN_WORDS)
def test_sentences_say_what_the_graph_shows(
    words: dict[str, int], settings: dict[str, Any], sentences: str
) -> None:
    variant = "char-eow" if words in (PAPER, HUGS) else "bytes-whitespace"
    assert " ".join(tie_sentences(tie_graph(words, variant, **settings))) == sentences


def test_a_number_that_nobody_can_read_is_a_power_of_ten() -> None:
    """3,000 different words of one character: the count of splits has 190 digits."""
    words = "\n".join(map(chr, range(0x4E00, 0x4E00 + 3_000)))
    finding, many = tie_sentences(tie_graph(words, "char-eow", merges=100))
    assert finding == "Training ends inside a tie, with about 10¹⁸⁹ possible splits."
    assert many == "About 10³⁴⁷ ways to break the ties."


@given(
    st.dictionaries(
        st.text("ab", min_size=1, max_size=5) | st.text("abc", min_size=1, max_size=4), st.integers(1, 3)
    ),
    st.sampled_from([{}, {"merges": 4}, {"min_count": 2}]),
    st.sampled_from(["first", "last", "pair-max"]),
)
def test_a_fork_changes_the_results_that_picks_lead_to_and_a_detour_does_not(
    words: dict[str, int], settings: dict[str, Any], rule: str
) -> None:
    graph = tie_graph(words, "bytes-whitespace", **settings)
    trace = bpe.train(words, "bytes-whitespace", rule, **settings)
    kinds = tie_map(trace, graph).kinds
    choices = {rank for rank, kind in enumerate(tie_map(trace).kinds) if kind == "choice"}
    told_apart = {rank for rank, kind in enumerate(kinds) if kind in ("detour", "fork")}
    # Where the limit of merges ends some of the ways inside a tie, the graph calls it open.
    assert told_apart <= choices if "merges" in settings else told_apart == choices
    oracle = Oracle(words_of(words, "bytes-whitespace"), variant="bytes-whitespace", **settings)
    splits = oracle.start
    for rank, (pair, kind) in enumerate(zip(trace.merges, kinds, strict=True)):
        if kind in ("detour", "fork") and settings.get("merges") is None:
            picks = [pair, *trace.rivals(rank)]
            ends = []
            for pick in picks:
                after = Oracle({}, variant="bytes-whitespace", **settings)
                after.start = tuple(bpe.merge_pair(word, pick) for word in splits)
                after.frequencies = oracle.frequencies
                try:
                    ends.append(frozenset(after.ends(settings.get("min_count", 1))))
                except TooManyError:
                    assume(False)
            assert (len(set(ends)) == 1) == (kind == "detour")
        splits = tuple(bpe.merge_pair(word, pair) for word in splits)


# Why a pair won its tie, and what its merge takes from the others.


@pytest.mark.parametrize(
    ("rule", "merge", "words"),
    [
        ("first", 1, "it comes first in the text, at newest"),
        ("last", 1, "its last occurrence comes latest, at widest, with each different word read once"),
        ("ids-min", 1, "its left id, 1, is the smallest"),
        ("pair-max", 1, "t comes last in dictionary order"),
        ("pair-min", 1, "e comes first in dictionary order"),
        ("shortest", 1, "es comes first in dictionary order among the 3, which are equally short"),
        ("shortest", 2, "t</w> is the shortest"),
        ("longest", 1, "es comes first in dictionary order among the 3, which are equally long"),
        ("longest", 2, "est is the longest"),
        ("random", 2, "draw 2 with seed 0 picked it"),
        ("manual", 1, "no pick, so the first occurrence wins, at newest"),
        ("names-max", 1, "the internal name of its left token, t, is the greatest"),
    ],
)
def test_the_reason_is_the_term_that_decided(rule: str, merge: int, words: str) -> None:
    assert why_won(bpe.train(PAPER, "char-eow", rule, merges=12), merge - 1) == words


@pytest.mark.parametrize(
    ("words", "rule", "reason"),
    [
        ("ab ac", "ids-min", "its right id, 98, is the smallest of the 2, which have left id 97"),
        (
            "ab ac bc",
            "pair-min",
            "its right token, b, comes first in dictionary order among the 2 that begin with a",
        ),
        (
            "ab ac",
            "pair-max",
            "its right token, c, comes last in dictionary order among the 2, which begin with a",
        ),
        ("abcx ab cx", "shortest", "ab comes first in dictionary order among the 2, which are equally short"),
    ],
)
def test_where_the_first_term_is_equal_the_second_decides(words: str, rule: str, reason: str) -> None:
    assert why_won(bpe.train(words, "bytes-whitespace", rule), 0) == reason


def value_of(name: str, trace: Trace, pair: Pair) -> object:
    """Return what a term of an order compares, from the symbols of a pair."""
    left, right = pair
    spelled, born = trace.variant.spelled, trace.born
    return {
        "left id": trace.id_of(left),
        "right id": trace.id_of(right),
        "left": left,
        "right": right,
        "left spelled": spelled(left),
        "right spelled": spelled(right),
        "merged spelled": spelled(left + right),
        "length": trace.variant.length(left + right),
        "left name": born(left) if born(left) >= 0 else left,
        "right name": born(right) if born(right) >= 0 else right,
    }[name.removeprefix("-")]


@pytest.mark.parametrize("rule", [slug for slug, row in bpe.TIE_BREAKS.items() if len(row.order) > 1])
@pytest.mark.parametrize("stages", [{}, {"second_pattern": "lines", "second_after": 30}], ids=["one", "two"])
def test_the_later_terms_are_those_that_decide_at_each_merge_alone(rule: str, stages: dict[str, Any]) -> None:
    trace = bpe.train(SENTENCES, "bytes-gpt2", rule, merges=60, **stages)
    later = later_terms(trace, 10**6)
    assert later.until == len(trace.steps)
    for rank, step in enumerate(trace.steps):
        pairs, term, compared = trace.tied_pairs(rank), 0, step.tied
        while step.tied > 1 and len(pairs) > 1 and term < len(trace.tie_break.order):
            name, compared = trace.tie_break.order[term], len(pairs)
            value = value_of(name, trace, step.pair)
            pairs = tuple(pair for pair in pairs if value_of(name, trace, pair) == value)
            term += 1
        assert later.decided.get(rank, (0, step.tied)) == (max(0, term - 1), compared)


def test_the_later_terms_end_where_too_many_pairs_were_compared() -> None:
    trace = bpe.train(SENTENCES, "bytes-gpt2", "longest", merges=60)
    whole, part = later_terms(trace, 10**6), later_terms(trace, 40)
    assert 0 < part.until < whole.until
    assert part.decided == {rank: term for rank, term in whole.decided.items() if rank < part.until}


def test_a_pick_says_so_and_a_merge_without_a_tie_has_no_reason() -> None:
    picked = bpe.train(PAPER, "char-eow", "manual", merges=3, picks={0: 1})
    assert why_won(picked, 0) == "picked by hand"
    assert why_won(picked, 1) == "no pick, so the first occurrence wins, at newest"
    assert choice_text(picked, 0).startswith("a real choice: ")
    untied = bpe.train({"ab": 2, "cd": 1}, "bytes-whitespace")
    assert why_won(untied, 0) == choice_text(untied, 0) == ""


@pytest.mark.parametrize("variant", ["bytes-whitespace", "char-eow"])
def test_the_word_of_a_tie_is_the_word_with_all_its_characters(variant: str) -> None:
    assert why_won(bpe.train("\0\0a b", variant), 0).endswith(", at <U+0000><U+0000>a")


def test_the_last_occurrence_is_that_of_the_different_words() -> None:
    """The text ends with ab; of the different words, cd is the last."""
    trace = bpe.train("ab cd cd ab", "bytes-whitespace", "last", merges=1)
    assert trace.merges == [(b"c", b"d")]
    assert why_won(trace, 0) == "its last occurrence comes latest, at cd, with each different word read once"


def test_a_choice_in_a_run_of_one_symbol_may_take_nothing() -> None:
    """Aaa becomes aa a, so that a + </w> keeps its two occurrences."""
    trace = bpe.train("aaa ba", "char-eow")
    assert rival_losses(trace, 0) == {(b"a", END_OF_WORD): 0}
    assert tie_map(trace).kinds[0] == "choice"
    assert "used up" not in OUTCOMES["choice"]


def test_sorted_words_do_not_come_first_in_the_text() -> None:
    trace = bpe.train("ab cd cd", "bytes-whitespace", word_order="frequency", merges=2)
    assert [reason.words for reason in reasons_of(trace.request)] == ["it comes first{at}"]


@pytest.mark.parametrize("rule", bpe.TIE_BREAKS)
def test_a_rival_loses_what_its_count_falls_by(rule: str) -> None:
    """Counted anew, with runs of one letter among the words."""
    trace = bpe.train(SENTENCES + " aaay aaay baab abab", "bytes-whitespace", rule, merges=60)
    choices = 0
    for step in trace.steps:
        before, after = trace.pair_counts(step.rank), trace.pair_counts(step.rank + 1)
        losses = rival_losses(trace, step.rank)
        assert set(losses) == set(trace.rivals(step.rank))
        assert losses == {pair: before[pair] - after.get(pair, 0) for pair in losses}
        assert all(one >= other for one, other in pairwise(losses.values()))
        choices += bool(losses)
    assert choices


@pytest.mark.parametrize("rule", ["first", "last", "pair-max", "random"])
@pytest.mark.parametrize(
    "texts",
    [PAPER, HUGS, {"ab": 3, "cd": 3, "ef": 3}, {"abcabc": 2, "bcab": 2}, {"aaaa": 1, "aab": 2}],
    ids=["the paper", "hugs", "any order", "overlaps", "a run"],
)
def test_picks_lead_a_training_to_every_node_of_the_graph(texts: Mapping[str, int], rule: str) -> None:
    graph = tie_graph(texts, merges=7)
    own = bpe.train(texts, tie_break=rule, merges=7)
    for number, node in enumerate(graph.nodes):
        way = graph.way_to(number, own)
        assert len(way) == node.merges

        def train(picks: Mapping[int, Pair], merges: int = node.merges) -> bpe.Trace:
            return bpe.train(texts, tie_break=rule, merges=merges, picks=picks)

        words = [word for word, _ in own.words_at(0)]
        for pair in way:
            words = [bpe.merge_pair(word, pair) for word in words]
        trace = train(picks_for_way(way, train))
        assert [word for word, _ in trace.words_at(node.merges)] == words


def test_a_place_on_the_rule_s_own_path_needs_no_picks() -> None:
    graph = tie_graph(PAPER, merges=12)
    own = bpe.train(PAPER, merges=12)
    for number in graph.path(own):
        way = graph.way_to(number, own)

        def train(picks: Mapping[int, Pair], merges: int = len(way)) -> bpe.Trace:
            return bpe.train(PAPER, merges=merges, picks=picks)

        assert picks_for_way(way, train) == {}


def test_a_place_that_needs_too_many_picks_is_refused() -> None:
    graph = tie_graph(PAPER, merges=12)
    own = bpe.train(PAPER, merges=12)
    number = next(number for number, node in enumerate(graph.nodes) if node.tokens == (b"st\xff",))
    way = graph.way_to(number, own)
    with pytest.raises(bpe.BPEError, match="more than 1 picks"):
        picks_for_way(way, lambda picks: bpe.train(PAPER, merges=2, picks=picks), most=1)
