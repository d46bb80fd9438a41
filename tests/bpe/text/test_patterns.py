"""Patterns while other threads run: a linear one keeps the interpreter lock, a possibly slow one releases it."""

import sys
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import VARIANTS, BPEError, custom_variant
from bpe.analysis.vocabulary import SEARCHES
from bpe.formats.tiktoken_ranks import O200K_PATTERN
from bpe.text import patterns
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN, alternatives, find_matches, matched_alternatives
from tests.bpe.text.random_texts import examples

TEXT = "Some words, 12 of them; the rest is repeated. " * 1_000


@contextmanager
def a_busy_thread(switch_interval: float) -> Iterator[list[int]]:
    """Run a thread that never waits, like another viewer's training, and yield the count of its rounds.

    Each thread keeps the lock for `switch_interval` seconds unless it releases the lock itself.
    """
    rounds, end = [0], threading.Event()

    def count() -> None:
        while not end.is_set():
            rounds[0] += 1

    thread = threading.Thread(target=count)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(switch_interval)
    thread.start()
    try:
        yield rounds
    finally:
        end.set()
        thread.join()
        sys.setswitchinterval(usual)


def test_the_lock_is_kept_between_matches() -> None:
    variants = (VARIANTS["bytes-gpt2"], VARIANTS["bytes-gpt4"], custom_variant(r"\w+|\W"))
    expected = [variant.split(TEXT) for variant in variants]
    assert all(len(words) > 10_000 for words in expected)

    def meanwhile() -> int:
        with a_busy_thread(switch_interval=1.0) as rounds:
            before = rounds[0]
            assert [variant.split(TEXT) for variant in variants] == expected
            return rounds[0] - before

    # A busy machine may halt this thread for a second. One undisturbed run is enough to see it.
    assert any(meanwhile() == 0 for _ in range(10))


@pytest.mark.slow
def test_a_slow_pattern_lets_other_threads_run() -> None:
    slow = patterns.compile_typed(r"(a|aa)+$")

    def meanwhile(limit: float) -> int:
        with a_busy_thread(switch_interval=1.0) as rounds:
            before = rounds[0]
            with pytest.raises(TimeoutError):
                patterns.call_with_time_limit(partial(slow.search, "a" * 60 + "b"), limit, alone=0.02)
            return rounds[0] - before

    # On a busy machine the other thread may not run for a while.
    assert any(meanwhile(limit) > 1_000 for limit in (0.1, 1.0, 10.0))


def test_a_slow_search_is_tried_again_without_the_lock() -> None:
    tries = []

    def find(timeout: float, concurrent: bool | None = None) -> str:
        tries.append((timeout, concurrent))
        if concurrent is False:
            raise TimeoutError
        return "found"

    assert patterns.call_with_time_limit(find, 3.0) == "found"
    assert tries == [(patterns._EXCLUSIVE_TIME, False), (3.0, None)]


TOO_LARGE = {
    "one repeat": "a{100000000}",
    "at least so many": "a{10001,}",
    "repeats in repeats": "(?:a{1000}){1000}",
    "repeats side by side": "a{6000}b{6000}",
    "a repeat of a repeat": "(?>[^(]{200}){200}",
    "a bracket in a class": "[)](?:a{1000}[(]){1000}",
    "an opening bracket in a comment": "(?#[)(?:a{1000}){1000}(?#])",
    "a closing bracket in a named class": "(?:a{1000}[[:greek :])(]){1000}",
    "spaces in a number": "(?x)a{1 0 0 0 0 0}",
    "a comment in a number": "(?x)a{1#}\n00000}",
    "classes in classes": "(?V1)(?:[[a]]{1000}){1000}",
    "more digits than Python reads": "a{" + "9" * 5_000 + "}",
}
SMALL = [*("", r"\p{L}{3}", r"\p{N}{1,3}|[[:alpha:]]{2,}", "(?x) a{2} # two", "a{0,100000}"), "ab" * 9_000]


