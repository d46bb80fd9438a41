"""tokenizer.json, written: all that Hugging Face's `tokenizers` needs, how text is split included."""

import json
from collections.abc import Mapping
from types import MappingProxyType

from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.hf_normalizers import TYPED_METASPACE
from bpe.formats.hf_parts import FILE, Part
from bpe.formats.shared_regex import compile_shared
from bpe.formats.spelling import spell_vocabulary
from bpe.settings.presets import PRESETS
from bpe.symbols import END_OF_WORD, BPEError
from bpe.text.normalizations import NORMALIZATIONS
from bpe.text.patterns import GPT4_PATTERN
from bpe.text.variants import Variant

_BYTE_LEVEL: Part = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
_GPT2: Part = {**_BYTE_LEVEL, "use_regex": True}
_WHITE_SPACE: Part = {"type": "WhitespaceSplit"}
_GPT4: Part = {"type": "Split", "pattern": {"Regex": GPT4_PATTERN}, "behavior": "Isolated", "invert": False}
_METASPACE: Part = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
_SUFFIX = "</w>"


def _sequence(*parts: Part) -> Part:
    return {"type": "Sequence", "pretokenizers": list(parts)}


# Variant -> (pre-tokenizer, decoder, end-of-word suffix). The library does not support the other variants.
PARTS: Mapping[str, tuple[Part, Part, str | None]] = MappingProxyType(
    {
        "bytes": (_BYTE_LEVEL, _BYTE_LEVEL, None),
        "bytes-gpt2": (_GPT2, _GPT2, None),
        "bytes-gpt4": (_sequence(_GPT4, _BYTE_LEVEL), _BYTE_LEVEL, None),
        "bytes-whitespace": (_sequence(_WHITE_SPACE, _BYTE_LEVEL), _BYTE_LEVEL, None),
        "char-metaspace": (_METASPACE, _METASPACE, None),
        "char-eow-attached": (_WHITE_SPACE, {"type": "BPEDecoder", "suffix": _SUFFIX}, _SUFFIX),
    }
)


def _other_variant(variant: Variant) -> str:
    """Return why the file cannot hold a variant that is not in PARTS, and what to choose instead."""
    has_symbol = variant.marker == END_OF_WORD and variant.marker_is_symbol
    lack = "has no end-of-word symbol" if has_symbol else f"cannot describe the variant “{variant.title}”"
    return f"{FILE} {lack}. Choose a byte-level preset, for example {PRESETS['hf-bytelevel'].title}."


def check_described(variant: Variant) -> None:
    """Raise BPEError for a variant that the file cannot describe."""
    if variant.slug not in PARTS:
        raise BPEError(_other_variant(variant))
    if variant.first and not variant.lossless:
        raise BPEError(
            f"{FILE} cannot describe superwords of the variant {variant.slug!r}, which drops text."
        )
    if variant.first:
        compile_shared(variant.second_pattern, "The pattern of the second stage")


def _second_split(variant: Variant) -> Part:
    """Return the pre-tokenizer of a second stage, as SuperBPE writes it."""
    pattern = {"Regex": variant.second_pattern}
    return _sequence({**_GPT4, "pattern": pattern}, _BYTE_LEVEL)


def _normalizer(tokenizer: Tokenizer) -> Part | None:
    form = tokenizer.normalization
    return {"type": NORMALIZATIONS[form].hugging_face} if form else None


def write_tokenizer(tokenizer: Tokenizer) -> str:
    """Return the tokenizer as the library loads it. Raises BPEError for a variant or a token the file cannot hold.

    The library treats text differently in two ways: it reads special tokens in any text, and it drops unknown
    characters if there is no unknown token.
    """
    check_described(tokenizer.variant)
    if tokenizer.normalizer not in (None, TYPED_METASPACE):
        raise BPEError(
            f"{FILE} cannot describe the normalizer of this tokenizer: {tokenizer.normalizer.about}."
        )
    split, join, suffix = PARTS[tokenizer.variant.slug]
    if tokenizer.variant.first:
        split = _second_split(tokenizer.variant)
    spelled = spell_vocabulary(tokenizer, FILE)
    text_of = {symbol: spelled[number] for symbol, number in tokenizer.ids.items()}
    special = zip(tokenizer.special_ids, tokenizer.special_tokens, strict=True)
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": number, "content": token, **flags} for number, token in special],
        "normalizer": _normalizer(tokenizer),
        "pre_tokenizer": split,
        "post_processor": None,
        "decoder": join,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None if tokenizer.unknown is None else spelled[tokenizer.unknown],
            "continuing_subword_prefix": None,
            "end_of_word_suffix": suffix,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": tokenizer.whole_words,
            "vocab": {token: number for number, token in enumerate(spelled) if token},
            "merges": [[text_of[left], text_of[right]] for left, right in tokenizer.merges],
        },
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
