"""Published encodings: .tiktoken files that are known by their SHA-256, with the settings that the files do not hold.

Source: openai/tiktoken, tiktoken_ext/openai_public.py.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bpe.text.variants import VARIANTS, Variant, custom_variant

O200K_PATTERN = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
_END = "<|endoftext|>"
_MIDDLE = ("<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>")


@dataclass(frozen=True, slots=True)
class PublishedEncoding:
    """One encoding: how it splits text, and its special tokens."""

    name: str
    sha256: str
    variant: Variant
    special_tokens: Mapping[str, int]


ENCODINGS = (
    PublishedEncoding(
        "r50k_base",
        "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
        VARIANTS["bytes-gpt2"],
        {_END: 50256},
    ),
    PublishedEncoding(
        "p50k_base",
        "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
        VARIANTS["bytes-gpt2"],
        {_END: 50256},
    ),
    PublishedEncoding(
        "cl100k_base",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        VARIANTS["bytes-gpt4"],
        {_END: 100257, **{token: 100258 + i for i, token in enumerate(_MIDDLE)}, "<|endofprompt|>": 100276},
    ),
    PublishedEncoding(
        "o200k_base",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        custom_variant(O200K_PATTERN),
        {_END: 199999, "<|endofprompt|>": 200018},
    ),
)
_BY_HASH: Mapping[str, PublishedEncoding] = MappingProxyType({row.sha256: row for row in ENCODINGS})


def published_encoding(content: str) -> PublishedEncoding | None:
    """Return the published encoding that a .tiktoken file is, if it is one."""
    return _BY_HASH.get(hashlib.sha256(content.encode()).hexdigest())
