"""Splits after ByteLevel, as Falcon's file has them: they can lie inside a character, and the tokens are bytes."""

from itertools import accumulate, product

import pytest

import bpe
from bpe import Tokenizer
from bpe.analysis.alignment import token_row, written_bytes
from bpe.comparison.words import _END, _PER_CHARACTER, _encoded_text
from bpe.formats.hugging_face.reading import _open_tokenizer_json
from bpe.formats.hugging_face.variants import partial_bytes, remapped, unmapped
from bpe.formats.tiktoken_ranks import write_ranks
from film.encoding_feed import encoding_feed, encoding_window
from film.windows import cut_window, spell_slice
from tests.bpe.formats.hugging_face_files import CORPUS, library
from tests.material.hostile_texts import STRINGS

# Б is D0 91, м D0 BC: GPT-2's files write BC as ¼, which is a number, so Digits splits there.
TEXTS = (
    "мир",
    "Привет, мир 123456!",
    "½²³ à la carte 12",
    "🙂🙂9",
    "\U0010ffbc\U0010ff00 x",
    " ",
    "",
    *STRINGS[:40],
)
NAMES = ("falcon", "digits after bytes")


def tokenizer_of(name: str) -> Tokenizer:
    return _open_tokenizer_json(library(name).to_str()).tokenizer


@pytest.mark.parametrize("text", dict.fromkeys(TEXTS))
def test_a_part_of_a_character_can_be_written_and_read(text: str) -> None:
    encoded = text.encode()
    letters = remapped(text)
    for cut in range(len(encoded) + 1):
        parts = [unmapped(letters[:cut]), unmapped(letters[cut:])]
        assert [partial_bytes(part) for part in parts] == [encoded[:cut], encoded[cut:]]
        "".join(parts).encode()  # no lone surrogate
    if max(text, default="") < "\U0010ff00":
        assert unmapped(letters) == text


@pytest.mark.parametrize("name", NAMES)
def test_tokens_are_bytes_and_every_place_is_that_of_the_text(name: str) -> None:
    tokenizer = tokenizer_of(name)
    variant = tokenizer.variant
    for text in TEXTS:
        tokens = tokenizer.tokens(text)
        assert b"".join(tokens) == text.encode()
        assert variant.decode(tokens) == text
        pre_tokens = variant.split(text)
        assert b"".join(b"".join(variant.spell(one)) for one in pre_tokens) == text.encode()
        begins = [0, *accumulate(map(len, tokens))][: len(tokens)]
        row = token_row(text, tokens, variant, tokenizer.ids)
        assert [(cell.start, cell.end) for cell in row.cells] == [
            (start, start + len(token)) for start, token in zip(begins, tokens, strict=True)
        ]
        assert written_bytes(text, tokens) == tokens
        character_at = [(at, byte) for at, one in enumerate(text) for byte in range(len(one.encode()))]
        placed = [character_at[start] for start in begins]
        assert [start for start, _ in tokenizer.offsets(text)] == [at for at, _ in placed]
        assert _encoded_text(tokenizer, text).starts == [
            _PER_CHARACTER * at + min(byte, _END - 1) for at, byte in placed
        ]


@pytest.mark.parametrize("name", NAMES)
def test_windows_hold_every_symbol_once(name: str) -> None:
    variant = tokenizer_of(name).variant
    text = "Привет, мир 123456! ½²³ 🙂🙂9 à la carte\n" * 3
    for size, long in product((1, 7, 40), (3, 200)):
        symbols: list[bytes] = []
        start = 0
        while start < len(text):
            window = cut_window([text], variant, start, size, long)
            symbols += [symbol for piece in window.slices for symbol in spell_slice(variant, piece)]
            start = max(window.end, start + 1)
        assert b"".join(symbols) == text.encode()


def test_its_tokens_are_those_of_a_training_on_bytes_and_can_be_exported() -> None:
    tokenizer = tokenizer_of("digits after bytes")
    trained = bpe.train(CORPUS, "bytes-gpt2", merges=300).tokenizer()
    common = tokenizer.ids.keys() & trained.ids.keys()
    assert b" the" in common
    assert len(common) > 256 + 150
    lines = write_ranks(tokenizer).splitlines()
    assert len(lines) == len(tokenizer.ids)


def test_a_replay_and_a_film_have_the_same_tokens() -> None:
    tokenizer = tokenizer_of("falcon")
    text = "Привет, мир 123456! ½²³ à la carte"
    trace = bpe.replay(text, tokenizer)
    assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text)
    feed, _ = encoding_feed(tokenizer, encoding_window(text, tokenizer), "rank")
    assert feed["text"]["total"] == len(text)
    shown = [trace.variant.text_of(pre_token) for pre_token in trace.pre_tokens]
    assert " la" in shown
    assert "\ufffd" in shown
    assert not [one for one in shown if any(ord(letter) >= 0x10FF00 for letter in one)]
