"""Variants: text to words of symbols and back, what is kept and what is lost."""

from typing import Any

import pytest
import regex
from tiktoken_ext import openai_public

from bpe import END_OF_WORD, START_OF_WORD, VARIANTS, BPEError, custom_variant, uncovered
from bpe.text import patterns
from bpe.text import variants as variants_module
from tests.texts import PROBES, SENTENCES, TOYS, source

E, S = END_OF_WORD, START_OF_WORD

SPLITS = {
    "char-eow": ("a\tb\u00a0c\u3000d  e\n", ["a", "b", "c", "d", "e"]),
    "char-underscore": ("a b\n", ["a", "b"]),
    "char-eow-attached": (" a\u2028b ", ["a", "b"]),
    "char-eow-lines": ("\r a\tb\u00a0c\u3000d  e \r\n\n f", ["a\tb\u00a0c\u3000d", "e", "f"]),
    "char-metaspace": ("a  b\nc ", [" a", " ", " b\nc", " "]),
    "bytes-whitespace": (" a\tb ", ["a", "b"]),
    "bytes": (" a b\n", [" a b\n"]),
    "bytes-gpt2": ("we'll pay 12345€!  \n x", ["we", "'ll", " pay", " 12345", "€!", "  \n", " x"]),
    "bytes-gpt4": ("WE'LL pay 12345€!\n  x", ["WE", "'LL", " pay", " ", "123", "45", "€!\n", " ", " x"]),
}

SPELLINGS = {
    "char-eow": ("né", (b"n", "é".encode(), E)),
    "char-underscore": ("né", (b"n", "é".encode(), E)),
    "char-eow-attached": ("né", (b"n", "é".encode() + E)),
    "char-eow-lines": ("n\té", (b"n", b"\t", "é".encode() + E)),
    "char-metaspace": (" né", (S, b"n", "é".encode())),
    "bytes-whitespace": ("né", (b"n", b"\xc3", b"\xa9")),
    "bytes": ("é ", (b"\xc3", b"\xa9", b" ")),
    "bytes-gpt2": (" é", (b" ", b"\xc3", b"\xa9")),
    "bytes-gpt4": (" é", (b" ", b"\xc3", b"\xa9")),
}

KEPT = {  # of " a  b\n\tc "
    "char-eow": "a b c",
    "char-underscore": "a b c",
    "char-eow-attached": "a b c",
    "char-eow-lines": "a b \tc",
    "char-metaspace": "a  b\n\tc ",
    "bytes-whitespace": "abc",
    "bytes": " a  b\n\tc ",
    "bytes-gpt2": " a  b\n\tc ",
    "bytes-gpt4": " a  b\n\tc ",
}

each = pytest.mark.parametrize("slug", [slug for slug in VARIANTS if slug != "custom"])


@each
def test_a_text_is_cut_into_pre_tokens(slug: str) -> None:
    text, pre_tokens = SPLITS[slug]
    assert VARIANTS[slug].split(text) == pre_tokens


@each
def test_a_pre_token_is_spelled_in_initial_symbols(slug: str) -> None:
    pre_token, word = SPELLINGS[slug]
    assert VARIANTS[slug].spell(pre_token) == word


@each
def test_what_is_kept_of_a_text_with_blanks(slug: str) -> None:
    variant = VARIANTS[slug]
    assert variant.normalise(" a  b\n\tc ") == KEPT[slug]
    assert variant.lossless == (KEPT[slug] == " a  b\n\tc ")


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.slug)
def test_what_is_not_lossless_says_what_it_loses(variant: variants_module.Variant) -> None:
    assert variant.lossless == (variant.loses == "")
    assert variant.title
    assert variant.about.endswith(".")


@each
def test_what_is_kept_is_kept_again(slug: str) -> None:
    variant = VARIANTS[slug]
    kept = variant.normalise(SENTENCES)
    assert (
        variant.normalise(kept) == kept or slug == "char-metaspace"
    )  # which drops one space in front each time


@each
def test_a_cut_text_has_the_same_pre_tokens(slug: str) -> None:
    variant, text = VARIANTS[slug], SENTENCES + "  two\n\n\tx  don't 12 345 \r\n a"
    if variant.safe_cut is None:
        assert slug == "bytes"  # one word
        return
    for match in variant.safe_cut.finditer(text):
        left, right = text[: match.start()], text[match.start() :]
        whole = variant.split(text)
        assert variant.split(left) + variant.split(right) == whole


