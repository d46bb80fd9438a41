"""A token that an audit calls unreachable is in none of a library's encodings, and every other one is in some."""

import json
import unicodedata
from functools import cache
from itertools import product
from typing import Any

import pytest
import sentencepiece
import tokenizers
from tokenizers import models, normalizers, pre_tokenizers

from bpe import Tokenizer
from bpe.analysis.audit import (
    NEIGHBOURS,
    OBSTACLES,
    Finding,
    audit,
    learned_tokens,
    remove_tokens,
    unreached_steps,
)
from bpe.formats.hugging_face.reading import read_tokenizer
from published.packing import open_published, original
from published.rows import PUBLISHED
from tests.published.test_published import by_tiktoken

# How many unreachable tokens are whole characters, and how many are not
UNREACHABLE = {"gpt-4o": (0, 1), "gpt-4": (0, 0), "gpt-2": (0, 0), "qwen": (1673, 6)}
# Contexts of this test's own: none of them is one of NEIGHBOURS.
ANGSTROM = "\u212b"  # which NFC replaces by the letter Å
BEFORE = ("the", "We ", "№", "3.", "«\n", "ß", "漢字", "Ж", "\u0e48", "🙂", ") ", "\u200b", ">>")
BEHIND = ("ing", "S.", " of", "٣", "\n\n", "ñ", "かな", "\u093f", "\u0300\u0301", "…", "'S", "😀!", "00")


@cache
def unreachable(slug: str) -> list[Finding]:
    return audit(open_published(slug).tokenizer, ["a text"])["unreachable"]


def is_text(symbol: bytes) -> bool:
    try:
        symbol.decode()
    except UnicodeDecodeError:
        return False
    return True


def check_published(slug: str) -> None:
    oracle, findings = by_tiktoken(PUBLISHED[slug]), unreachable(slug)
    whole = [finding for finding in findings if is_text(finding.symbol)]
    assert (len(whole), len(findings) - len(whole)) == UNREACHABLE[slug]
    for finding in whole:
        text = finding.symbol.decode()
        for before, behind in product(("", *BEFORE), ("", *BEHIND)):
            assert finding.id not in oracle(before + text + behind), (before, text, behind)
    for finding in findings:
        if not is_text(finding.symbol):  # the library, too, finds no character that gives it
            rest = (finding.symbol + bytes((byte,)) for byte in range(0x80, 0xC0))
            for text in (content.decode() for content in rest if is_text(content)):
                for before, behind in product(("", *BEFORE), ("", *BEHIND)):
                    assert finding.id not in oracle(before + text + behind), (before, text, behind)
    # Every other token that decode and encode does not give back stands in one of the texts that were tried.
    tokenizer = open_published(slug).tokenizer
    listed = {finding.id for finding in findings}
    for number, symbol in learned_tokens(tokenizer):
        if number not in listed and is_text(symbol) and oracle(symbol.decode()) != [number]:
            text = symbol.decode()
            assert any(number in oracle(before + text + behind) for before, behind in NEIGHBOURS), text


def test_no_learned_token_of_gpt_2_is_unreachable() -> None:
    check_published("gpt-2")


@pytest.mark.slow
@pytest.mark.parametrize("slug", [slug for slug in UNREACHABLE if slug != "gpt-2"])
def test_tiktoken_gives_none_of_the_unreachable_tokens_and_all_others(slug: str) -> None:
    check_published(slug)


@pytest.mark.slow
def test_the_reason_says_what_keeps_a_token_of_qwen_away() -> None:
    reasons = {finding.symbol: finding.because for finding in unreachable("qwen")}
    assert set(reasons.values()) == {"the pattern never leaves it whole"}
    assert {"เป็น".encode(), "ไม่".encode(), "１０".encode()} <= reasons.keys()


def test_a_byte_of_mistral_7b_that_is_a_character_with_a_token_gives_way_to_it() -> None:
    content = original(PUBLISHED["mistral-7b"].path.read_bytes())
    library = sentencepiece.SentencePieceProcessor(model_proto=content)
    found = unreachable("mistral-7b")
    characters = [chr(byte) for byte in range(128) if library.piece_to_id(chr(byte)) != library.unk_id()]
    assert [one.symbol.decode() for one in found] == [f"<0x{ord(one):02X}>" for one in characters]
    assert {one.because for one in found} == {"its byte is a character that has a token of its own"}
    assert [one.tokens for one in found] == [(one.encode(),) for one in characters]
    for one, character in zip(found, characters, strict=True):
        for before, behind in product(("", *BEFORE), ("", *BEHIND)):
            assert one.id not in library.encode(before + character + behind)


