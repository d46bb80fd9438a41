"""What a page needs to train: patterns for JavaScript, tables of characters, and recipes of traces."""

import json
import unicodedata
from collections.abc import Mapping
from typing import Any

import pytest
import regex

import bpe
from film.live import (
    EMPTY_PLANES,
    PatternError,
    every_character,
    js_pattern,
    live_recipe,
    live_settings,
    unicode_classes,
)
from film.packing import digest_of
from film.windows import FILM_WINDOW, class_of
from tests import ROOT
from tests.js.tools import node, run

# A pattern, and texts that tell an inexact translation from an exact one.
PATTERNS: Mapping[str, tuple[str, list[str]]] = {
    "possessive star": ("a*+b|a", ["aaa", "aab", "b"]),
    "possessive plus": (r"[^ab]++[\r\n]*|a", ["aab", "x\r\n\ny", "\n\nab"]),
    "possessive option": ("[^a]?+a+|b", ["ba", "aab", "bb"]),
    "possessive count": ("a{1,2}+b?|b", ["aab", "aaab"]),
    "two possessives": ("a++b|b++c|[abc]", ["aab", "bbc"]),
    "without case": ("'(?i:[sdmt]|ll|re)", ["'s'S'\u017f'LL'lL'RE'm", "'K'\u212a"]),
    "the letter k without case": ("(?i:k)+", ["kK\u212ax"]),
    "white space": (r"[^\s]+|\s+(?!\S)|\s+", ["a\x1cb\x85c \ufeff d", "a \U000f0000", "  \u2028x  "]),
    "escapes": (r"\r\n|\t|\.|\-|[\]\\-]", ["\r\n\t.-]\\-"]),
    "range": ("[a-c0-9]+|[^x]", ["abc09d-x"]),
    "lazy": ("a+?|b*?c", ["aaa", "bbc"]),
    "lookahead": ("a(?=b)|a(?!c)", ["abacad"]),
}
REFUSED = (
    *(
        "a++a",
        "a*+ab",
        "[ab]++b",
        "a++b?c",
        "(?:a++)a",
        "(?:ab)++c",
        "(?i:a++b)",
    ),  # possessive, and wanted back
    *(
        "(a)b",
        r"\bword",
        "^a",
        r"(?<=a)b",
        "(?i:[a-z])",
        r"[\S]",
        "[a[b]]",
        "a.b",
        r"(?i:\p{Lu})",
        "(a",
        r"\d",
    ),
)


def javascript_matches(pattern: str, texts: list[str]) -> list[list[str]]:
    program = (
        "const [pattern, texts] = JSON.parse(process.argv[1]);"
        "console.log(JSON.stringify(texts.map((t) => t.match(new RegExp(pattern, 'gu')) ?? [])))"
    )
    result = run([node(), "-e", program, json.dumps([pattern, texts])])
    assert result.returncode == 0, result.stdout
    return json.loads(result.stdout)  # type: ignore[no-any-return]  # a list of lists of texts


def test_a_pattern_for_javascript_has_the_matches_of_the_pattern() -> None:
    for name, (pattern, texts) in PATTERNS.items():
        expected = [[match[0] for match in regex.finditer(pattern, text)] for text in texts]
        assert javascript_matches(js_pattern(pattern), texts) == expected, name


@pytest.mark.parametrize("pattern", REFUSED)
def test_a_pattern_that_cannot_be_written_exactly_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        js_pattern(pattern)


def test_a_class_of_unicode_stays_for_the_page_to_replace() -> None:
    assert js_pattern(r"[^\p{L}\p{N}]?+\p{Lu}") == r"[^\p{L}\p{N}]?[\p{Lu}]"
    assert unicode_classes(r"[^\p{L}\p{N}]?+\p{Lu}") == ["L", "Lu", "N"]


def test_planes_that_the_table_does_not_look_at_hold_no_character() -> None:
    for plane in EMPTY_PLANES:
        codes = [*range(plane.start, plane.stop, 97), plane.stop - 1]
        assert {class_of(chr(code)) for code in codes} == {"hidden"}
        assert {unicodedata.category(chr(code)) for code in codes} <= {"Cn", "Co"}
        assert not any(regex.match(r"[\p{L}\p{N}\s]", chr(code)) for code in codes)


def test_the_table_says_the_class_of_every_character() -> None:
    table = live_settings()["characters"]
    runs = regex.findall("([0-9a-z]*)([A-Z])", table["runs"])
    lengths = [int(length or "1", 36) for length, _ in runs]
    assert sum(lengths) == 0x110000
    code, classes = 0, dict[int, str]()
    for length, (_, letter) in zip(lengths, runs, strict=True):
        classes |= dict.fromkeys(range(code, min(code + length, 0x40000)), table["classes"][ord(letter) - 65])
        code += length
    for character in every_character()[::7]:
        if ord(character) in classes:
            names = {class_of(character)} | {
                name for name in ("L", "N") if regex.match(rf"\p{{{name}}}", character)
            }
            assert set(classes[ord(character)].split()) == names - {""}, hex(ord(character))


def test_equal_values_have_equal_names() -> None:
    assert digest_of("a", [1], {"b": None}) == digest_of("a", (1,), {"b": None})
    assert digest_of("a", "b") != digest_of("ab")
    assert digest_of(b"\xff") == digest_of("ff")


@pytest.mark.parametrize(
    "given",
    [
        {"variant": "custom", "pattern": "a+"},
        {"normalization": "NFC"},
        {"variant": "char-metaspace", "pieces": "sentencepiece"},
        {"alphabet": [b"b", b"a"]},
        {"special_tokens": ["b"], "cut_special_tokens": True},
        {"second_pattern": "lines", "second_after": 1},
    ],
)
def test_a_training_that_a_page_cannot_repeat_has_no_recipe(given: dict[str, Any]) -> None:
    assert live_recipe(bpe.train("ab ab", merges=2, **given)) is None


def test_a_replay_has_no_recipe() -> None:
    known = bpe.train("ab ab", merges=1).tokenizer()
    assert live_recipe(bpe.replay("ab ab", known)) is None


def test_a_recipe_has_the_names_of_the_settings() -> None:
    trace = bpe.train("low lower", "bytes-gpt2", "pair-max", merges=3, picks={0: 1})
    assert live_recipe(trace) == {
        "variant": "bytes-gpt2",
        "tie_break": "pair-max",
        "merges": 3,
        "picks": {0: 1},
    }


def test_the_document_on_browsers_names_the_limits_of_a_film() -> None:
    script = (ROOT / "film/browser/film/own_settings.js").read_text("utf-8")
    merges = regex.search(r"MOST_MERGES = ([\d_]+);", script)
    assert merges
    limits = f"{FILM_WINDOW:,} characters, {int(merges[1]):,} merges"
    assert limits in (ROOT / "docs/in_the_browser.md").read_text("utf-8")
