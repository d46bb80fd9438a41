"""Patterns of tokenizer files: what Oniguruma reads otherwise than `regex` is refused before it runs."""

import random
import unicodedata

import pytest
import regex
from tokenizers import Regex, pre_tokenizers

from bpe import BPEError
from bpe.formats.regexes import _CONSTRUCTS, _Construct, compile_shared, shared_matches

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


# The patterns of tokenizer files mean here what they mean to Hugging Face's tokenizers, construct by construct.

ACCEPTED = [row for row in _CONSTRUCTS if row.verdict != "refused"]
REFUSED = [row for row in _CONSTRUCTS if row.verdict == "refused"]
TEXTS = [
    "",
    "abc ABC",
    "a\r\nb\n",
    "It's 12 o'clock, ÉCOLE straße",
    "k\u212aİıſß ﬁ",
    "-]^&[|~ 漢한α",
    "aabbccddxyz  ",
]


def name(row: _Construct) -> str:
    return row.name


def theirs(pattern: str, text: str) -> list[str]:
    """Return what Oniguruma matches."""
    split = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    return [piece for piece, _ in split.pre_tokenize_str(text)]


def ours(pattern: str, text: str) -> list[str]:
    spans = shared_matches(compile_shared(pattern, ("the file", "")), text)
    return [text[start:end] for start, end in spans if start < end]


@pytest.mark.parametrize("row", ACCEPTED, ids=name)
def test_what_is_read_matches_as_in_the_library(row: _Construct) -> None:
    for text in (row.text, *TEXTS):
        assert ours(row.pattern, text) == theirs(row.pattern, text), text


@pytest.mark.parametrize("row", REFUSED, ids=name)
def test_what_is_not_read_is_refused_before_it_runs(row: _Construct) -> None:
    with pytest.raises(BPEError, match=r"^the file: the pattern .*(read differently|does not compile)"):
        compile_shared(row.pattern, ("the file", ""))


def as_written(row: _Construct) -> list[str] | None:
    """Return what `regex` matches if nothing is translated; None if it refuses the pattern."""
    try:
        return [match[0] for match in regex.finditer(row.pattern, row.text) if match[0]]
    except (regex.error, TypeError):  # TypeError: a fuzzy count
        return None


def in_library(row: _Construct) -> list[str] | None:
    try:
        return theirs(row.pattern, row.text)
    except Exception:  # the library raises no other kind for a pattern that it refuses
        return None


@pytest.mark.parametrize("row", _CONSTRUCTS, ids=name)
def test_the_table_says_where_the_libraries_differ(row: _Construct) -> None:
    assert (as_written(row) != in_library(row)) == row.differs


PARTS = [
    r"(?=\p{Lu})",
    *(
        "a",
        "s",
        "K",
        " ",
        r"\n",
        r"\s",
        r"\S",
        r"\d",
        r"\p{L}",
        r"\p{Lu}",
        r"\P{N}",
        ".",
        "é",
        "漢",
        r"\.",
        "i",
    ),
    *(
        "[a-k]",
        r"[^\s\p{L}]",
        "[^a[bc]]",
        r"[\p{L}&&[^a-k]]",
        "[sk]",
        "[[a]b]",
        r"[a\-.]",
        "(?i:k)",
        "(?i:[^i])",
    ),
]
REPEATS = ["", "", "", "*", "+", "?", "+?", "*+", "{1,2}", "{2}"]
FRAMES = ["{}", "(?:{})", "({})", "(?>{})", "(?={})", "(?!{})", "(?<={})", "(?i:{})"]
LETTERS = "aAbBkK\u212aiIİısSſ ß\n\r\té漢1٣.-[]&"


def any_pattern(chance: random.Random) -> str:
    pattern = ""
    for _ in range(chance.randint(1, 4)):
        pattern += chance.choice(PARTS) + chance.choice(REPEATS)
        if chance.random() < 0.3:
            pattern = chance.choice(FRAMES).format(pattern)
        if chance.random() < 0.3:
            pattern += "|" + chance.choice(PARTS)
    return pattern


def test_a_match_of_nothing_before_another_is_refused() -> None:
    assert theirs(" ?|a", "a b") == [" "]
    with pytest.raises(BPEError, match=r"' \?\|a' matches nothing where it could match 'a'"):
        ours(" ?|a", "a b")


def test_any_pattern_that_is_read_matches_as_in_the_library() -> None:
    chance = random.Random(1)
    read = 0
    for _ in range(1_500):
        pattern = any_pattern(chance)
        text = "".join(chance.choices(LETTERS, k=20))
        try:
            matched = ours(pattern, text)
        except BPEError:
            continue
        try:
            expected = theirs(pattern, text)
        except Exception:  # the library refuses the pattern, so no file of its has it
            continue
        read += 1
        assert matched == expected, (pattern, text)
    assert read > 700


@pytest.mark.slow  # one to four seconds each
@pytest.mark.parametrize(
    "pattern", [r"\s", r"\d", r"\p{L}", r"\p{N}", r"[^\s\p{L}]", "(?i:[a-z])", "(?i:[^k])", "."]
)
def test_every_character_is_read_as_in_the_library(pattern: str) -> None:
    # All that Unicode knows. Of those for private use, which are nearly half of all and all alike, the first ones.
    letters = [*map(chr, range(0xE100)), *map(chr, range(0xF900, 0xF0100))]
    known = [letter for letter in letters if unicodedata.category(letter) not in ("Cn", "Cs")]
    text = "\n".join(known)
    assert set(ours(pattern, text)) == set(theirs(pattern, text))