def small(normalizer: Any, pre_tokenizer: Any) -> tuple[Any, Tokenizer]:
    """Return a small tokenizer of the library, which lacks nothing but texts for some tokens."""
    letters = [*"abcdeé A", ANGSTROM]
    merges = [
        ("a", "b"),
        ("b", "c"),
        ("ab", "c"),
        ("a", "bc"),
        ("d", " "),
        ("d", "é"),
        (ANGSTROM, "a"),
        ("A", "b"),
    ]
    vocabulary = {token: number for number, token in enumerate([*letters, *map("".join, merges)])}
    vocabulary = {token: number for number, token in enumerate(vocabulary)}
    oracle = tokenizers.Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    oracle.normalizer, oracle.pre_tokenizer = normalizer, pre_tokenizer
    return oracle, read_tokenizer(oracle.to_str())


CASES = {
    "merges": (None, pre_tokenizers.WhitespaceSplit(), {"d ": "pattern"}),
    "normalizer": (
        normalizers.NFC(),
        pre_tokenizers.WhitespaceSplit(),
        {"d ": "pattern", ANGSTROM + "a": "normalizer"},
    ),
    "case": (
        normalizers.Lowercase(),
        pre_tokenizers.WhitespaceSplit(),
        {"d ": "pattern", ANGSTROM + "a": "normalizer", "Ab": "normalizer"},
    ),
    "nothing splits": (None, None, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_obstacle_is_named_and_the_library_gives_no_such_token(name: str) -> None:
    normalizer, pre_tokenizer, expected = CASES[name]
    oracle, tokenizer = small(normalizer, pre_tokenizer)
    found = audit(tokenizer, ["abc"])["unreachable"]
    assert {one.symbol.decode(): one.because for one in found} == {
        token: OBSTACLES[slug].why for token, slug in expected.items()
    }
    for finding in found:
        text = finding.symbol.decode()
        for before, behind in product(["", *"abcdeé ", "ab"], repeat=2):
            assert finding.id not in oracle.encode(before + text + behind).ids


def test_a_token_that_only_appears_beside_another_character_is_reachable() -> None:
    tokenizer = open_published("gpt-2").tokenizer
    oracle = by_tiktoken(PUBLISHED["gpt-2"])
    symbol = b"\xe3\x81"  # the first two bytes of most hiragana
    *_, (_, found) = unreached_steps(tokenizer, [(tokenizer.ids[symbol], symbol)])
    assert not found
    assert any(tokenizer.ids[symbol] in oracle(chr(point)) for point in range(0x3041, 0x3097))


def test_bytes_that_no_text_holds_are_unreachable() -> None:
    oracle = json.loads(open_small_bytes())
    tokenizer = read_tokenizer(json.dumps(oracle))
    found = {one.symbol: one.because for one in audit(tokenizer, ["a"])["unreachable"]}
    assert found == {b"\xff\xfe": "its bytes are part of no text"}


def open_small_bytes() -> str:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate([*alphabet, "ÿþ", "Ġa", "Ã©", "ð\u0141"])}
    merges = [("ÿ", "þ"), ("Ġ", "a"), ("Ã", "©"), ("ð", "\u0141")]
    oracle = tokenizers.Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    oracle.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return str(oracle.to_str())


def test_the_neighbours_are_of_every_general_category() -> None:
    characters = {character for pair in NEIGHBOURS for text in pair for character in text}
    every = {unicodedata.category(chr(point)) for point in range(0x110000)} - {"Cs", "Cn"}
    assert {unicodedata.category(character) for character in characters} >= every


def test_removing_what_is_unreachable_changes_no_encoding() -> None:
    oracle, tokenizer = small(normalizers.Lowercase(), pre_tokenizers.WhitespaceSplit())
    gone = [one.id for one in audit(tokenizer, ["abc"])["unreachable"]]
    removal = remove_tokens(tokenizer, gone)
    assert len(removal.removed) == len(gone) == 3
    for text in (f"abc dé {ANGSTROM}ab", "d é ABC"):
        assert removal.tokenizer.tokens(text) == tokenizer.tokens(text)
        assert removal.tokenizer.encode(text) == list(oracle.encode(text).ids)
