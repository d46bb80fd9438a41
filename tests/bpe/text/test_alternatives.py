"""A pattern's alternatives: split at the top level, and named for every pre-token."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import VARIANTS, BPEError
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN, alternatives, matched_alternatives
from tests.bpe.text.random_texts import examples

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
