"""Published tokenizers: the files are those of the rows, and encode as the libraries of their makers do."""

import hashlib
import json
import lzma
import random
import re
import unicodedata
from base64 import b64decode
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import accumulate, count, pairwise
from pathlib import Path

import pytest
import sentencepiece
import tiktoken
import tokenizers

import bpe
from bpe.comparison.evidence import evidence
from bpe.formats.opening import open_tokenizer
from bpe.formats.tiktoken_ranks import merges_of_ranks
from bpe.text.normalizing import _Form
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN
from published.fetch import _packed
from published.packing import open_published, original, shipped_ranks
from published.rows import _FOLDER, PUBLISHED, Published
from tests.bpe.text.random_texts import TIMES
from tests.material.hostile_texts import STRINGS

MOST_BYTES = 10_000_000  # of all files, in the wheel
TEXTS = [text for text in STRINGS if "<unk>" not in text]
ROWS = [pytest.param(row, id=row.slug) for row in PUBLISHED.values()]
EMOJI = (_FOLDER.parent / "sample_corpora" / "emoji.txt").read_text("utf-8")
HEADS = {"MIT": "Permission is hereby granted, free of charge", "Apache-2.0": "Apache License"}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("row", ROWS)
def test_a_file_is_the_one_of_its_row_and_comes_with_its_licence(row: Published) -> None:
    assert sha256(row.path.read_bytes()) == row.sha256
    assert HEADS[row.source.licence] in row.licence_path.read_text("utf-8")


def test_the_folder_holds_nothing_else_and_is_small() -> None:
    files = {path for folder in ("files", "licences") for path in (_FOLDER / folder).iterdir()}
    assert files == {path for row in PUBLISHED.values() for path in (row.path, row.licence_path)}
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


# A tekken.json has parts besides those that we use, and a tokenizer.json can be spelled in many ways.
WHOLE = [slug for slug, row in PUBLISHED.items() if not row.source.path.endswith(".json")]


@pytest.mark.parametrize("slug", WHOLE)
def test_a_file_holds_exactly_what_its_package_holds(slug: str) -> None:
    row = PUBLISHED[slug]
    content = original(row.path.read_bytes())
    assert sha256(content) == row.source.sha256


RANKS = [slug for slug, row in PUBLISHED.items() if row.source.path.endswith(".tiktoken")]


@pytest.mark.parametrize(
    "slug", ["gpt-2", *(pytest.param(slug, marks=pytest.mark.weekly) for slug in RANKS if slug != "gpt-2")]
)
def test_the_file_of_a_shipped_tokenizer_opens_with_the_merges_that_its_tokens_lead_to(slug: str) -> None:
    content = original(PUBLISHED[slug].path.read_bytes())
    opened, shipped = open_tokenizer({"ranks.tiktoken": content}), open_published(slug).tokenizer
    assert opened.says_split
    assert not opened.ignored
    assert (opened.tokenizer.vocabulary, opened.tokenizer.merges) == (shipped.vocabulary, shipped.merges)
    tokens = [b64decode(line.split()[0]) for line in content.splitlines()]
    assert tuple(merges_of_ranks(tokens, shipped.variant)) == shipped.merges


def test_a_shipped_file_is_known_by_its_hash_alone() -> None:
    content = original(PUBLISHED["qwen"].path.read_bytes())
    opened = open_tokenizer({"any name": content})
    assert opened.kind == ".tiktoken (Qwen)"
    assert set(opened.tokenizer.special_tokens) >= {"<|endoftext|>", "<|im_start|>"}
    assert shipped_ranks(sha256(content[:-1])) is None


@pytest.mark.weekly
@pytest.mark.parametrize("slug", [*WHOLE, "deepseek"])
def test_packing_is_repeated_byte_for_byte(slug: str) -> None:
    row = PUBLISHED[slug]
    again = _packed(row, original(row.path.read_bytes()))
    assert unpacked(again) == unpacked(row.path.read_bytes())


def unpacked(content: bytes) -> bytes:
    """Return what a packed file holds, whatever version of the compressor wrote it."""
    return lzma.decompress(content)


def changed(row: Published, text: str) -> str:
    """Return the text as the maker's code gives it to tiktoken: dashscope/tokenizers/qwen_tokenizer.py composes it."""
    return unicodedata.normalize("NFC", text) if row.slug == "qwen" else text


