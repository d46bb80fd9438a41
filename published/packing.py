"""Packing: a vocabulary in few bytes, opened quickly.

A token that merges make needs no bytes: two ids say which tokens it joins, and the tokens before it are known. So a
file holds a line of JSON, and behind it the left and the right ids of all merges, three bytes each, compressed.
Merges need not be recovered from the tokens, which takes most of the time when a .tiktoken file is opened.

    {"kind": "ranks", "variant": "bytes-gpt2", "bytes": "2122…", "first": 0, "special": {"<|endoftext|>": 50256}}
    left ids, right ids

A "pattern" may stand in the place of the variant, and a "normalization" beside it.
"""

import json
import lzma
from array import array
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from sys import byteorder
from typing import Any

from bpe import VARIANTS, Tokenizer
from bpe.checkpoints import with_checkpoints
from bpe.formats.hugging_face.reading import open_json_object
from bpe.formats.opened import Opened
from bpe.formats.sentencepiece.opening import open_model
from bpe.formats.spelling import spelling_of
from bpe.symbols import Pair, Symbol
from bpe.text.variants import custom_variant
from published.rows import PUBLISHED

_PLANES = 3  # bytes of an id
_TOKENS = 1 << 13  # between two checkpoints
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


def open_published(slug: str) -> Opened:
    """Return the tokenizer of a row of PUBLISHED. It is opened anew at every call: keep it if you need it again."""
    row = PUBLISHED[slug]
    return replace(_unpack(row.path.read_bytes()), kind=f"{row.maker}, {row.years}")


def original(content: bytes) -> bytes:
    """Return a file that the tokenizer's own library reads: a SentencePiece model, a tokenizer.json or .tiktoken."""
    head, _, payload = lzma.decompress(content).partition(b"\n")
    header = json.loads(head)
    match header["kind"]:
        case "ranks":
            symbols, _ = _joined(header, payload)
            numbered = enumerate(symbols)
            return b"".join(b"%s %d\n" % (b64encode(symbol), number) for number, symbol in numbered)
        case "tokenizer.json":
            return json.dumps(_whole_json(header, payload), ensure_ascii=False).encode()
    return payload


def pack_ranks(tokenizer: Tokenizer) -> bytes:
    """Return the packed file of a tokenizer whose tokens are bytes and what its merges make, in this order."""
    variant = tokenizer.variant
    split = (
        {"variant": variant.slug}
        if variant.slug in VARIANTS and not variant.pattern
        else {"pattern": variant.pattern}
    )
    special = dict(zip(tokenizer.special_tokens, map(int, tokenizer.special_ids), strict=True))
    changed = {"normalization": tokenizer.normalization} if tokenizer.normalization else {}
    return _packed({"kind": "ranks", **split, **changed, "special": special}, tokenizer)


def pack_json(whole: dict[str, Any], tokenizer: Tokenizer) -> bytes:
    """Return the packed file of a tokenizer.json whose tokens are bytes and what its merges make, in this order."""
    symbols = _in_order(tokenizer)
    first = tokenizer.ids[symbols[0]]
    last = first + len(symbols)
    numbers = whole["model"]["vocab"]
    ends = {
        "before": {token: number for token, number in numbers.items() if number < first},
        "after": {token: number for token, number in numbers.items() if number >= last},
    }
    bare = {**whole, "model": {**whole["model"], "vocab": None, "merges": None}}
    return _packed({"kind": "tokenizer.json", "whole": bare, **ends}, tokenizer)


def pack_model(content: bytes) -> bytes:
    """Return the packed file of a SentencePiece model."""
    return _compressed({"kind": "model"}, content)


def shipped_ranks(sha256: str) -> Opened | None:
    """Return the tokenizer of the .tiktoken file with this hash, if it is one of PUBLISHED."""
    for row in PUBLISHED.values():
        if row.source.sha256 == sha256 and row.source.path.endswith(".tiktoken"):
            return replace(_unpack(row.path.read_bytes()), kind=f".tiktoken ({row.name})")
    return None


def _unpack(content: bytes) -> Opened:
    """Return the tokenizer of a packed file."""
    head, _, payload = lzma.decompress(content).partition(b"\n")
    header = json.loads(head)
    match header["kind"]:
        case "ranks":
            return _from_ranks(header, payload)
        case "tokenizer.json":
            return open_json_object(_whole_json(header, payload))
    return open_model(payload)