@pytest.mark.parametrize("pattern", TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_pattern_too_large_to_compile_is_refused_before_it_takes_memory(pattern: str) -> None:
    tracemalloc.start()
    try:
        for refuse in (custom_variant, lambda typed: SEARCHES["regex"].match(typed)):
            with pytest.raises(BPEError, match="at most 10,000 parts"):
                refuse(pattern)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("pattern", [*SMALL, GPT2_PATTERN, GPT4_PATTERN, O200K_PATTERN])
def test_usual_patterns_are_not_too_large(pattern: str) -> None:
    assert custom_variant(pattern).pattern == pattern


def test_a_pattern_that_searches_backwards_is_refused() -> None:
    with pytest.raises(BPEError, match="backwards"):
        custom_variant("(?r)a")


CALLS = {
    "of the whole pattern": "a(?R)?",
    "by number": r"(\((?:[^()]|(?1))*\))",
    "by zero": "a(?0)?|b",
    "of the group before": "(a|b)(?-1)",
    "of the group after": "(?+1)(a)",
    "by name": "(?P<word>a(?&word)?)",
    "by name, Python's way": "(?P<word>a)(?P>word)",
    "of a group that is only defined": "(?(DEFINE)(?<word>a))(?&word)",
    "after a backslash that is a letter": r"a\\(?R)?",
    "with a space": "(?x)a(?R )?",
    "with a space after the sign": "(?x)(a(?- 1)?)",
    "with a comment": "(?x)(?P<word>a(?P#comment\n>word)?)",
    "with the name that a check might use": "(?P<unknownR>a)(?R)?",
    "after a class": "[(?R)](?R)?",
}
NO_CALLS = [
    r"[(?R)]",
    r"a|[^(?1)(?&x)]",
    r"\(?R|\(?0",
    "(?#(?R)a",
    "(?x)a # (?R)\n",
    "(?V1)[[(?R)]--[b]]",
    "[(?R-Z]",
    "[(?&-)]",
]


@pytest.mark.parametrize("pattern", CALLS.values(), ids=CALLS)
def test_a_pattern_that_calls_a_group_is_refused_before_it_runs(pattern: str) -> None:
    for refuse in (custom_variant, lambda typed: SEARCHES["regex"].match(typed)):
        with pytest.raises(BPEError, match=r"^The pattern must not call itself or one of its groups"):
            refuse(pattern)


@pytest.mark.parametrize("pattern", [*NO_CALLS, GPT2_PATTERN, r"(?P<x>a)(?P=x)", r"(a)\1(?(1)b|c)(?-i:d)"])
def test_what_only_looks_like_a_call_is_accepted(pattern: str) -> None:
    assert custom_variant(pattern).pattern == pattern


def test_a_million_matches_take_some_megabytes_whatever_the_pattern_has_as_groups() -> None:
    matcher = patterns.compile_typed("()" * 20 + ".")
    text = "ab" * 25_000
    tracemalloc.start()
    try:
        spans = find_matches(matcher, text)
        assert tracemalloc.get_traced_memory()[1] < 20 * len(text)
    finally:
        tracemalloc.stop()
    assert spans.texts(text) == list(text)


def test_spans_tell_start_end_and_last_group_of_every_match() -> None:
    spans = find_matches(patterns.compile_typed("(a)|(b)|c|$"), "abc")
    assert list(zip(spans, spans.last_groups, strict=True)) == [
        ((0, 1), 1),
        ((1, 2), 2),
        ((2, 3), 0),
        ((3, 3), 0),
    ]


def test_a_pattern_with_many_capturing_groups_is_refused() -> None:
    assert custom_variant("(a)" * 20).split("a" * 20) == ["a" * 20]
    with pytest.raises(BPEError, match=r"at most 20 capturing groups, got 21: write \(\?:…\)"):
        custom_variant("(a)" * 21)


# A pattern's alternatives: split at the top level, and named for every pre-token.

SPLIT = {
    "plain": ("ab|c", ["ab", "c"]),
    "in a group": ("(?:a|b)|c", ["(?:a|b)", "c"]),
    "in a set": ("[a|b]|c", ["[a|b]", "c"]),
    "a set that begins with its bracket": ("[]|]|[^]|]|c", ["[]|]", "[^]|]", "c"]),
    "a set with a class": ("[[:alpha:]|]|c", ["[[:alpha:]|]", "c"]),
    "escaped": (r"\||\[|[\]|]|c", [r"\|", r"\[", r"[\]|]", "c"]),
    "empty": ("a||b", ["a", "", "b"]),
    "one": ("abc", ["abc"]),
}
REFUSED = {
    "a group that captures": "(a)|b",
    "a named group": "(?P<x>a)|b",
    "comments": "(?x)a # | \n |b",
    "not a pattern": "a|(",
}
SIGNS = st.text(st.sampled_from("abZ09 '.,\n\r\té中'sdmtlvre"), max_size=40)


@pytest.mark.parametrize(("pattern", "parts"), SPLIT.values(), ids=SPLIT)
def test_a_pattern_is_split_where_no_group_set_or_escape_is(pattern: str, parts: list[str]) -> None:
    assert alternatives(pattern) == parts


@pytest.mark.parametrize("pattern", REFUSED.values(), ids=REFUSED)
def test_a_pattern_whose_alternatives_cannot_be_named_is_refused(pattern: str) -> None:
    with pytest.raises(BPEError):
        alternatives(pattern)


def test_a_pattern_that_differs_in_groups_is_refused_and_not_misread() -> None:
    with pytest.raises(BPEError, match="the same with its alternatives in groups"):
        matched_alternatives("(?i)a|B", "AB b")


def test_the_first_alternative_that_fits_is_named() -> None:
    assert matched_alternatives("ab|a|abc", "abca") == [("ab", 0), ("a", 1)]


@pytest.mark.parametrize("slug", ["bytes-gpt2", "bytes-gpt4"])
@examples(20)
@given(text=SIGNS | st.text(max_size=20))
def test_the_pieces_together_are_the_pre_tokens_of_the_variant(slug: str, text: str) -> None:
    variant = VARIANTS[slug]
    pieces = matched_alternatives(variant.split_pattern, text)
    assert [piece for piece, _ in pieces] == variant.split(text)


def test_gpt_2_s_and_gpt_4_s_patterns_have_12_and_7_alternatives() -> None:
    assert [len(alternatives(pattern)) for pattern in (GPT2_PATTERN, GPT4_PATTERN)] == [12, 7]
    assert "|".join(alternatives(GPT4_PATTERN)) == GPT4_PATTERN
