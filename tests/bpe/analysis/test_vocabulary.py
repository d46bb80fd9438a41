"""The vocabulary after k merges: entries compared with a recount, searches, merge trees."""

from collections import Counter

import pytest

import bpe
from bpe.analysis.vocabulary import ORDERS, SEARCHES, Entry, depth_of, entries, merge_tree, search

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
TRACE = bpe.train(WORDS, merges=12, **bpe.PRESETS["paper"].settings)


def labels(listed: list[Entry]) -> list[str]:
    return [entry.label for entry in listed]


@pytest.mark.parametrize("k", [0, 1, 5, 12])
def test_entries_count_what_the_words_hold(k: int) -> None:
    counts, words = Counter[bytes](), Counter[bytes]()
    for word, frequency in TRACE.words_at(k):
        words.update(set(word))
        for token in word:
            counts[token] += frequency
    actual = entries(TRACE, k)
    assert [entry.symbol for entry in actual] == TRACE.vocabulary(k)
    assert [entry.id for entry in actual] == list(range(len(actual)))
    assert {entry.symbol: (entry.count, entry.words) for entry in actual if entry.in_use} == {
        token: (counts[token], words[token]) for token in counts
    }


def test_a_token_that_later_merges_used_up_is_a_stepping_stone() -> None:
    state = {entry.label: entry.state for entry in entries(TRACE, 3)}
    assert state["es"] == state["est"] == "stepping stone"
    assert state["est</w>"] == "in use"
    assert state["s"] == "used up"


def test_a_byte_that_never_occurred_is_never_seen() -> None:
    trace = bpe.train("low low", variant="bytes", merges=1, special_tokens=("<end>",))
    state = {entry.id: entry.state for entry in entries(trace, 1)}
    assert state[0] == "special"
    assert state[1] == "never seen"


SEARCHED = {
    "contains": ("contains", "est", ["est", "est</w>", "newest</w>", "widest</w>"]),
    "marker": ("ends", "t</w>", ["est</w>", "newest</w>", "widest</w>"]),
    "start": ("starts", "lo", ["lo", "low", "low</w>"]),
    "pattern": ("regex", "^[lw]o?$", ["l", "w", "lo"]),
    "length": ("length", "3", ["est", "low", "new", "wid"]),
    "range": ("length", "4-", ["est</w>", "newest</w>", "low</w>", "widest</w>"]),
    "id": ("contains", "#11", ["es"]),
    "no id": ("contains", "11", []),
    "nothing wanted": ("regex", "", labels(entries(TRACE, 12))),
}


@pytest.mark.parametrize("case", SEARCHED)
def test_search(case: str) -> None:
    how, wanted, expected = SEARCHED[case]
    assert sorted(labels(search(entries(TRACE, 12), how, wanted))) == sorted(expected)


@pytest.mark.parametrize(("how", "wanted"), [("regex", "("), ("length", "long"), ("length", "-")])
def test_a_bad_search_is_one_sentence(how: str, wanted: str) -> None:
    with pytest.raises(bpe.BPEError):
        search(entries(TRACE, 12), how, wanted)


def test_a_slow_pattern_is_stopped() -> None:
    trace = bpe.train("a" * 200, variant="bytes", merges=6)
    with pytest.raises(bpe.BPEError, match="seconds"):
        search(entries(trace, 6), "regex", "(a|a)+(a|a)+(a|a)+(a|a)+(a|a)+(a|a)+$b", seconds=0.2)


def test_the_whole_search_has_one_time_limit() -> None:
    sixteen = entries(bpe.train("a" * 64, variant="bytes", merges=4), 4)[-1]  # some hundredths of a second
    with pytest.raises(bpe.BPEError, match="seconds"):
        search([sixteen] * 4_000, "regex", "(a|a)+$b", seconds=0.2)


def test_a_very_long_token_is_shown_by_its_two_ends() -> None:
    trace = bpe.train("é" * 4096, variant="bytes", merges=13)
    longest = entries(trace, 13)[-1]
    assert longest.length == 8192
    assert longest.label == longest.text == "é" * 50 + "…" + "é" * 50


NEEDLE = "a" * 150 + "needle b" + "c" * 150  # some of its tokens are longer than LONGEST_SHOWN


@pytest.mark.parametrize(
    ("how", "wanted"),
    [
        ("contains", "needle b"),  # as spelled
        ("contains", "needle·b"),  # as shown
        ("regex", "^a+needle bc*$"),
        ("regex", "^a+needle·bc*$"),
        ("starts", "a" * 150 + "n"),
        ("ends", "b" + "c" * 150),
    ],
)
def test_a_search_reads_the_whole_of_a_long_token(how: str, wanted: str) -> None:
    trace = bpe.train({NEEDLE: 2}, variant="bytes", merges=len(NEEDLE))
    actual = entries(trace, len(trace.steps))
    assert actual[-1].symbol == NEEDLE.encode()
    assert actual[-1] in search(actual, how, wanted)


def test_a_search_through_the_longest_tokens_has_a_time_limit() -> None:
    long = entries(bpe.train("ab" * 2**15, variant="bytes", merges=16), 16)[-1]
    with pytest.raises(bpe.BPEError, match="seconds"):
        search([long] * 10_000, "contains", "c", seconds=0.2)


def test_a_search_for_unused_tokens_finds_none_in_use() -> None:
    actual = search(entries(TRACE, 12), "contains", "", only_unused=True)
    assert actual
    assert not any(entry.in_use for entry in actual)


def test_every_search_can_read_its_example() -> None:
    for row in SEARCHES.values():
        row.match(row.example)


def test_orders_sort_by_what_they_say() -> None:
    actual = entries(TRACE, 12)
    assert min(actual, key=ORDERS["newest"][1]).id == len(actual) - 1
    counts = [entry.count for entry in sorted(actual, key=ORDERS["count"][1])]
    assert counts == sorted(counts, reverse=True)
    in_text = [entry.symbol for entry in sorted(actual, key=ORDERS["text"][1])]
    used = list(dict.fromkeys(symbol for word, _ in TRACE.words_at(12) for symbol in word))
    assert in_text[: len(used)] == used
    assert len(in_text) == len(actual)


def test_a_merge_tree_goes_down_to_the_alphabet() -> None:
    newest = b"newest" + bpe.END_OF_WORD
    tree = merge_tree(TRACE, newest)
    leaves = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        waiting += reversed(node.parts)
        if not node.parts:
            leaves.append(node.symbol)
            assert node.symbol in TRACE.alphabet
        else:
            assert (node.parts[0].symbol, node.parts[1].symbol) == TRACE.parents(node.symbol)
    assert b"".join(leaves) == newest
    assert depth_of(TRACE, newest) == 5


def test_a_deep_tree_stops_at_the_limit_and_its_depth_is_known() -> None:
    trace = bpe.train("abcdefghijklmnopqrstuvwxyz" * 3, variant="bytes", tie_break="first", merges=25)
    longest = max(trace.symbols, key=len)
    assert depth_of(trace, longest) > 10
    assert len(merge_tree(trace, longest, depth=3).parts) == 2