def by_tiktoken(row: Published) -> Callable[[str], list[int]]:
    oracle, first = in_tiktoken(row), split_and_first(row.slug)[1]
    return lambda text: [first + rank for rank in oracle.encode_ordinary(changed(row, text))]


@cache
def split_and_first(slug: str) -> tuple[str, int]:
    """Return the pattern of a published tokenizer, and the id of its first rank, which follows special tokens."""
    tokenizer = open_published(slug).tokenizer
    variant = tokenizer.variant
    pattern = {"bytes-gpt2": GPT2_PATTERN, "bytes-gpt4": GPT4_PATTERN}.get(variant.slug, variant.pattern)
    ordinary = {*range(len(tokenizer.vocabulary))} - {*tokenizer.special_ids} - {*tokenizer.gaps}
    return pattern, min(ordinary)


@cache
def in_tiktoken(row: Published) -> tiktoken.Encoding:
    lines = original(row.path.read_bytes()).splitlines()
    ranks = {b64decode(token): int(rank) for token, rank in map(bytes.split, lines)}
    pattern = split_and_first(row.slug)[0]
    return tiktoken.Encoding(row.slug, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def by_tokenizers(row: Published) -> Callable[[str], list[int]]:
    oracle = in_tokenizers(row)
    return lambda text: oracle.encode(text).ids


@cache
def in_tokenizers(row: Published) -> tokenizers.Tokenizer:
    whole = json.loads(original(row.path.read_bytes()))
    whole["post_processor"] = None  # which puts a token in front of a text
    return tokenizers.Tokenizer.from_str(json.dumps(whole))


def by_sentencepiece(row: Published) -> Callable[[str], list[int]]:
    oracle = in_sentencepiece(row)
    return lambda text: list(oracle.encode(text))


@cache
def in_sentencepiece(row: Published) -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_proto=original(row.path.read_bytes()))


ORACLES = {".tiktoken": by_tiktoken, ".json": by_tokenizers, ".v1": by_sentencepiece}


def kind_of(row: Published) -> str:
    return ".tiktoken" if row.source.path.endswith("tekken_240911.json") else Path(row.source.path).suffix


# Scripts of every kind: of letters that compose, of syllables, of marks that change their order, of none. All of it has
# been in Unicode since version 5: what a newer one has added, every library's tables know from another year on.
SCRIPTS = (
    "abcxyzABC .,'-!0123456789\n\t", "àâçéîñõøüÿšžőǖḗṩợếÅ", "αβγΏάἄᾧῷ", "жийёЇЎѷ", "אבגשלםּ\u05b8\u05bc\u05c1",
    "ابتسآأؤ\u064b\u0651\u0670", "कखगनय़ड़\u093e\u094d\u093c", "বাংয়ড়ো", "தமிழ்ொௌ", "ไทยเป็นำ",
    "བོད་ཀྱི\u0f71\u0f72\u0f73", "မြန်မာ", "한국어문장각힣\u1100\u1161\u11a8", "かがパぴ゙゚ｶﾞ", "漢字標点、。豈更\uf9fd",
    "😀👍🏽\u200d\ufe0f🇳🇵☎", "≠≮⫝̸ΩKℵ\u2260\u0338", "\u0300\u0301\u0323\u0308\u0345\u0360\u0489",
    "\x00\x1f\x7f\xa0\u2003\u2028\u3000\ufeff\ufffd", "ﬁ½Ⅷ①ﬀ", "𝄞𝅗𝅥𐍈𐤀", "<|endoftext|>", "<|im_start|>",
)  # fmt: skip
FORMS: tuple[_Form, ...] = ("NFC", "NFD")


def random_strings(seed: str, number: int = 500 * TIMES) -> list[str]:
    """Return so many strings of one to four scripts: typed as they come, composed and decomposed in turn."""
    chance = random.Random(seed)
    strings = []
    for at in range(number):
        scripts = chance.sample(SCRIPTS, chance.randint(1, 4))
        parts = (
            part for script in scripts for part in chance.choices([*script, script], k=chance.randint(1, 8))
        )
        text = "".join(parts)
        strings.append(text if at % 3 == 0 else unicodedata.normalize(FORMS[at % 3 - 1], text))
    return strings


def check(row: Published) -> None:
    tokenizer, oracle = open_published(row.slug).tokenizer, ORACLES[kind_of(row)](row)
    assert len(tokenizer.merges) == row.merges
    for text in (*TEXTS, *random_strings(row.slug)):
        ids = tokenizer.encode(text)
        assert ids == oracle(text), ascii(text)
        if "\u2581" not in text:  # which SentencePiece takes for a space
            assert tokenizer.decode(ids) == changed(row, text), ascii(text)


