"""Patterns of tokenizer files: what Oniguruma reads otherwise than `regex` is refused before it runs."""

import pytest

from bpe import BPEError
from bpe.formats.regexes import compile_shared

GROUPS = {
    "a call": "(?R)|b",
    "a call by number": "(a)(?1)",
    "a call by name": "(?<n>a)(?&n)",
    "one of these": "(?|a|b)",
    "a dot for line ends, in Oniguruma": "(?m).+",
    "the same in a group": "(?m:.+)",
    "several options": "(?im)A.b",
    "a dot for line ends, in regex": "(?s).",
    "backwards": "(?r)a",
    "the new behaviour of regex": "(?V1)a",
    "Python's named group": "(?P<n>a)",
    "a condition": "(a)?(?(1)b|c)",
    "nothing": "(?",
}


@pytest.mark.parametrize("pattern", GROUPS.values(), ids=GROUPS)
def test_a_group_that_oniguruma_reads_otherwise_is_refused(pattern: str) -> None:
    with pytest.raises(BPEError, match="which other libraries may read differently"):
        compile_shared(pattern, ("the file", ""))


@pytest.mark.parametrize("pattern", ["a)", "(?:a))b"])
def test_a_bracket_that_closes_no_group_is_refused(pattern: str) -> None:
    with pytest.raises(BPEError, match="unbalanced parenthesis"):
        compile_shared(pattern, ("the file", ""))


def test_many_capturing_groups_are_refused() -> None:
    with pytest.raises(BPEError, match=r"^the file: .* at most 20 capturing groups, got 21"):
        compile_shared("(a)" * 21, ("the file", ""))
