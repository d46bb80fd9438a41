"""Patterns of tokenizer files: what Oniguruma reads otherwise than `regex` is refused before it runs."""

import random
import unicodedata
from dataclasses import dataclass
from typing import Literal

import pytest
import regex
from tokenizers import Regex, pre_tokenizers

from bpe import BPEError
from bpe.formats.regexes import compile_shared, shared_matches

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

# Below: every construct of Oniguruma's manual and of `regex`'s, and what becomes of it in the pattern of a
# tokenizer's file. A test asks Hugging Face's tokenizers, which splits with Oniguruma, and this package about each row.
# What both read the same is read, what differs is translated or refused. Sources: Oniguruma, doc/RE; `regex`, README.

Verdict = Literal["same", "translated", "refused"]


@dataclass(frozen=True, slots=True)
class Construct:
    """A construct, a pattern that has it, and a text on which the two libraries may differ."""

    name: str
    pattern: str
    text: str
    verdict: Verdict
    # whether the two match other parts of this text with this pattern, or one refuses it
    differs: bool = False


def same(*rows: tuple[str, str, str]) -> list[Construct]:
    return [Construct(*row, "same") for row in rows]


def translated(*rows: tuple[str, str, str]) -> list[Construct]:
    return [Construct(*row, "translated", differs=True) for row in rows]


def refused(*rows: tuple[str, str, str], differs: bool) -> list[Construct]:
    return [Construct(*row, "refused", differs) for row in rows]


CONSTRUCTS = (
    *same(
        ("a literal", "ab c", "ab cab"),
        ("an escaped sign", r"\.\-\[\]\{\}\(\)", ".-[]{}()"),
        ("white space that is spelled", r"[\r\n\t\f]|\n", "a\r\nb\tc\f"),
        ("any character but a line end", ".+", "a\nb\r\u2028c\u0085d"),
        ("white space", r"\s+", "a\u0085\u00a0\u180e b\x1c\u2028"),
        ("no white space", r"\S+", "a\u0085\u00a0\u180e b\x1c\u2028"),
        ("digits", r"\d+", "1٣²½"),
        ("no digits", r"\D+", "1٣²½"),
        ("a category", r"\p{L}+|\p{Nd}|\p{S}", "aé中1٣²+€"),
        ("all but a category", r"\P{L}|\p{^N}", "a1 ²"),
        ("a script", r"\p{Han}|\p{Hangul}", "漢한a"),
        ("a set", r"[a\-z\].]+", "a-z]."),
        ("a range", "[!-/:-~]+", "a+b!:"),
        ("a set that begins or ends with a hyphen", "[-a]+|[b-]+", "-a-b"),
        ("a set without", r"[^\r\n\p{L}]", "a1\r\n"),
        ("a group", "(a|b)c|(?:d)", "acbcd"),
        ("an atomic group", "(?>a|ab)b", "abb"),
        ("what follows", r"\s+(?!\S)|a(?=b)", "ab  c  "),
        ("what comes before", "(?<=a)b|(?<!a)c", "abcac"),
        ("alternatives of which one is empty", "b|", "abc"),
        ("repeats", "a*b+c?d{2}e{1,2}f{,2}g{2,}", "abcddefgg"),
        ("lazy repeats", "a+?b|a*?c|d??e", "aabaace"),
        ("possessive repeats", "a++b|[^b]?+b", "aabb"),
        ("matches of nothing", "a*", "baac"),
        ("other letters in any case", "(?i:éσ)", "ÉςéΣ"),
    ),
    *translated(
        ("in any case: k and i", "(?i:[a-z]+)", "kK\u212aİıiI1"),
        ("a set in a set", "[[a-c]x]+", "abcx]a["),
        ("without a set in a set", "[^x[yz]]+", "axyza]"),
        ("without what is not in a set", "[^x[^a-z]]+", "axyza]"),
        ("an intersection of sets", r"[\p{L}&&[^a]]+", "abcA1&["),
        ("three sets", "[a-z&&[^aeiou]&&[^x-z]]+", "helloxz&"),
        ("without an intersection", "[^a-c&&b-d]+", "abcde&"),
    ),
    *refused(
        ("the begin of a line", "^a", "b\na"),
        ("the end of a line", "a$", "a\nb"),
        ("the end but for a line end", r"a\Z", "a\n"),
        ("characters in hexadecimal digits", r"\h", "0g \t"),
        ("none in hexadecimal digits", r"\H", "0g"),
        ("any character", r"\O", "a\n"),
        ("no line end", r"\N", "a\n"),
        ("a possessive repeat in braces", "a{2}+", "aaaaa"),
        ("an interval turned round", "a{2,1}", "aaa"),
        ("a repeat of a repeat", "a{2}{3}", "aaaaaaaaa"),
        ("two repeats", "a**", "aa"),
        ("the dot for all", "(?m).+", "a\nb"),
        ("the dot for all, in a group", "(?m:.+)", "a\nb"),
        ("several options", "(?im)A.b", "a\nb"),
        ("the dot for all, as Python has it", "(?s).+", "a\nb"),
        ("a named group, as Python has it", "(?P<n>a)", "a"),
        ("a call by name", r"(?<n>a|b)\g<n>", "ab"),
        ("a call of the whole", "a(?R)?b", "aabb"),
        ("a call by number", "(a)(?1)", "aa"),
        ("branches that share numbers", "(?|a|b)", "ab"),
        ("what is absent", "(?~ab)", "xxabyy"),
        ("backwards", "(?r)a", "aa"),
        ("version 1", "(?V1)a", "a"),
        ("fuzzy matching", "(?:ab){e<=1}", "ac"),
        ("named lists", r"\L<words>", "a"),
        ("a difference of sets", r"[\p{L}--a]", "ab-"),
        ("a range from a class", r"[\s-a]", " -a"),
        ("a class with a hyphen before a letter", r"[\p{L}-a]", "a-b"),
        ("letters that are one elsewhere", "(?i:ss)", "ß"),
        ("the same in groups", "(?i:(?:s)s)", "ß"),
        ("a letter that is two elsewhere", "(?i:ß)", "ss"),
        ("the same in a set", "(?i:[ß])", "ss"),
        ("the i of Turkish", "(?i:ı)", "Iı"),
        ("a category in any case", r"(?i:\p{Lu})", "aA"),
        ("a set in a set, in any case", "(?i:[[^a]b])", "aA"),
        ("any case from here", "(?i)i", "İi"),
        ("a property in words", r"\p{Script=Greek}", "α"),
        ("the start of a word", r"\m.", "ab"),
        ("a back reference by name", r"(?<n>a)\k<n>", "aab"),
        ("the letters of a category alone", r"\pL", "a1"),
        ("quoted text", r"\Q.\E", "."),
        ("a code point in braces", r"\x{41}", "A"),
        ("any characters after what must come next", r"(?=\p{Lu}).+[a-k]", "xBab"),
        ("what comes next or before, repeated", "(?=a){2}.|(?<!b)+.", "ab"),
        differs=True,
    ),
    # The two agree on these texts. They are refused since they differ on others, or no published tokenizer has them.
    *refused(
        ("a repeat in what comes before", "(?<=a*b)c", "bc"),
        ("a back reference", r"(a)\1", "aab"),
        ("the end", r"a\z", "a\na"),
        ("vertical white space", r"\v", "\x0b\n\u2028"),
        ("a hyphen first, then a range", "[--a]", "-+a"),
        ("the position to begin", r"\G.", "ab"),
        ("a condition", "(a)?(?(1)b|c)", "abc"),
        ("words", r"\w+", "aé1_"),
        ("a boundary of words", r"\b.", "ab c"),
        ("a hexadecimal code", r"\x41", "A"),
        ("a code point", r"\u0041", "A"),
        ("the begin", r"\Aa", "aa"),
        ("a grapheme", r"\X", "e\u0301a"),
        ("a line end", r"\R", "a\r\nb\n"),
        ("a comment", "(?#c)a", "a"),
        ("free spacing", "(?x) a b", "ab"),
        ("options switched off", "(?-i)a", "aA"),
        ("a set of POSIX", "[[:alpha:]]+", "aé1"),
        ("what is kept", r"a\Kb", "cab"),
        ("an octal code", r"\012", "\n"),
        ("a bell and an escape", r"\a|\x1b", "\x07"),
        ("a category by its name", r"\p{Letter}", "a1"),
        differs=False,
    ),
)

