"""Published tokenizers: the files are those of the rows, and encode as the libraries of their makers do."""

import hashlib
import json
import lzma
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import pytest
import sentencepiece
import tiktoken
import tokenizers

from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN
from published.fetch import packed
from published.opening import open_published
from published.packing import original
from published.rows import FOLDER, PUBLISHED, Published
from tests.material.many_strings import STRINGS

MOST_BYTES = 10_000_000  # of all files, in the wheel
TEXTS = [text for text in STRINGS if "<unk>" not in text]
ROWS = [pytest.param(row, id=row.slug) for row in PUBLISHED.values()]
HEADS = {"MIT": "Permission is hereby granted, free of charge", "Apache-2.0": "Apache License"}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("row", ROWS)
def test_a_file_is_the_one_of_its_row_and_comes_with_its_licence(row: Published) -> None:
    assert sha256(row.path.read_bytes()) == row.sha256
    assert HEADS[row.source.licence] in row.licence_path.read_text("utf-8")


def test_the_folder_holds_nothing_else_and_is_small() -> None:
    files = {path for folder in ("files", "licences") for path in (FOLDER / folder).iterdir()}
    assert files == {path for row in PUBLISHED.values() for path in (row.path, row.licence_path)}
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


# A tekken.json has parts besides those that we use, and a tokenizer.json can be spelled in many ways.
WHOLE = [slug for slug, row in PUBLISHED.items() if not row.source.path.endswith(".json")]


@pytest.mark.parametrize("slug", WHOLE)
def test_a_file_holds_exactly_what_its_package_holds(slug: str) -> None:
    row = PUBLISHED[slug]
    content = original(row.path.read_bytes())
    assert sha256(content) == row.source.sha256


@pytest.mark.weekly
@pytest.mark.parametrize("slug", [*WHOLE, "deepseek"])
def test_packing_is_repeated_byte_for_byte(slug: str) -> None:
    row = PUBLISHED[slug]
    again = packed(row, original(row.path.read_bytes()))
    assert unpacked(again) == unpacked(row.path.read_bytes())


def unpacked(content: bytes) -> bytes:
    """Return what a packed file holds, whatever version of the compressor wrote it."""
    return lzma.decompress(content)


def by_tiktoken(row: Published) -> Callable[[str], list[int]]:
    lines = original(row.path.read_bytes()).splitlines()
    ranks = {b64decode(token): int(rank) for token, rank in map(bytes.split, lines)}
    variant = open_published(row.slug).tokenizer.variant
    pattern = {"bytes-gpt2": GPT2_PATTERN, "bytes-gpt4": GPT4_PATTERN}.get(variant.slug, variant.pattern)
    oracle = tiktoken.Encoding(row.slug, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    first = open_published(row.slug).tokenizer.ids[b"\0"] - ranks[b"\0"]  # after Mistral's special tokens
    return lambda text: [first + rank for rank in oracle.encode_ordinary(text)]


def by_tokenizers(row: Published) -> Callable[[str], list[int]]:
    whole = json.loads(original(row.path.read_bytes()))
    whole["post_processor"] = None  # which puts a token in front of a text
    oracle = tokenizers.Tokenizer.from_str(json.dumps(whole))
    return lambda text: oracle.encode(text).ids


def by_sentencepiece(row: Published) -> Callable[[str], list[int]]:
    oracle = sentencepiece.SentencePieceProcessor(model_proto=original(row.path.read_bytes()))
    return lambda text: list(oracle.encode(text))


ORACLES = {".tiktoken": by_tiktoken, ".json": by_tokenizers, ".v1": by_sentencepiece}


def check(row: Published) -> None:
    suffix = ".tiktoken" if row.source.path.endswith("tekken_240911.json") else Path(row.source.path).suffix
    tokenizer, oracle = open_published(row.slug).tokenizer, ORACLES[suffix](row)
    for text in TEXTS:
        ids = tokenizer.encode(text)
        assert ids == oracle(text), text
        if "\u2581" not in text:  # which SentencePiece takes for a space
            assert tokenizer.decode(ids) == text, text


def test_gpt_2_encodes_as_tiktoken_does() -> None:
    check(PUBLISHED["gpt-2"])


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS[1:])
def test_a_published_tokenizer_encodes_as_its_library_does(row: Published) -> None:
    check(row)