LITERALS = ["</w>", "a</w>", "_", "▁", "▁a", " ▁", "<unk>", "\u00ff\u00fe", "�", "\ufeff", "\x00"]


@pytest.mark.parametrize("text", LITERALS)
@each
def test_markers_typed_as_text_are_text(slug: str, text: str) -> None:
    variant = VARIANTS[slug]
    assert variant.normalise(text) == (text if variant.lossless else text.strip(" "))
    spelled = variant.symbols(text)
    if variant.marker:
        assert sum(symbol.count(variant.marker) for symbol in spelled) == len(variant.split(text))


LABELS = [
    ("char-eow", b"t" + E, "t</w>"),
    ("char-eow", E, "</w>"),
    ("char-underscore", b"t" + E, "t_"),
    ("char-metaspace", S + b"t", "▁t"),
    ("char-metaspace", b"\n", "↵"),
    ("bytes", b" low", "·low"),
    ("bytes", b"\t\r\n", "→␍↵"),
    ("bytes", b"\xe2\x82", "<0xE2><0x82>"),
    ("bytes", b"a\xff\xfe", "a<0xFF><0xFE>"),
    ("bytes", "é".encode()[:1], "<0xC3>"),
    ("bytes", "\u00a0".encode(), "⍽"),
    ("bytes", b"\x00\x1b", "<U+0000><U+001B>"),
    ("bytes", "\u0301".encode(), "◌\u0301"),
    ("bytes", "\u200d".encode(), "<U+200D>"),
    ("bytes", "👩\u200d👧".encode(), "👩\u200d👧"),
    ("bytes", "👩\u200d".encode(), "👩<U+200D>"),
    ("bytes", "\u202e".encode(), "<U+202E>"),
]


@pytest.mark.parametrize(("slug", "symbol", "label"), LABELS, ids=[label for _, _, label in LABELS])
def test_a_symbol_is_shown(slug: str, symbol: bytes, label: str) -> None:
    assert VARIANTS[slug].label(symbol) == label


@each
def test_what_is_spelled_is_read_back(slug: str) -> None:
    variant = VARIANTS[slug]
    for symbol in set(variant.symbols("low é ab")):
        assert variant.unit == "bytes" or variant.unspelled(variant.spelled(symbol).decode()) == symbol


def test_utf_8_order_is_code_point_order() -> None:
    characters = sorted(set(SENTENCES + "\U0001f600\uff5e\ufffd"))
    assert sorted(characters, key=str.encode) == characters


# A pattern of one's own.


def test_a_custom_pattern_takes_its_matches_and_says_what_it_leaves() -> None:
    variant = custom_variant(r"[a-z]+", "characters")
    assert variant.split("ab, cd") == ["ab", "cd"]
    assert uncovered(variant, "ab, cd") == [(2, ", ")]
    assert uncovered(custom_variant(r"\s|\S"), "ab, cd") == []
    assert uncovered(variant, "") == []
    assert uncovered(variant, "ab.") == [(2, ".")]


def test_a_custom_pattern_may_hold_groups_and_match_nothing() -> None:
    assert custom_variant(r"(a)(b)|c*").split("abcc") == ["ab", "cc"]


def test_a_pattern_that_does_not_compile_says_where() -> None:
    with pytest.raises(BPEError, match=r"does not compile: missing \) at position 2"):
        custom_variant("(a")


def test_what_is_no_text_has_no_gaps_but_a_sentence() -> None:
    text: Any = None
    with pytest.raises(BPEError, match="The text must be a str, got NoneType"):
        uncovered(VARIANTS["bytes"], text)


def test_a_pattern_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.05)
    with pytest.raises(BPEError, match=r"took more than 0\.05 seconds"):
        custom_variant(r"(a|aa)+$").split("a" * 60 + "b")


@pytest.mark.parametrize("slug", ["bytes-gpt2", "bytes-gpt4"])
def test_the_patterns_cut_as_those_that_tiktoken_ships_now(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has since rewritten them; they cut alike, but for blanks at the end of a text."""
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: {})
    published = {
        "bytes-gpt2": openai_public.r50k_pat_str,
        "bytes-gpt4": openai_public.cl100k_base()["pat_str"],
    }
    for text in [
        SENTENCES,
        source(),
        *PROBES.values(),
        *TOYS.values(),
        " \n\n  a \r\n\r\n  1234567 '\u017f 'S",
    ]:
        text = text.rstrip()
        assert VARIANTS[slug].split(text) == [
            match.group() for match in regex.finditer(published[slug], text)
        ]