def _from_ranks(header: dict[str, Any], payload: bytes) -> Opened:
    symbols, merges = _joined(header, payload)
    first, special = header["first"], header["special"]
    vocabulary: list[Symbol] = [b""] * (max(first + len(symbols) - 1, *special.values()) + 1)
    vocabulary[first : first + len(symbols)] = symbols
    for token, number in special.items():
        vocabulary[number] = token.encode()
    tokenizer = Tokenizer(
        custom_variant(header["pattern"]) if "pattern" in header else VARIANTS[header["variant"]],
        tuple(vocabulary),
        tuple(merges),
        tuple(special),
        normalization=header.get("normalization"),
        special_ids=tuple(special.values()),
        gaps=frozenset(number for number, symbol in enumerate(vocabulary) if not symbol),
        one_by_one=True,
        whole_words=True,
    )
    return Opened(tokenizer)


def _whole_json(header: dict[str, Any], payload: bytes) -> dict[str, Any]:
    """Put the vocabulary and the merges back into a tokenizer.json."""
    symbols, merges = _joined(header, payload)
    write = spelling_of(VARIANTS["bytes-gpt2"]).write
    spelled = {symbol: write(symbol) for symbol in symbols}
    whole: dict[str, Any] = header["whole"]
    numbered = enumerate(spelled.values(), start=header["first"])
    whole["model"]["vocab"] = {
        **header["before"],
        **{token: number for number, token in numbered},
        **header["after"],
    }
    whole["model"]["merges"] = [[spelled[left], spelled[right]] for left, right in merges]
    return whole


def _joined(header: dict[str, Any], payload: bytes) -> tuple[list[Symbol], list[Pair]]:
    """Return the tokens by id, from the header's first one on, and the merges."""
    symbols = [bytes([value]) for value in bytes.fromhex(header["bytes"])]
    half = len(payload) // 2
    merges: list[Pair] = []
    for left_id, right_id in with_checkpoints(
        list(zip(_ids(payload[:half]), _ids(payload[half:]), strict=True)), _TOKENS
    ):
        left, right = symbols[left_id], symbols[right_id]
        merges.append((left, right))
        symbols.append(left + right)
    return symbols, merges


def _ids(packed: bytes) -> Sequence[int]:
    """Return numbers of which the lowest bytes come first, then the middle ones, then the highest."""
    size = len(packed) // _PLANES
    spread = bytearray(4 * size)
    for plane in range(_PLANES):
        spread[plane::4] = packed[plane * size : (plane + 1) * size]
    numbers = array("I", bytes(spread))
    if byteorder == "big":
        numbers.byteswap()
    return numbers


def _in_order(tokenizer: Tokenizer) -> list[Symbol]:
    """Return the single bytes in the order of their ids, and what each merge makes. Added tokens are left out."""
    merged = [left + right for left, right in tokenizer.merges]
    return [symbol for symbol in tokenizer.ids if len(symbol) == 1][:256] + merged


def _packed(header: dict[str, Any], tokenizer: Tokenizer) -> bytes:
    symbols = _in_order(tokenizer)
    first = tokenizer.ids[symbols[0]]
    if [tokenizer.ids[symbol] for symbol in symbols] != list(range(first, first + len(symbols))):
        raise ValueError("the tokens must be the 256 bytes and, in this order, those that the merges make")
    rows = [array("I", [tokenizer.ids[pair[side]] - first for pair in tokenizer.merges]) for side in (0, 1)]
    header |= {"first": first, "bytes": b"".join(symbols[:256]).hex()}
    return _compressed(header, b"".join(map(_spread, rows)))


def _spread(numbers: "array[int]") -> bytes:
    if byteorder == "big":
        numbers.byteswap()
    raw = numbers.tobytes()
    return b"".join(raw[plane::4] for plane in range(_PLANES))


def _compressed(header: dict[str, Any], payload: bytes) -> bytes:
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":"))
    return lzma.compress(head.encode() + b"\n" + payload, format=lzma.FORMAT_XZ, filters=_FILTERS)