ACCEPTED = [row for row in CONSTRUCTS if row.verdict != "refused"]
REFUSED = [row for row in CONSTRUCTS if row.verdict == "refused"]
TEXTS = [
    "",
    "abc ABC",
    "a\r\nb\n",
    "It's 12 o'clock, ÉCOLE straße",
    "k\u212aİıſß ﬁ",
    "-]^&[|~ 漢한α",
    "aabbccddxyz  ",
]


def name(row: Construct) -> str:
    return row.name


def theirs(pattern: str, text: str) -> list[str]:
    """Return what Oniguruma matches."""
    split = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    return [piece for piece, _ in split.pre_tokenize_str(text)]


def ours(pattern: str, text: str) -> list[str]:
    spans = shared_matches(compile_shared(pattern, ("the file", "")), text)
    return [text[start:end] for start, end in spans if start < end]


@pytest.mark.parametrize("row", ACCEPTED, ids=name)
def test_what_is_read_matches_as_in_the_library(row: Construct) -> None:
    for text in (row.text, *TEXTS):
        assert ours(row.pattern, text) == theirs(row.pattern, text), text


@pytest.mark.parametrize("row", REFUSED, ids=name)
def test_what_is_not_read_is_refused_before_it_runs(row: Construct) -> None:
    with pytest.raises(BPEError, match=r"^the file: the pattern .*(read differently|does not compile)"):
        compile_shared(row.pattern, ("the file", ""))


def as_written(row: Construct) -> list[str] | None:
    """Return what `regex` matches if nothing is translated; None if it refuses the pattern."""
    try:
        return [match[0] for match in regex.finditer(row.pattern, row.text) if match[0]]
    except (regex.error, TypeError):  # TypeError: a fuzzy count
        return None


def in_library(row: Construct) -> list[str] | None:
    try:
        return theirs(row.pattern, row.text)
    except Exception:  # the library raises no other kind for a pattern that it refuses
        return None


@pytest.mark.parametrize("row", CONSTRUCTS, ids=name)
def test_the_table_says_where_the_libraries_differ(row: Construct) -> None:
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


# One to four seconds each. What Unicode says of a letter changes with a release of `regex` only.
@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(
            pattern, marks=pytest.mark.slow if pattern in (r"\s", "(?i:[^k])") else pytest.mark.weekly
        )
        for pattern in (r"\s", r"\d", r"\p{L}", r"\p{N}", r"[^\s\p{L}]", "(?i:[a-z])", "(?i:[^k])", ".")
    ],
)
def test_every_character_is_read_as_in_the_library(pattern: str) -> None:
    # All that Unicode knows. Of those for private use, which are nearly half of all and all alike, the first ones.
    letters = [*map(chr, range(0xE100)), *map(chr, range(0xF900, 0xF0100))]
    known = [letter for letter in letters if unicodedata.category(letter) not in ("Cn", "Cs")]
    text = "\n".join(known)
    assert set(ours(pattern, text)) == set(theirs(pattern, text))
