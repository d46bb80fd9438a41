"""tekken.json: opened, it encodes as tiktoken does with the same ranks and pattern."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
import tiktoken

import bpe
from bpe import BPEError
from bpe.formats.opening import open_tokenizer
from tests.material.many_strings import STRINGS
from tests.material.texts import SENTENCES

PATTERN = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
SPECIALS = 30


def written() -> dict[str, Any]:
    """Return the JSON of a file with the tokens of a training, and ten more that are not used."""
    tokenizer = bpe.train(SENTENCES, "custom", pattern=PATTERN, merges=150, min_count=1).tokenizer()
    tokens = list(tokenizer.ids)
    unused = [b"zq" + bytes([65 + number]) for number in range(10)]
    return {
        "config": {
            "pattern": PATTERN,
            "num_vocab_tokens": len(tokens) + len(unused),
            "default_vocab_size": len(tokens) + SPECIALS,
            "default_num_special_tokens": SPECIALS,
            "version": "v3",
        },
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for rank, token in enumerate([*tokens, *unused])
        ],
    }


def library(whole: dict[str, Any]) -> tiktoken.Encoding:
    config = whole["config"]
    listed = whole["vocab"][: config["default_vocab_size"] - config["default_num_special_tokens"]]
    ranks = {base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in listed}
    return tiktoken.Encoding("tekken", pat_str=config["pattern"], mergeable_ranks=ranks, special_tokens={})


def test_it_encodes_as_the_library_does() -> None:
    whole = written()
    result, oracle = open_tokenizer({"tekken.json": json.dumps(whole).encode()}), library(whole)
    for text in STRINGS:
        # mistral-common puts the special tokens before the ranks of tiktoken.
        assert result.tokenizer.encode(text) == [SPECIALS + rank for rank in oracle.encode_ordinary(text)]
        assert result.tokenizer.decode(result.tokenizer.encode(text)) == text
    assert result.tokenizer.special_tokens[:3] == ["<unk>", "<s>", "</s>"]
    assert result.tokenizer.special_tokens[29] == "<SPECIAL_29>"
    assert "The last 10 tokens of the list are not used" in result.ignored[0]


def change(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    def apply(whole: dict[str, Any]) -> None:
        *outer, last = path.split(".")
        part: Any = whole
        for key in outer:
            part = part[int(key) if key.isdecimal() else key]
        part[last] = value

    return apply


REFUSED = {
    "pattern": (change("config.pattern", "("), "config.pattern: The pattern does not compile"),
    "size": (change("config.default_vocab_size", 10**9), "config.default_vocab_size: expected a number"),
    "specials": (change("config.default_num_special_tokens", -1), "config.default_num_special_tokens"),
    "too few": (change("config.default_num_special_tokens", 0), r"vocab: expected at least \d+ tokens"),
    "rank": (change("vocab.7.rank", 8), r"vocab\[7\].rank: expected 7, got 8"),
    "base64": (change("vocab.9.token_bytes", "%"), r"vocab\[9\].token_bytes: expected a token in base64"),
    "twice": (change("vocab.256.token_bytes", "AA=="), r"vocab\[256\].token_bytes: the same token as vocab\[0\]"),
    "names": (change("special_tokens", [{"rank": 0, "token_str": 5}]), r"special_tokens\[0\].token_str"),
    "one name": (change("special_tokens", [{"rank": 0, "token_str": "<SPECIAL_1>"}]), "special_tokens: expected each"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_field_is_named(name: str) -> None:
    whole = written()
    apply, sentence = REFUSED[name]
    apply(whole)
    with pytest.raises(BPEError, match=f"^mine.json, {sentence}"):
        open_tokenizer({"mine.json": json.dumps(whole).encode()})


def test_half_a_character_in_a_special_token_is_refused_with_its_field() -> None:
    whole = written() | {"special_tokens": [{"rank": 0, "token_str": "\ud800"}]}
    with pytest.raises(BPEError, match=r"^tekken\.json: .*lone surrogates.* special_tokens\[0\]\.token_str"):
        open_tokenizer({"tekken.json": json.dumps(whole).encode()})


def test_a_pattern_that_is_no_text_is_named_once() -> None:
    whole = written()
    whole["config"]["pattern"] = 3
    with pytest.raises(BPEError, match=r"^mine.json, config.pattern: expected a text, got 3.$"):
        open_tokenizer({"mine.json": json.dumps(whole).encode()})