def test_gpt_2_encodes_as_tiktoken_does() -> None:
    check(PUBLISHED["gpt-2"])


# One that composes the text first and one of Hugging Face's library; the others once a week.
@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row, id=slug, marks=pytest.mark.slow if slug in ("qwen", "deepseek") else pytest.mark.weekly
        )
        for slug, row in PUBLISHED.items()
        if slug != "gpt-2"
    ],
)
def test_a_published_tokenizer_encodes_as_its_library_does(row: Published) -> None:
    check(row)


DECOMPOSED = unicodedata.normalize("NFD", "Tiếng Việt có sáu thanh điệu. Über größe, 한국어 문장입니다.")


def test_qwen_composes_a_text_before_it_is_split_and_gives_back_the_composed_one() -> None:
    qwen = open_published("qwen").tokenizer
    for text, number in ((DECOMPOSED, 23), (unicodedata.normalize("NFC", DECOMPOSED), 23), (EMOJI, 696)):
        ids = qwen.encode(text)
        assert len(ids) == number
        assert qwen.decode(ids) == unicodedata.normalize("NFC", text)
    assert unicodedata.normalize("NFC", DECOMPOSED) != DECOMPOSED


# Words that are compared: by the boundaries inside them. The text is one that every library leaves as it is.

COMPARED = unicodedata.normalize(
    "NFC", "\n".join(text for text in TEXTS if not any(odd in text for odd in ("\u2581", "<", "\0")))
)

# GPT-2's bytes_to_unicode: printable bytes are their own letters, the others take those from 256 on.
PRINTABLE = {*range(33, 127), *range(161, 173), *range(174, 256)}
LETTER = count(256)
BYTE_OF = {chr(byte if byte in PRINTABLE else next(LETTER)): bytes([byte]) for byte in range(256)}


def library_tokens(row: Published, text: str) -> list[bytes]:
    """Return the tokens of the maker's library in UTF-8; they join to the text."""
    if kind_of(row) == ".tiktoken":
        encoding = in_tiktoken(row)
        tokens = encoding.decode_tokens_bytes(encoding.encode_ordinary(text))
    elif kind_of(row) == ".json":
        found = in_tokenizers(row).encode(text).tokens
        tokens = [b"".join(BYTE_OF[letter] for letter in token) for token in found]
    else:
        pieces = in_sentencepiece(row).encode(text, out_type=str)
        assert pieces[0].startswith("\u2581")
        pieces[0] = pieces[0][1:]
        tokens = [
            bytes([int(piece[3:5], 16)])
            if re.fullmatch("<0x..>", piece)
            else piece.replace("\u2581", " ").encode()
            for piece in pieces
        ]
    assert b"".join(tokens) == text.encode()
    return tokens


def split_by_library(row: Published, text: str) -> list[tuple[bytes, ...]]:
    """Return each word between white space, split at the library's boundaries inside it, in its context."""
    ends = set(accumulate(map(len, library_tokens(row, text))))
    words = []
    for match in re.finditer(r"\S+", text):
        if any(map(str.isalnum, match[0])):
            start, end = (len(text[:at].encode()) for at in match.span())
            cuts = [start, *(at for at in range(start + 1, end) if at in ends), end]
            words.append(tuple(text.encode()[one:other] for one, other in pairwise(cuts)))
    return words


@pytest.mark.weekly
def test_every_pair_is_compared_by_the_boundaries_that_the_libraries_draw_inside_words() -> None:
    rows = list(PUBLISHED.values())
    traces = [bpe.replay("a text", open_published(row.slug).tokenizer) for row in rows]
    measured = evidence(traces, [COMPARED], "a text")
    split = [split_by_library(row, COMPARED) for row in rows]
    occurrences = Counter(zip(*split, strict=True))
    assert measured.compared_words == occurrences.total() > 1_000
    differing = Counter({one: times for one, times in occurrences.items() if len(set(one)) > 1})
    assert {word.tokens: word.frequency for word in measured.differing} == differing
    assert measured.apart == differing.total() / occurrences.total()
    for pair in measured.pairs:
        same = sum(one == other for one, other in zip(split[pair.first], split[pair.second], strict=True))
        assert pair.same_splits == same / measured.compared_words
        assert 0 < same < measured.compared_words
